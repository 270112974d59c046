"""Delete memory, and show what was deleted.

In: a wish. Out: its answer once it is durable: on return nothing of what was deleted is found, read or assembled any more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade import store
from memgraph_svc.cascade.answer import shape
from memgraph_svc.cascade.tombstone import TombstoneProposal, Wish, look
from memgraph_svc.errors.request import NotFound
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from memgraph_svc.graph.client import Graph
    from memgraph_svc.write.lanes import Lanes

PAGE = 100


class CascadeService:
    """Answers tombstone and the receipts."""

    def __init__(self, graph: Graph, lanes: Lanes) -> None:
        self._graph = graph
        self._lanes = lanes

    def tombstone(self, wish: Wish, *, dry_run: bool = False) -> dict[str, Any]:
        """Delete what is named and settle what was made from it, in one transaction.

        A retry answers ``already_tombstoned`` and changes nothing. A dry run answers what would happen, from one state
        of the namespace, and changes nothing.
        """
        if not dry_run:
            return self._lanes.submit(TombstoneProposal(wish))
        found = store.one_state(self._graph, wish.scope.key, lambda read: look(read, wish))
        return {**shape(wish, found), "dryRun": True}

    def receipts(self, scope: Scope, before: datetime | None = None, most: int = PAGE) -> list[dict[str, Any]]:
        """The receipts of deletions asked for inside the scope, newest first."""
        at = None if before is None else before.isoformat()
        rows = store.receipts(self._graph, scope.key, id=None, before=at, most=most)
        return [_receipt(row["receipt"]) for row in rows if _admits(scope, row["receipt"])]

    def receipt(self, scope: Scope, receipt_id: str) -> dict[str, Any]:
        """One receipt; raises ``NotFound`` for one that is not there or of another scope."""
        rows = store.receipts(self._graph, scope.key, id=receipt_id, before=None, most=1)
        if not rows or not _admits(scope, rows[0]["receipt"]):
            raise NotFound
        return _receipt(rows[0]["receipt"])


def _admits(scope: Scope, row: dict[str, Any]) -> bool:
    return scope.admits(row.get("agentId"), row.get("sessionId"))


def _receipt(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "receiptId": row["id"],
        "at": row["at"],
        "cascadePolicy": row["policy"],
        "reason": row["reason"],
        "requestedBy": Actor(row["byId"], row["byKind"]).wire(),
        "maxDepth": row["maxDepth"],
        "rootIds": row["rootIds"],
        "removedIds": row["removedIds"],
        "staleIds": row["staleIds"],
        "keptIds": row["keptIds"],
        "jobIds": row["jobIds"],
        "plan": json.loads(row["countsJson"]),
    }
