"""The order of a context's memories.

In: scores, times and confidences. Out: positions, best first; ties by id. Preferences bend the scores relative to the
other candidates, never to the clock, so the same request on the same memory keeps its order for ever. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memgraph_svc.assemble.stored import Times

_FLOOR = 0.5  # the oldest, or least certain, candidate keeps half of its score


@dataclass(frozen=True, slots=True)
class Worth:
    """What the order of one memory depends on; a memory without a confidence was stated as it is."""

    score: float
    id: str
    times: Times | None = None
    confidence: float | None = None


def order(candidates: Sequence[Worth], *, recency: bool, confidence: bool) -> list[int]:
    """The positions of the candidates in their new order."""
    when = [each.times and (each.times.occurred_at or each.times.created_at) for each in candidates]
    ages = {moment: at for at, moment in enumerate(sorted(moment for moment in set(when) if moment is not None))}
    newest = max(1, len(ages) - 1)

    def worth(at: int) -> float:
        value = candidates[at].score
        moment = when[at]
        if recency and moment is not None:
            value *= _FLOOR + (1 - _FLOOR) * ages[moment] / newest
        if confidence:
            sure = candidates[at].confidence
            value *= _FLOOR + (1 - _FLOOR) * (1.0 if sure is None else sure)
        return value

    return sorted(range(len(candidates)), key=lambda at: (-worth(at), candidates[at].id))
