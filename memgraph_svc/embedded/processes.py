"""One child process of a stack: how it is started, logged, started again and ended.

In: a ``Child``, which is plain data. Out: a process with its log. When it is started again is decided in
``supervisor.py``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from memgraph_svc.embedded.state import Mark

_KEPT = 3
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _STEADY_S = 0.5, 30.0, 60.0


@dataclass(frozen=True, slots=True)
class Child:
    """A program that belongs to the stack."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    drain_s: float


class Pauses:
    """How long to wait before the next start: doubling, and short again after a minute of steady running."""

    def __init__(self) -> None:
        self._next = _FIRST_PAUSE_S
        self._started = time.monotonic()

    def started(self) -> None:
        """Note that the process was started."""
        self._started = time.monotonic()

    def take(self) -> float:
        """The pause that is due now."""
        if time.monotonic() - self._started > _STEADY_S:
            self._next = _FIRST_PAUSE_S
        due, self._next = self._next, min(_LONGEST_PAUSE_S, self._next * 2)
        return due


class Running:
    """A child with its process."""

    def __init__(self, child: Child, log_dir: Path) -> None:
        self.child = child
        self.log_file = log_dir / f"{child.name}.log"
        self.pauses = Pauses()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; what it prints is added to its log."""
        with self.log_file.open("ab") as output:
            # Its own session: Ctrl-C in a terminal reaches the supervisor alone, which ends all in good order.
            self._process = subprocess.Popen(  # noqa: S603  the command is ours
                self.child.command,
                env=dict(self.child.env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.pauses.started()

    @property
    def mark(self) -> Mark | None:
        """The process that runs now, or None."""
        if self._process is None or self._process.poll() is not None:
            return None
        try:
            return Mark.of(self._process.pid)
        except psutil.Error:
            return None

    def ended(self) -> str:
        """How it ended, in words; empty while it runs."""
        code = None if self._process is None else self._process.poll()
        if code is None:
            return ""
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def stop(self) -> None:
        """Let it finish what it does, then end it."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(self.child.drain_s)
        self.kill()

    def kill(self) -> None:
        """End it at once, with everything it started: a killed master leaves workers that hold the port."""
        if self._process is not None:
            kill_group(self._process.pid)
            self._process.wait()


def kill_group(pid: int) -> None:
    """End a child that leads its own session, and all that belongs to it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def rotate(log_file: Path) -> None:
    """Move a log aside; the last three are kept."""
    for number in range(_KEPT, 0, -1):
        older = log_file.with_name(f"{log_file.name}.{number}")
        newer = log_file.with_name(f"{log_file.name}.{number - 1}") if number > 1 else log_file
        if newer.exists():
            newer.replace(older)


def tail(log_file: Path, lines: int = 20) -> str:
    """The last lines of a log; empty when there is none."""
    try:
        return "\n".join(log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
