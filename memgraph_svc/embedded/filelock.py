"""A lock that one process holds on a file, and that the system gives back however the process ends.

In: a path. Out: held or refused. On POSIX the open file can be handed to a child process, which then keeps the lock for
as long as it lives, even when its parent is killed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE_S = 0.2


class FileLock:
    """Exclusive use of whatever the file stands for; not re-entrant."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds it."""
        return self._fd is not None

    @property
    def inheritable(self) -> tuple[int, ...]:
        """What to pass as ``pass_fds`` so that a child keeps the lock; empty where children cannot."""
        return () if self._fd is None or sys.platform == "win32" else (self._fd,)

    def try_acquire(self) -> bool:
        """Take it if nobody has it; whether it is ours now."""
        if self._fd is not None:
            return True
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(fd)
        except OSError:
            os.close(fd)
            return False
        self._fd = fd
        return True

    def release(self) -> None:
        """Give it back; a child that inherited it goes on holding it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


@contextmanager
def waiting(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock, waiting for another process to give it back; raises ``TimeoutError``."""
    lock, deadline = FileLock(path), time.monotonic() + timeout_s
    while not lock.try_acquire():
        if time.monotonic() > deadline:
            raise TimeoutError(path)
        time.sleep(_PAUSE_S)
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(fd: int) -> None:
        # flock, not lockf: it belongs to the open file, so a child that inherits the file inherits the lock.
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
