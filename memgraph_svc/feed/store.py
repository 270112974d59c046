"""Typed calls of ``cypher/feed/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Row

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.model.scope import Scope


class FeedStore:
    """Reads the events of one database."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def bounds(self, scope: Scope) -> tuple[int, int] | None:
        """The oldest kept and the newest event number, or None for a namespace that was never written to."""
        rows = self._graph.read(
            query("feed/event_bounds"),
            scope_key=scope.key,
            tenant_id=scope.tenant_id,
            namespace_id=scope.namespace_id,
        )
        return (rows[0]["firstEventSeq"], rows[0]["eventSeq"]) if rows else None

    def after(self, scope: Scope, number: int, most: int) -> list[Row]:
        """At most ``most`` events behind ``number``, in order, their times in wire form."""
        rows = self._graph.read(query("feed/events_after"), scope_key=scope.key, after=number, most=most)
        return [{**row["event"], "occurredAt": records.stamp(row["event"]["occurredAt"])} for row in rows]
