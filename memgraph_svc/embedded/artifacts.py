"""Fetch the files of the embedded server, once, and make sure they are the right ones.

In: the lock. Out: a folder with every jar, each verified against its hash. jgo does the fetching, from whatever Maven
repositories it is configured with; nothing is resolved, since the lock names every file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import platformdirs
from filelock import FileLock
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from memgraph_svc.embedded.lock import SERVER, Jar, jars
from memgraph_svc.errors.start import DiskFull, DownloadFailed

_AT_ONCE = 8
_NEEDED_BYTES = 600 * 1024 * 1024
_BLOCK = 1 << 20
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_PAUSES_S = (0.5, 2.0)
Advance = Callable[[int], None]


def ensure(cache_dir: Path, *, check_all: bool = False) -> Path:
    """The folder that holds every jar of the server, fetched now if need be.

    Files verified before are trusted by size and time of change unless ``check_all``. Safe when two processes do it at
    once, and after a kill: a file appears under its name only when its hash is right. Raises ``DownloadFailed`` or
    ``DiskFull``.
    """
    home = cache_dir / f"neo4j-{SERVER}"
    folder = home / "jars"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(home / "lock"):
            known = _read_proofs(home)
            proven = {} if check_all else known
            missing = [jar for jar in jars() if not _is_proven(folder / jar.file_name, jar, proven)]
            if missing:
                _fetch_all(home, folder, missing)
            if known != (found := _proofs(folder)):
                _write_proofs(home, found)
            _drop_strangers(folder)
    except OSError as cause:
        if cause.errno in _FULL:
            raise DiskFull(f"The disk filled up below {home}: free some space, or set MEMGRAPH_CACHE_DIR.") from cause
        raise DownloadFailed(f"{home} cannot be written: {cause.strerror}. Set MEMGRAPH_CACHE_DIR.") from cause
    return folder


def _is_proven(path: Path, jar: Jar, proven: dict[str, str]) -> bool:
    try:
        mark = _mark(path, jar)
    except OSError:
        return False
    return proven.get(jar.file_name) == mark or digest(path) == jar.sha256


def _mark(path: Path, jar: Jar) -> str:
    seen = path.stat()
    return f"{jar.sha256} {seen.st_size} {seen.st_mtime_ns}"


def _read_proofs(home: Path) -> dict[str, str]:
    try:
        lines = (home / "verified").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return dict(line.split(" ", 1) for line in lines if " " in line)


def _proofs(folder: Path) -> dict[str, str]:
    return {jar.file_name: _mark(folder / jar.file_name, jar) for jar in jars()}


def _write_proofs(home: Path, proofs: dict[str, str]) -> None:
    lines = [f"{name} {mark}\n" for name, mark in proofs.items()]
    (home / "verified").write_text("".join(lines), encoding="utf-8")


def _drop_strangers(folder: Path) -> None:
    # Everything in the folder is on the class path; a jar of another version must not be.
    known = {jar.file_name for jar in jars()}
    for path in folder.glob("*.jar"):
        if path.name not in known:
            path.unlink()


def _fetch_all(home: Path, folder: Path, missing: list[Jar]) -> None:
    for left in home.glob("fetch-*"):
        shutil.rmtree(left, ignore_errors=True)  # of a fetch that was killed; we hold the lock
    if shutil.disk_usage(home).free < _NEEDED_BYTES:
        raise DiskFull(
            f"The embedded Neo4j needs {_NEEDED_BYTES >> 20} MB below {home}: free some space, or set MEMGRAPH_CACHE_DIR."
        )
    console = Console(stderr=True)
    console.print(f"Fetching Neo4j {SERVER} (once, {len(missing)} files, about 180 MB)")
    with (
        tempfile.TemporaryDirectory(dir=home, prefix="fetch-") as staging,
        _progress(console, len(missing)) as (advance, done),
        ThreadPoolExecutor(_AT_ONCE) as pool,
    ):
        waiting = [pool.submit(_fetch, Path(staging), folder, jar, advance, done) for jar in missing]
        try:
            for each in waiting:
                each.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _fetch(staging: Path, folder: Path, jar: Jar, advance: Advance, done: Callable[[], None]) -> None:
    from jgo.config import GlobalSettings  # noqa: PLC0415
    from jgo.constants import MAVEN_CENTRAL_URL  # noqa: PLC0415  only the first start needs it, and it is slow to import
    from jgo.maven import MavenContext, PythonResolver  # noqa: PLC0415

    @contextmanager
    def counted(_name: str, _total: int) -> Generator[Advance]:
        yield advance

    repositories = {"central": MAVEN_CENTRAL_URL, **GlobalSettings.load().repositories}
    context = MavenContext(
        resolver=PythonResolver(progress_callback=counted), repo_cache=staging, remote_repos=repositories
    )
    artifact = context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier, "jar")
    path = _persist(jar, artifact.resolve, Path(str(artifact.cached_path)))
    found = digest(path)
    if found != jar.sha256:
        raise DownloadFailed(
            f"{jar.file_name} is not the file it should be (sha256 {found[:16]}… instead of {jar.sha256[:16]}…); it was "
            "thrown away. Check which Maven repositories jgo is configured with."
        )
    path.replace(folder / jar.file_name)
    done()


def _persist(jar: Jar, resolve: Callable[[], Path], cut_off: Path) -> Path:
    """Fetch, and again after a fault of the network, which may leave half a file under the whole one's name."""
    for pause in (*_PAUSES_S, None):
        try:
            return resolve()
        except Exception as cause:
            if getattr(cause, "errno", None) in _FULL:
                raise
            if pause is None:
                # Not the fault's own words: the address in them may carry somebody's password.
                why = "no repository has it" if type(cause) is RuntimeError else type(cause).__name__
                raise DownloadFailed(
                    f"Cannot fetch {jar.file_name}: {why}. Check the network and run this again, it goes on where it "
                    "stopped; or set NEO4J_URI to use a server of your own."
                ) from cause
            cut_off.unlink(missing_ok=True)
            time.sleep(pause)
    raise AssertionError("unreachable")


@contextmanager
def _progress(console: Console, files: int) -> Generator[tuple[Advance, Callable[[], None]]]:
    """A bar of bytes on a terminal, a line for every quarter elsewhere."""
    guard, count = threading.Lock(), [0]
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task: TaskID = bar.add_task(f"0/{files} files", total=185 * 1024 * 1024)

        def done() -> None:
            with guard:
                count[0] += 1
                bar.update(task, description=f"{count[0]}/{files} files")
                if not console.is_terminal and (count[0] * 4 // files) != ((count[0] - 1) * 4 // files):
                    console.print(f"  {count[0]}/{files} files")

        yield (lambda size: bar.advance(task, size)), done


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    hashed = hashlib.sha256()
    with path.open("rb") as source:
        while block := source.read(_BLOCK):
            hashed.update(block)
    return hashed.hexdigest()


def default_cache() -> Path:
    """Where the files are kept when nothing else is said."""
    return Path(os.environ.get("MEMGRAPH_CACHE_DIR") or platformdirs.user_cache_dir("memgraph-svc", appauthor=False))
