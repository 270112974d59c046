"""The folder of the server's files holds exactly the right ones, and a start does not read them all again."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from memgraph_svc.embedded import artifacts
from memgraph_svc.embedded.lock import SERVER, Jar
from memgraph_svc.errors.start import DiskFull, DownloadFailed

CONTENT = {"a": b"first", "b": b"second"}
JARS = tuple(Jar("g", name, "1", hashlib.sha256(data).hexdigest(), len(data)) for name, data in CONTENT.items())


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was fetched; every file is at hand."""
    seen: list[str] = []

    def fetch(staging: Path, folder: Path, jar: Jar, advance, done) -> None:
        seen.append(jar.artifact)
        (folder / jar.file_name).write_bytes(CONTENT[jar.artifact])
        done()

    monkeypatch.setattr(artifacts, "jars", lambda: JARS)
    monkeypatch.setattr(artifacts, "_fetch", fetch)
    return seen


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files were read to prove them."""
    seen: list[str] = []
    really = artifacts.digest

    def counting(path: Path) -> str:
        seen.append(path.name)
        return really(path)

    monkeypatch.setattr(artifacts, "digest", counting)
    return seen


def test_files_are_fetched_once(fetched: list[str], tmp_path: Path) -> None:
    folder = artifacts.ensure(tmp_path)
    assert artifacts.ensure(tmp_path) == folder
    assert sorted(fetched) == ["a", "b"]
    assert sorted(path.name for path in folder.iterdir()) == ["a-1.jar", "b-1.jar"]


def test_a_later_start_reads_no_file_again(fetched: list[str], hashed: list[str], tmp_path: Path) -> None:
    artifacts.ensure(tmp_path)
    hashed.clear()
    artifacts.ensure(tmp_path)
    assert hashed == []


def test_a_lost_list_of_proofs_costs_one_reading(fetched: list[str], hashed: list[str], tmp_path: Path) -> None:
    artifacts.ensure(tmp_path)
    (tmp_path / f"neo4j-{SERVER}" / "verified").unlink()
    hashed.clear()
    artifacts.ensure(tmp_path)
    artifacts.ensure(tmp_path)
    assert sorted(hashed) == ["a-1.jar", "b-1.jar"]
    assert len(fetched) == 2


def test_a_changed_file_is_fetched_again(fetched: list[str], tmp_path: Path) -> None:
    folder = artifacts.ensure(tmp_path)
    (folder / "a-1.jar").write_bytes(b"tampered with")
    artifacts.ensure(tmp_path)
    assert fetched.count("a") == 2
    assert (folder / "a-1.jar").read_bytes() == CONTENT["a"]


def test_a_change_that_hides_is_found_when_all_are_read(fetched: list[str], tmp_path: Path) -> None:
    folder = artifacts.ensure(tmp_path)
    before = (folder / "a-1.jar").stat()
    (folder / "a-1.jar").write_bytes(b"fIrst")
    os.utime(folder / "a-1.jar", ns=(before.st_atime_ns, before.st_mtime_ns))
    artifacts.ensure(tmp_path)
    assert fetched.count("a") == 1
    artifacts.ensure(tmp_path, check_all=True)
    assert (folder / "a-1.jar").read_bytes() == CONTENT["a"]


def test_a_jar_that_is_not_listed_leaves_the_class_path(fetched: list[str], tmp_path: Path) -> None:
    folder = artifacts.ensure(tmp_path)
    (folder / "stranger-1.jar").write_bytes(b"")
    artifacts.ensure(tmp_path)
    assert not (folder / "stranger-1.jar").exists()


def test_what_a_killed_fetch_left_is_removed(fetched: list[str], tmp_path: Path) -> None:
    left = tmp_path / f"neo4j-{SERVER}" / "fetch-killed"
    left.mkdir(parents=True)
    (left / "a-1.jar").write_bytes(b"fi")
    artifacts.ensure(tmp_path)
    assert not left.exists()


def test_a_full_disk_is_said_before_anything_is_fetched(
    fetched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    with pytest.raises(DiskFull, match=r"needs 600 MB .*MEMGRAPH_CACHE_DIR"):
        artifacts.ensure(tmp_path)
    assert fetched == []


def test_a_disk_that_fills_up_meanwhile_is_said(
    fetched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(artifacts, "_fetch", full)
    with pytest.raises(DiskFull, match="filled up"):
        artifacts.ensure(tmp_path)


def test_a_cache_that_cannot_be_written_is_said(fetched: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DownloadFailed, match=r"cannot be written: Not a directory. Set MEMGRAPH_CACHE_DIR"):
        artifacts.ensure(tmp_path / "file")
