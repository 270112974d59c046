"""Rank passages by the words they share with a query.

In: the terms of a query, and the passages that the index found. Out: a score for each, and its words. Pure.

BM25 over the candidates of one scope. The index's own score would do, but its word counts run over every tenant, and
over deleted text until the index merges: the order of one namespace would change with writes in another, and the same
request on the same memory would not give the same answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memgraph_svc.assemble.words import terms, words
from memgraph_svc.model.content import searchable

MOST_TERMS = 900
_K1, _B = 1.2, 0.75
_DIGITS = 6
_FLOOR = 10**-_DIGITS  # the index saw a word that we cut differently: a hit, behind all others
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Score:
    """A score, comparable within one answer only, and the terms that made it."""

    value: float
    matched: tuple[str, ...]


def query_terms(text: str) -> dict[str, str]:
    """The first terms of a query, each with the word as it was written; as many as the search itself takes."""
    found: dict[str, str] = {}
    for word, term in words(searchable(text)):
        if len(found) == MOST_TERMS:
            break
        found.setdefault(term, word)
    return found


def rank(wanted: Sequence[str], passages: Sequence[str]) -> list[Score]:
    """The score of each passage; terms that few of the passages hold count more."""
    bags = [Counter(terms(passage)) for passage in passages]
    if not bags:
        return []
    lengths = [max(1, bag.total()) for bag in bags]
    usual = sum(lengths) / len(lengths)
    weights: dict[str, float] = {}
    for term in wanted:
        held = sum(1 for bag in bags if term in bag)
        weights[term] = math.log(1 + (len(bags) - held + 0.5) / (held + 0.5))
    made: list[Score] = []
    for bag, length in zip(bags, lengths, strict=True):
        matched = tuple(term for term in wanted if term in bag)
        damping = _K1 * (1 - _B + _B * length / usual)
        value = math.fsum(weights[term] * bag[term] * (_K1 + 1) / (bag[term] + damping) for term in matched)
        made.append(Score(max(_FLOOR, round(value, _DIGITS)), matched))
    return made


def reason(score: Score | None, written: dict[str, str], *, near: bool = False) -> str:
    """Why a memory was found, in a sentence; it names only words of the query. ``near``: its meaning found it too."""
    if score is None:
        return "Close in meaning to the query."
    return _words(score, written).removesuffix(".") + (", and close in meaning." if near else ".")


def _words(score: Score, written: dict[str, str]) -> str:
    named = [written[term] for term in score.matched]
    if not named:
        return "Matches words of the query."
    shown = ", ".join(f'"{word}"' for word in named[:_MOST_NAMED])
    more = len(named) - _MOST_NAMED
    return f"Matches {shown}" + (f" and {more} more words of the query." if more > 0 else ".")
