"""What is written down about a running stack, so that another command can find it.

In: a data folder. Out: ``stack.json``, which names processes and ports, and ``stack-env.json``, which keeps the settings
the stack was started with, secrets among them. Both are readable by their owner only. Who starts and stops the
processes is decided in ``supervisor.py`` and ``stack.py``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

_STATE, _ENVIRONMENT = "stack.json", "stack-env.json"
_PREFIXES = ("MEMGRAPH_", "NEO4J_")
_SAME_S = 2.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A process by number and time of birth, since numbers are used again."""

    pid: int
    created: float

    @classmethod
    def of(cls, pid: int) -> Mark:
        """The mark of a process that runs now; raises ``psutil.NoSuchProcess``."""
        return cls(pid, psutil.Process(pid).create_time())

    def process(self) -> psutil.Process | None:
        """The process, or None when it has ended, even when another one has its number now."""
        try:
            found = psutil.Process(self.pid)
            same = abs(found.create_time() - self.created) < _SAME_S and found.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return None
        return found if same else None


@dataclass(frozen=True, slots=True)
class StackState:
    """One stack: who supervises it, what runs in it and where it listens."""

    supervisor: Mark
    host: str
    port: int
    bolt_uri: str
    embedded: bool
    bolt_port: int = 0
    browser_port: int = 0
    ready: bool = False
    children: dict[str, Mark] = field(default_factory=dict[str, Mark])

    @property
    def api_url(self) -> str:
        """Where a program on this machine reaches the API."""
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "[::]": "[::1]"}  # noqa: S104  compared, not bound
        host = everywhere.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{self.port}"

    @property
    def browser_url(self) -> str:
        """Where the embedded server serves Neo4j Browser; empty for a server of one's own."""
        return f"http://127.0.0.1:{self.browser_port}/browser/" if self.embedded else ""

    def running(self) -> bool:
        """Whether its supervisor is alive."""
        return self.supervisor.process() is not None


def read(data_dir: Path) -> StackState | None:
    """The last state that was written, whether or not it still runs; None after a clean stop."""
    try:
        raw = json.loads((data_dir / _STATE).read_text(encoding="utf-8"))
        raw["supervisor"] = Mark(**raw["supervisor"])
        raw["children"] = {name: Mark(**mark) for name, mark in raw["children"].items()}
        return StackState(**raw)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(data_dir: Path, state: StackState) -> None:
    """Replace the state in one step."""
    _write(data_dir / _STATE, asdict(state))


def keep_environment(data_dir: Path, environ: Mapping[str, str]) -> None:
    """Keep the settings of this start, so that a restart has them however it is called."""
    kept = {name: value for name, value in environ.items() if name.startswith(_PREFIXES)}
    if kept.get("MEMGRAPH_CONFIG"):
        kept["MEMGRAPH_CONFIG"] = str(Path(kept["MEMGRAPH_CONFIG"]).absolute())  # the restart may come from elsewhere
    _write(data_dir / _ENVIRONMENT, kept)


def start_environment(data_dir: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` with the settings of the last start in place of its own."""
    rest = {name: value for name, value in environ.items() if not name.startswith(_PREFIXES)}
    try:
        return {**rest, **json.loads((data_dir / _ENVIRONMENT).read_text(encoding="utf-8"))}
    except (OSError, ValueError):
        return dict(environ)


def forget(data_dir: Path) -> None:
    """Remove both files after a clean stop."""
    for name in (_STATE, _ENVIRONMENT):
        (data_dir / name).unlink(missing_ok=True)


def _write(path: Path, shape: dict[str, Any]) -> None:
    # Written beside and moved: a reader never sees half a file, and the mode is right from the first byte on.
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as target:
        json.dump(shape, target, indent=2)
    beside.replace(path)
