"""Cut content into passages, the unit of search.

In: a content. Out: texts of bounded length in NFC, each with its place in the readable text. Pure. How passages are found
is decided by the reading side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memgraph_svc.model.content import has_text, other_words, readable, searchable

LENGTH = 1_000
OVERLAP = 120
_SHORTEST_SHARE = 0.5
_SHORT_EXTRA = 300
_RUN = re.compile(r"[\w.:']+")
_JOINT = re.compile(r"[.:'_]+")
# Where a text may be cut, best first: a paragraph, a sentence of any script, a line, a word.
_BREAKS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？।؟]"),
    re.compile(r"\n|[;；،,、]\s*"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One searchable text and the part of the readable text it covers, in characters; -1 when it covers none."""

    position: int
    text: str
    start: int = -1
    end: int = -1


def cut(content: Any, heading: str = "") -> list[Passage]:
    """The passages of a content; a short one has one, an empty one none.

    A heading, such as a note's title, stands before each passage, so that each can be found by it.
    """
    text, extra = readable(content), other_words(content)
    made: list[Passage] = []
    prose = has_text(content)
    tail = extra if prose and len(extra) <= _SHORT_EXTRA else ""
    for start, end in spans(text) if prose else ():
        body = "\n".join(part for part in (heading, text[start:end], tail) if part)
        made.append(Passage(len(made), _searchable(body), start, end))
    if extra and not (tail and made):
        for start, end in spans(extra):
            made.append(Passage(len(made), _searchable(extra[start:end])))
    if heading and not made:
        made.append(Passage(0, _searchable(heading)))
    return made


def spans(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of about 1,000 characters into which a text is cut; neighbours overlap by up to 120."""
    start = 0
    while start < len(text):
        end = len(text) if len(text) - start <= LENGTH else _break(text, start, start + LENGTH)
        if text[start:end].strip():
            yield start, end
        if end >= len(text):
            return
        start = _overlap(text, start, end)


def _break(text: str, start: int, limit: int) -> int:
    floor = start + int(LENGTH * _SHORTEST_SHARE)
    for pattern in _BREAKS:
        last = -1
        for match in pattern.finditer(text, floor, limit):
            last = match.end()
        if last > floor:
            return last
    return limit


def _overlap(text: str, start: int, end: int) -> int:
    # Begin at a sentence or word near the end, so that a thought cut in two is whole in one of them.
    window = max(start + 1, end - OVERLAP)
    for pattern in (_BREAKS[1], _BREAKS[3]):
        match = pattern.search(text, window, end)
        if match is not None and match.end() < end:
            return match.end()
    return end


def _searchable(text: str) -> str:
    """The text as it is compared, followed by the parts of its joined words.

    The analyzer keeps ``main.py``, ``l'avion`` and ``get_user`` whole, and a person looks for ``main``, ``avion`` and
    ``user``.
    """
    plain = searchable(text)
    parts = dict.fromkeys(
        part
        for run in _RUN.findall(plain)
        if _JOINT.search(run.strip(".:'"))  # the stop behind a word joins nothing
        for part in _JOINT.split(run)
        if len(part) > 1 and not part.isdigit()
    )
    return "\n".join((plain, " ".join(parts))) if parts else plain
