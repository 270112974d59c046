"""The server's files come through jgo from a Maven repository, over a network that misbehaves.

The repository here is a small one of our own; jgo is pointed to it by its own configuration file, as a user would.
"""

from __future__ import annotations

import gc
import hashlib
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memgraph_svc.embedded import artifacts
from memgraph_svc.embedded.lock import SERVER, Jar
from memgraph_svc.errors.start import DownloadFailed

# jgo leaves the connection of a transfer that was cut off to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
CONTENT = {name: name.encode() * 50_000 for name in ("one", "two", "three")}
JARS = tuple(Jar("org.x", name, "1", hashlib.sha256(data).hexdigest(), len(data)) for name, data in CONTENT.items())

# The same list in another process, which can be killed.
FETCH = f"""
import hashlib, sys
from pathlib import Path
from memgraph_svc.embedded import artifacts
from memgraph_svc.embedded.lock import Jar
listed = tuple(
    Jar("org.x", name, "1", hashlib.sha256(name.encode() * 50_000).hexdigest(), 0) for name in {tuple(CONTENT)!r}
)
artifacts.jars = lambda: listed
artifacts.ensure(Path(sys.argv[1]))
"""


@dataclass
class Repository:
    """A Maven repository, how it misbehaves, and what was asked of it."""

    url: str = ""
    asked: Counter[str] = field(default_factory=Counter)
    sent: dict[str, bytes] = field(default_factory=lambda: dict(CONTENT))
    cut_off: set[str] = field(default_factory=set)
    stalled: set[str] = field(default_factory=set)
    let_go: threading.Event = field(default_factory=threading.Event)


def handler(kept: Repository) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.split("/")[-3]
            if self.path != f"/org/x/{name}/1/{name}-1.jar" or name not in kept.sent:
                self.send_error(404)
                return
            kept.asked[name] += 1
            body = kept.sent[name]
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if name in kept.stalled:
                self.wfile.write(body[:1_000])
                kept.let_go.wait(30)
            elif name in kept.cut_off:
                kept.cut_off.discard(name)
                self.wfile.write(body[:1_000])
            else:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  named so by the base class
            pass

    return Handler


def configure(folder: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "jgo.conf"
    file.write_text(f"[repositories]\ncentral = {url}\n", encoding="utf-8")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(file))
    monkeypatch.setenv("M2_REPO", str(folder / "m2"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    kept = Repository()
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(kept)) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        kept.url = f"http://127.0.0.1:{http.server_address[1]}"
        configure(tmp_path, kept.url, monkeypatch)
        monkeypatch.setattr(artifacts, "jars", lambda: JARS)
        monkeypatch.setattr(artifacts, "_PAUSES_S", (0.01, 0.01))
        yield kept
        kept.let_go.set()
        http.shutdown()
        thread.join()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()  # what jgo left is collected here, not in the middle of some other test


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def names(cache: Path) -> set[str]:
    return {path.name for path in (cache / f"neo4j-{SERVER}" / "jars").iterdir()}


def test_every_file_arrives_whole(repository: Repository, cache: Path) -> None:
    folder = artifacts.ensure(cache)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        f"{name}-1.jar": data for name, data in CONTENT.items()
    }
    assert repository.asked == Counter(CONTENT.keys()), "and nothing else was asked for"


def test_a_transfer_that_is_cut_off_is_tried_again(repository: Repository, cache: Path) -> None:
    repository.cut_off = {"one", "three"}
    folder = artifacts.ensure(cache)
    assert (folder / "one-1.jar").read_bytes() == CONTENT["one"]
    assert repository.asked == Counter({"one": 2, "two": 1, "three": 2})


def test_a_file_that_is_not_the_right_one_never_gets_its_name(repository: Repository, cache: Path) -> None:
    repository.sent["two"] = b"something else"
    with pytest.raises(DownloadFailed, match=r"two-1\.jar is not the file it should be"):
        artifacts.ensure(cache)
    assert "two-1.jar" not in names(cache)


def test_a_file_that_no_repository_has_is_named(repository: Repository, cache: Path) -> None:
    del repository.sent["two"]
    with pytest.raises(DownloadFailed, match=r"Cannot fetch two-1\.jar: no repository has it"):
        artifacts.ensure(cache)


def test_a_second_try_goes_on_where_the_first_stopped(repository: Repository, cache: Path) -> None:
    del repository.sent["three"]
    with pytest.raises(DownloadFailed):
        artifacts.ensure(cache)
    there = {name.removesuffix("-1.jar") for name in names(cache)}
    repository.sent["three"] = CONTENT["three"]
    repository.asked.clear()
    artifacts.ensure(cache)
    assert set(repository.asked) == set(CONTENT) - there


def test_without_a_network_the_message_says_what_to_do_and_hides_the_address(
    repository: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        configure(tmp_path, f"http://user:hidden@127.0.0.1:{closed.getsockname()[1]}", monkeypatch)
        with pytest.raises(DownloadFailed, match="Check the network") as refused:
            artifacts.ensure(cache)
    assert "hidden" not in refused.value.message
    assert names(cache) == set()


def test_a_killed_fetch_leaves_no_half_file_and_the_next_one_finishes(repository: Repository, cache: Path) -> None:
    repository.stalled = {"two"}
    process = subprocess.Popen([sys.executable, "-c", FETCH, str(cache)], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while (len(names(cache)) if cache.exists() else 0) < 2 or not repository.asked["two"]:
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < end
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert names(cache) == {"one-1.jar", "three-1.jar"}
    repository.let_go.set()
    repository.stalled.clear()
    repository.asked.clear()
    folder = artifacts.ensure(cache)
    assert (folder / "two-1.jar").read_bytes() == CONTENT["two"]
    assert repository.asked == Counter(["two"])
    assert list((cache / f"neo4j-{SERVER}").glob("fetch-*")) == []


def test_two_processes_at_once_fetch_each_file_once(repository: Repository, cache: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", FETCH, str(cache)], stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=60)[1].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    assert repository.asked == Counter(CONTENT.keys())


def test_off_a_terminal_progress_is_a_few_plain_lines(repository: Repository, cache: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FETCH, str(cache)], capture_output=True, text=True, check=True)
    assert ran.stdout == ""
    assert 2 <= len(ran.stderr.splitlines()) <= 6
    assert "\x1b" not in ran.stderr
    assert ran.stderr.splitlines()[-1].strip() == "3/3 files"
