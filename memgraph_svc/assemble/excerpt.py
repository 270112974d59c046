"""Take the part of a text that answers a question, within a size.

In: a text, the terms looked for, and the bytes there are. Out: where the excerpt begins and ends; it is always a piece
of the text as it stands. Cut at sentences, else at words, else between characters as a person counts them. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from memgraph_svc.assemble.words import words

_SENTENCE_END = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d]*|\n+|$"
)
_SPACE = re.compile(r"\s")
_JOINERS = "\u200d\u200c"
_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_FLAGS = range(0x1F1E6, 0x1F200)
_JAMO_TAILS = range(0x1160, 0x1200)


def excerpt(text: str, terms: Collection[str], most: int) -> tuple[int, int] | None:
    """The piece of at most ``most`` UTF-8 bytes around the sentence that holds most of the terms; None if none fits."""
    found = sentences(text)
    if not found:
        return None
    wanted = frozenset(terms)
    held = [len({term for _, term in words(text[start:end])} & wanted) for start, end in found]
    best = held.index(max(held))
    start, end = found[best]
    room = most - size(text[start:end])
    if room < 0:
        return _within_sentence(text, start, end, terms, most)
    # Only what a step adds is measured: a long text has many sentences.
    first = last = best
    while last + 1 < len(found) and (more := size(text[found[last][1] : found[last + 1][1]])) <= room:
        last, room = last + 1, room - more
    while first > 0 and (more := size(text[found[first - 1][0] : found[first][0]])) <= room:
        first, room = first - 1, room - more
    return found[first][0], found[last][1]


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, without the blanks around them."""
    made: list[tuple[int, int]] = []
    begin = 0
    for match in _SENTENCE_END.finditer(text):
        piece = text[begin : match.end()]
        start, end = begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        if start < end:
            made.append((start, end))
        begin = match.end()
    return made


def size(text: str) -> int:
    """The size of a text in UTF-8."""
    return len(text.encode())


def _within_sentence(text: str, start: int, end: int, terms: Collection[str], most: int) -> tuple[int, int] | None:
    at = _first_match(text, start, end, terms)
    if size(text[start:at]) > most // 2:
        # Begin a little before the word that was found, where a word begins.
        near = max(start, at - most // 8)
        blank = _SPACE.search(text, near, at)
        start = blank.end() if blank else at
    while start < end and (text[start].isspace() or joined(text, start)):
        start += 1
    stop = _cut(text, start, end, most)
    return (start, stop) if stop > start else None


def _first_match(text: str, start: int, end: int, terms: Collection[str]) -> int:
    piece, place = text[start:end], 0
    for word, term in words(piece):
        place = piece.index(word, place)
        if term in terms:
            return start + place
    return start


def _cut(text: str, start: int, end: int, most: int) -> int:
    stop = min(end, start + len(text[start : min(end, start + most)].encode()[:most].decode(errors="ignore")))
    if stop >= end:
        return end
    if not text[stop].isspace():
        # A blank in the second half; without one the script has none, or the word is longer than the room.
        middle = start + (stop - start) // 2
        blanks = [match.start() for match in _SPACE.finditer(text, middle, stop)]
        if blanks:
            stop = blanks[-1]
    while stop > start and joined(text, stop):
        stop -= 1
    return start + len(text[start:stop].rstrip())


def joined(text: str, at: int) -> bool:
    """Whether a cut before ``at`` would split what a person takes for one character."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    code = ord(after)
    if before in _JOINERS or after in _JOINERS or unicodedata.category(after)[0] == "M":
        return True
    if code in _TONES or code in _TAGS or code in _JAMO_TAILS or (before, after) == ("\r", "\n"):
        return True
    return code in _FLAGS and _flags_before(text, at) % 2 == 1


def _flags_before(text: str, at: int) -> int:
    # Two regional letters make one flag: an odd number before the cut means that it would split a pair.
    begin = at
    while begin > 0 and ord(text[begin - 1]) in _FLAGS:
        begin -= 1
    return at - begin
