"""Have every file of the server on this machine, each proven to be the one this release names.

In: the lock. Out: a folder that holds exactly those files. A file gets its final name only after its hash was checked,
so a killed download leaves nothing half-done there and the next one goes on from it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from memgraph_svc.embedded.filelock import waiting
from memgraph_svc.embedded.lock import Jar, jars, release
from memgraph_svc.embedded.maven import Repositories
from memgraph_svc.embedded.progress import Shown, shown
from memgraph_svc.errors import DiskFull, DownloadFailed

if TYPE_CHECKING:
    from rich.console import Console

_MARKER = "verified.json"
_THREADS = 8
_LOCK_WAIT_S = 1_800
_SPARE_BYTES = 50_000_000
_BLOCK = 1 << 20


def ensure(
    cache: Path, *, verify: bool = False, console: Console | None = None, listed: tuple[Jar, ...] | None = None
) -> Path:
    """The folder with all files, downloaded first where they are missing.

    A start costs one ``stat`` per file; ``verify`` reads all of them again. Safe when several processes call it at
    once. Raises ``DownloadFailed``, ``DiskFull`` or ``ExtraMissing``.
    """
    listed = jars() if listed is None else listed
    folder = cache / release(listed)
    if not verify and _vouched(folder, listed):
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with waiting(cache / f"{folder.name}.lock", _LOCK_WAIT_S):
            if verify or not _vouched(folder, listed):
                _complete(cache, folder, listed, console)
    except TimeoutError as cause:
        raise DownloadFailed("Another process has been downloading Neo4j for half an hour; stop it first.") from cause
    except OSError as cause:
        if cause.errno in {28, 122}:  # ENOSPC, EDQUOT
            raise DiskFull(f"The disk filled up below {cache}; free some space, or move MEMGRAPH_CACHE_DIR.") from cause
        raise DownloadFailed(f"Cannot write {cache} ({cause.strerror}); set MEMGRAPH_CACHE_DIR.") from cause
    return folder


def _complete(cache: Path, folder: Path, listed: tuple[Jar, ...], console: Console | None) -> None:
    (folder / _MARKER).unlink(missing_ok=True)
    wanted = {jar.file_name: jar for jar in listed}
    for path in folder.glob("*.jar"):
        # The class path is the whole folder: whatever is not of the list must not be in it.
        if path.name not in wanted or sha256(path) != wanted[path.name].sha256:
            path.unlink()
    missing = [jar for jar in listed if not (folder / jar.file_name).exists()]
    if missing:
        needed = sum(jar.size for jar in missing)
        _check_space(cache, needed)
        with shown(console, needed, len(missing)) as show:
            _fetch_all(cache, folder, missing, show)
    _vouch(folder, listed)


def _fetch_all(cache: Path, folder: Path, missing: list[Jar], show: Shown) -> None:
    staging = cache / f"{folder.name}.part"
    repositories = Repositories(staging, show.advance)
    with ThreadPoolExecutor(_THREADS) as pool:
        running = [pool.submit(_fetch, repositories, folder, jar, show) for jar in missing]
        try:
            for each in as_completed(running):
                each.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    shutil.rmtree(staging, ignore_errors=True)


def _fetch(repositories: Repositories, folder: Path, jar: Jar, show: Shown) -> None:
    final = folder / jar.file_name
    partial = final.with_suffix(".part")
    local = repositories.local_copy(jar)
    if local.is_file() and local.stat().st_size == jar.size and sha256(local) == jar.sha256:
        shutil.copyfile(local, partial)
        show.advance(jar.size)
    else:
        shutil.move(repositories.fetch(jar), partial)
    found = sha256(partial)
    if found != jar.sha256:
        partial.unlink()
        raise DownloadFailed(
            f"{jar.file_name} is not the file this release was made with: its SHA-256 begins with {found[:12]}, "
            f"{jar.sha256[:12]} was expected. Something between here and the repository changes files.",
            {"file": jar.file_name, "found": found, "expected": jar.sha256},
        )
    partial.replace(final)
    show.file_done()


def sha256(path: Path) -> str:
    """The hash of a file's content."""
    summed = hashlib.sha256()
    with path.open("rb") as opened:
        while block := opened.read(_BLOCK):
            summed.update(block)
    return summed.hexdigest()


def _vouch(folder: Path, listed: tuple[Jar, ...]) -> None:
    shape = {jar.file_name: _trace(folder / jar.file_name) for jar in listed}
    partial = folder / f"{_MARKER}.part"
    partial.write_text(json.dumps(shape, indent=0), encoding="utf-8")
    partial.replace(folder / _MARKER)


def _vouched(folder: Path, listed: tuple[Jar, ...]) -> bool:
    with contextlib.suppress(OSError, ValueError):
        marked = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
        names = {name for name in os.listdir(folder) if name.endswith(".jar")}
        expected = {jar.file_name for jar in listed}
        return names == expected == set(marked) and all(_trace(folder / name) == marked[name] for name in names)
    return False


def _trace(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def _check_space(cache: Path, needed: int) -> None:
    free = shutil.disk_usage(cache).free
    if free < needed + _SPARE_BYTES:
        raise DiskFull(
            f"{cache} has {free // 1_000_000} MB free, and Neo4j needs {(needed + _SPARE_BYTES) // 1_000_000} MB there "
            "once; free some space, or move MEMGRAPH_CACHE_DIR to another disk."
        )
