"""Mark as stale what lies deeper than a deletion followed.

In: the memories at which it stopped. Out: stale marks on everything derived from them, some steps at a time. Running it
again changes nothing further.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade import store
from memgraph_svc.cascade.tombstone import MARK_STALE, mark
from memgraph_svc.model.memory import Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.write.lanes import Lanes

__all__ = ["MARK_STALE", "mark_all"]


@dataclass(frozen=True, slots=True)
class MarkProposal:
    """Mark what the given memories led to, as far as one walk goes."""

    scope: Scope
    ids: Sequence[str]

    @property
    def weight(self) -> int:
        """Never shared: it reads for itself."""
        return 1

    def questions(self) -> Questions:
        """None that a group could answer."""
        return Questions(alone=True)

    def decide(self, view: View) -> dict[str, Any]:
        """How many were marked, and where the walk had to stop."""
        reached = store.reach(view.read, self.scope.key, self.ids, store.DEEPEST)
        marked = [each for each in reached if each.memory.status is not Status.TOMBSTONED and mark(view, each.memory)]
        return {"marked": len(marked), "edge": [each.memory.id for each in reached if each.depth == store.DEEPEST]}


def mark_all(
    lanes: Lanes, scope: Scope, start: Sequence[str], beat: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Mark everything derived from ``start``, however deep; how many were marked.

    Raises whatever ``beat`` raises when the work is to stop; what is marked stays marked.
    """
    total, seen, edge = 0, set[str](), list(start)
    while edge:
        seen.update(edge)
        outcome = lanes.submit(MarkProposal(scope, edge))
        total += outcome["marked"]
        beat({"marked": total})
        edge = [each for each in outcome["edge"] if each not in seen]
    return {"marked": total}
