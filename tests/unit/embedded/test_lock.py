"""The list of the server's files is complete, exact and made from what jgo resolved."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from memgraph_svc.embedded import lock


def test_every_file_has_a_hash_and_a_size() -> None:
    assert len(lock.jars()) > 200
    assert [jar.file_name for jar in lock.jars() if not re.fullmatch("[0-9a-f]{64}", jar.sha256) or jar.size <= 0] == []


def test_no_two_files_have_one_name() -> None:
    names = [jar.file_name for jar in lock.jars()]
    assert len(names) == len(set(names)), "they share a folder"


def test_every_version_is_exact() -> None:
    loose = re.compile(r"SNAPSHOT|LATEST|RELEASE|MANAGED|[\[\](),]")
    assert [jar.file_name for jar in lock.jars() if loose.search(jar.version)] == []


def test_the_list_holds_what_the_endpoint_asks_for() -> None:
    listed = {(jar.group, jar.artifact, jar.version) for jar in lock.jars()}
    assert {tuple(each.split(":")) for each in lock.ENDPOINT.split("+")} <= listed


def test_a_classifier_is_part_of_the_name() -> None:
    assert lock.Jar("g", "a", "1", "", 1, "linux").file_name == "a-1-linux.jar"
    assert lock.Jar("g", "a", "1", "", 1).file_name == "a-1.jar"


def environment(folder: Path, content: bytes, named: bytes) -> Path:
    """A folder as jgo builds it, with one file."""
    (folder / "modules").mkdir()
    (folder / "modules" / "a-1-x.jar").write_bytes(content)
    (folder / "jgo.lock.toml").write_text(
        '[[dependencies]]\ngroupId = "g"\nartifactId = "a"\nversion = "1"\nclassifier = "x"\npackaging = "jar"\n'
        f'sha256 = "{hashlib.sha256(named).hexdigest()}"\n',
        encoding="utf-8",
    )
    return folder


def test_the_list_is_made_from_what_jgo_built(tmp_path: Path) -> None:
    made = lock.convert(environment(tmp_path, b"content", b"content"))
    assert made.splitlines()[2:] == [
        "[[jars]]",
        'group = "g"',
        'artifact = "a"',
        'version = "1"',
        'classifier = "x"',
        f'sha256 = "{hashlib.sha256(b"content").hexdigest()}"',
        "size = 7",
    ]


def test_a_file_that_differs_from_its_lock_is_not_listed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a-1-x\.jar is not the file"):
        lock.convert(environment(tmp_path, b"tampered", b"content"))
