"""Put what words found and what meaning found into one order.

In: the scores of both arms. Out: one score for each memory, best first. Pure. What counts as a match in meaning is decided
by the embedder's floor.

The score of a memory is that of its words, plus a share of the best word score of the answer for its closeness:

    words + WEIGHT * best * closeness        closeness = (cosine - floor) / (1 - floor), between 0 and 1

Hence a memory found by words keeps its score when an embedder is added, and can be passed only by one whose word score is
less than ``WEIGHT`` of the best behind its own; one found by meaning alone never comes before the best one found by words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WEIGHT = 0.2
_DIGITS = 6
_LEAST = 10**-_DIGITS  # words that the index cut differently: a hit that says nothing of how good it is


@dataclass(frozen=True, slots=True)
class Fused:
    """The score of a memory, and its rank in each arm that found it."""

    id: str
    score: float
    word_rank: int | None = None
    near_rank: int | None = None


def closeness(cosine: float, floor: float) -> float:
    """How far above the floor two vectors are, from 0 to 1."""
    return min(1.0, max(0.0, (cosine - floor) / (1 - floor)))


def fuse(words: Mapping[str, float], near: Mapping[str, float], floor: float = 0.0) -> list[Fused]:
    """Every memory that an arm found, best first, ties by id; cosines below the floor are no match."""
    near = {name: cosine for name, cosine in near.items() if cosine >= floor}
    word_ranks, near_ranks = _ranks(words), _ranks(near)
    best = max(words.values(), default=0.0)
    share = WEIGHT * (best if best > _LEAST else 1.0)  # where words say nothing, closeness stands by itself
    made: list[Fused] = []
    for name in {**words, **near}:
        value = words.get(name, 0.0) + (share * closeness(near[name], floor) if name in near else 0.0)
        made.append(Fused(name, max(_LEAST, round(value, _DIGITS)), word_ranks.get(name), near_ranks.get(name)))
    return sorted(made, key=lambda each: (-each.score, each.id))


def _ranks(scores: Mapping[str, float]) -> dict[str, int]:
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return {name: at + 1 for at, name in enumerate(order)}
