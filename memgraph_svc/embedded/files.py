"""Write small files that a kill cannot leave half-written and that only their owner reads.

In: a path and its text. Out: the file, whole, or as it was before.
"""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step; its mode is 0600 from the first byte on."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as target:
        target.write(text)
        target.flush()
        os.fsync(target.fileno())  # a password that is set must be on the disk, or nobody knows it after a power cut
    beside.replace(path)
