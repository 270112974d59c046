"""Attach the vectors that were put off.

In: a namespace. Out: vectors on all its passages that waited, some hundred at a time, each batch in a transaction of its
own. Running it again goes on where it stopped. Which model makes them is decided in ``embed/``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from memgraph_svc.derive import store
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.write.lanes import Lanes

BATCH = 200
Row = dict[str, Any]
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class VectorProposal:
    """Attach one batch."""

    scope: Scope
    model: str
    rows: list[Row]

    @property
    def weight(self) -> int:
        """A vector is about a kilobyte."""
        return len(self.rows) * 1_000

    def questions(self) -> Questions:
        """None: a passage that is gone is passed over by the statement itself."""
        return Questions()

    def decide(self, view: View) -> int:
        """How many were handed over."""
        view.changes.vectors.extend({**row, "model": self.model} for row in self.rows)
        return len(self.rows)


def attach_all(
    graph: Graph, lanes: Lanes, embedder: Embedder | None, scope: Scope, beat: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Give every waiting passage of the namespace its vector; how many got one, and how many the model failed on.

    Without an embedder the passages are let go, marked as failed so that readers are told. Raises
    whatever ``beat`` raises when the work is to stop.
    """
    done = failed = 0
    while waiting := store.pending_passages(graph, scope.key, BATCH):
        rows = _embedded(embedder, waiting)
        lanes.submit(VectorProposal(scope, embedder.name if embedder else "none", rows))
        failed += sum(1 for row in rows if row.get("failed"))
        done += len(rows)
        beat({"passages": done, "failed": failed})
    return {"passages": done, "failed": failed}


def _embedded(embedder: Embedder | None, waiting: list[Row]) -> list[Row]:
    places = [{"id": row["id"], "position": row["position"]} for row in waiting]
    if embedder is None:
        return [{**place, "failed": True} for place in places]
    try:
        made = embedder.documents([row["text"] for row in waiting])
        return [{**place, "vector": vector} for place, vector in zip(places, made, strict=True)]
    except Exception as fault:  # noqa: BLE001  a plugin may raise anything; one bad text must not stop the others
        if len(waiting) == 1:
            _log.warning("embedding_failed", kind=type(fault).__name__, memory_id=waiting[0]["id"])
            return [{**places[0], "failed": True}]
    middle = len(waiting) // 2
    return _embedded(embedder, waiting[:middle]) + _embedded(embedder, waiting[middle:])
