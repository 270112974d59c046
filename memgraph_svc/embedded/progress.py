"""Show how the download goes: a bar on a terminal, a few plain lines anywhere else.

In: sizes and counts. Out: text on standard error. What is downloaded is decided by ``jars``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

_LINE_EVERY_S = 10.0
_MEGA = 1_000_000


class Shown:
    """Counts bytes and files, from any thread."""

    def __init__(self, console: Console, total_bytes: int, total_files: int) -> None:
        self._console = console
        self._total_bytes, self._total_files = total_bytes, total_files
        self._bytes = self._files = 0
        self._lock = threading.Lock()
        self._last_line = time.monotonic()
        self._bar = _bar(console) if console.is_terminal else None
        self._task = self._bar.add_task("Neo4j", total=total_bytes, files="") if self._bar else None

    def advance(self, size: int) -> None:
        """So many more bytes are here."""
        with self._lock:
            self._bytes += size
            due = time.monotonic() - self._last_line > _LINE_EVERY_S
            if due:
                self._last_line = time.monotonic()
        self._draw(due=due)

    def file_done(self) -> None:
        """One more file is complete and checked."""
        with self._lock:
            self._files += 1
        self._draw(due=False)

    def start(self) -> None:
        """Begin to show."""
        if self._bar:
            self._bar.start()
        else:
            self._say(f"downloading Neo4j: {self._total_files} files, {self._total_bytes / _MEGA:.0f} MB, once")

    def stop(self) -> None:
        """Show no more."""
        if self._bar:
            self._bar.stop()
        elif self._files == self._total_files:
            self._say("downloaded Neo4j, every file checked")

    def _draw(self, *, due: bool) -> None:
        files = f"{self._files}/{self._total_files} files"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=min(self._bytes, self._total_bytes), files=files)
        elif due:
            self._say(f"downloading Neo4j: {files}, {self._bytes / _MEGA:.0f} of {self._total_bytes / _MEGA:.0f} MB")

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)


@contextmanager
def shown(console: Console | None, total_bytes: int, total_files: int) -> Iterator[Shown]:
    """Show the progress while the block runs; without a console, on standard error."""
    made = Shown(console or Console(stderr=True), total_bytes, total_files)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("downloading [bold]{task.description}[/bold], once"),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TextColumn("{task.fields[files]}"),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
