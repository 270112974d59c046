"""Made-up conversations, the same in every run.

In: a number. Out: episodes and questions. Words follow the frequencies of natural language (Zipf), so that an index meets
common and rare words in the usual proportion.
"""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import Any

_SYLLABLES = [head + tail for head in "bdfgklmnprstvz" for tail in ("a", "e", "i", "o", "u", "an", "or", "el")]
_VOCABULARY = 4_000
_COMMON = 40  # the most frequent words, which questions leave out as people leave out "the"
_ACTOR = {"id": "mara", "kind": "user"}
Shape = dict[str, Any]


@cache
def vocabulary() -> list[str]:
    """Words, the most frequent first."""
    dice = random.Random(11)
    made = dict.fromkeys("".join(dice.choices(_SYLLABLES, k=dice.choice((2, 2, 3)))) for _ in range(_VOCABULARY * 2))
    return list(made)[:_VOCABULARY]


@cache
def _weights() -> list[float]:
    return list(itertools.accumulate(1 / (place + 3) for place in range(_VOCABULARY)))


def text(number: int) -> str:
    """A turn of a conversation: one to three sentences, about 35 words."""
    dice = random.Random(number)
    words = dice.choices(vocabulary(), cum_weights=_weights(), k=dice.randint(20, 50))
    return " ".join(words).capitalize() + "."


def question(number: int) -> str:
    """Six words of which at least one episode in some hundreds holds each."""
    dice = random.Random(-1 - number)
    return " ".join(dice.sample(vocabulary()[_COMMON : _COMMON + 400], 6)) + "?"


def episode(number: int, key: str) -> Shape:
    """One episode of an ingest request, with a dedupe key as real clients send one."""
    return {
        "contentType": "text/plain",
        "content": text(number),
        "dedupeKey": f"{key}-{number}",
        "createdBy": _ACTOR,
        "metadata": {"occurredAt": "2026-05-08T16:00:00Z", "speaker": "Mara"},
    }


def ingest_body(scope: Shape, numbers: range, key: str, consistency: str = "accepted") -> Shape:
    """A whole ingest request; ``indexed`` where queries follow, since no worker runs here that would attach vectors."""
    return {"scope": scope, "episodes": [episode(number, key) for number in numbers], "consistency": consistency}


def note_body(scope: Shape, number: int) -> Shape:
    """A whole remember request; every tenth note is pinned."""
    return {
        "scope": scope,
        "body": text(number),
        "title": f"Note {number} of {vocabulary()[number % 60]}",
        "slug": f"note-{number}",
        "topics": [vocabulary()[number % 7]],
        "pinned": number % 10 == 0,
        "createdBy": _ACTOR,
    }
