"""The block in which the text of a memory stands inside a prompt.

In: a note and the text to show of it. Out: ``<MEMORY[slug] provenance="…" confidence="…">``, the defused text, and the
closing tag. How much text is shown is decided by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from memgraph_svc.assemble import defuse
from memgraph_svc.assemble.note import Note

_HANDLE_CHARS = 128
_PROVENANCE_CHARS = 200


def wrap(note: Note | Mapping[str, Any], body: str) -> str:
    """Wrap a text as memory, so that a model can tell where it starts, where it ends and whose word it is.

    Whatever the text holds, exactly one closing tag stands in the result, as its last line.
    """
    shown = Note.of(note)
    handle = defuse.name(shown.handle, _HANDLE_CHARS) or "note"
    marks = [
        f'provenance="{defuse.attribute(shown.provenance, _PROVENANCE_CHARS) or "unknown"}"',
        f'confidence="{_number(shown.confidence)}"',
    ]
    if shown.status != "active":
        marks.append(f'status="{defuse.attribute(shown.status, _HANDLE_CHARS)}"')
    if shown.stale:
        marks.append('stale="true"')
    if len(body) < len(shown.body) and shown.body.startswith(body):
        marks.append('cut="true"')
    return f"<MEMORY[{handle}] {' '.join(marks)}>\n{defuse.body(body)}\n</MEMORY[{handle}]>"


def _number(confidence: float | None) -> str:
    """A confidence in at most four significant digits, the same on every machine."""
    return "unknown" if confidence is None or not math.isfinite(confidence) else f"{confidence:.4g}"
