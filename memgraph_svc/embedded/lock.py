"""The list of everything the embedded server consists of, with the hash of each file.

In: ``neo4j.lock.toml`` beside this module. Out: its entries. ``python -m memgraph_svc.embedded.lock FOLDER`` makes the
list anew from an environment that jgo built for ``ENDPOINT``; that is how a release moves to another server version.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

SERVER = "2026.08.1"
ENDPOINT = f"org.neo4j.app:neo4j-server:{SERVER}+org.neo4j:neo4j:{SERVER}+org.neo4j.client:neo4j-browser:5.24.0"
_FILE = "neo4j.lock.toml"


@dataclass(frozen=True, slots=True)
class Jar:
    """One file of the server."""

    group: str
    artifact: str
    version: str
    sha256: str
    size: int
    classifier: str = ""

    @property
    def file_name(self) -> str:
        """The name under which it lies in the cache."""
        tail = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{tail}.jar"


@cache
def jars() -> tuple[Jar, ...]:
    """Every file of the server, in the order of the lock."""
    raw = tomllib.loads((files("memgraph_svc.embedded") / _FILE).read_text(encoding="utf-8"))
    return tuple(Jar(**each) for each in raw["jars"])


def release(listed: tuple[Jar, ...]) -> str:
    """A folder name that changes whenever any file of the list does, so that two releases never share a folder."""
    summed = hashlib.sha256("".join(sorted(each.sha256 for each in listed)).encode()).hexdigest()
    return f"neo4j-{SERVER}-{summed[:8]}"


def convert(environment: Path) -> str:
    """Our lock from a folder that jgo built: its own lock gives the hashes, the files give the sizes.

    Raises ``ValueError`` when a file is not the one its lock names.
    """
    lines = [f"# Made by 'python -m memgraph_svc.embedded.lock' from {ENDPOINT.replace('+', ' + ')}", ""]
    for each in tomllib.loads((environment / "jgo.lock.toml").read_text(encoding="utf-8"))["dependencies"]:
        made = Jar(each["groupId"], each["artifactId"], each["version"], each["sha256"], 0, each.get("classifier", ""))
        (found,) = environment.glob(f"*/{made.file_name}")
        if hashlib.sha256(found.read_bytes()).hexdigest() != made.sha256:
            raise ValueError(f"{found} is not the file its lock names")
        named = {"group": made.group, "artifact": made.artifact, "version": made.version}
        if made.classifier:
            named["classifier"] = made.classifier
        named["sha256"] = made.sha256
        lines += ["[[jars]]", *(f'{key} = "{value}"' for key, value in named.items())]
        lines += [f"size = {found.stat().st_size}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    Path(str(files("memgraph_svc.embedded") / _FILE)).write_text(convert(Path(sys.argv[1])), encoding="utf-8")
