"""Read the lifecycle facts of a namespace, page by page, each at least once and in order.

In: a scope, a position, the wanted types. Out: events and the position behind the last one that was read, whether it
matched or not. Events are written by ``write/``; they never hold content.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgraph_svc.errors.request import InvalidCursor
from memgraph_svc.feed import cursor as cursors
from memgraph_svc.feed.store import FeedStore
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph, Row
    from memgraph_svc.graph.secrets import Secrets

PAGE = 1_000
_LOOKS = 20  # pages without a match that one call reads before it hands the position back


@dataclass(frozen=True, slots=True)
class Page:
    """Events in order, and where to go on."""

    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    next_cursor: str = ""


class FeedService:
    """Answers subscribe and events."""

    def __init__(self, graph: Graph, secrets: Secrets) -> None:
        self._store = FeedStore(graph)
        self._secrets = secrets

    def read(self, scope: Scope, cursor: str | None = None, types: Collection[str] = (), limit: int = PAGE) -> Page:
        """The next events behind ``cursor``, or the oldest kept ones without it.

        An agent or session in the scope narrows what is returned, not the positions. A page ends before a hole, so a
        commit that is not wholly visible yet is never stepped over. Raises ``InvalidCursor`` (``details.reason`` is
        ``expired`` for a position before the oldest kept event) and ``ScopeMismatch``.
        """
        secret = self._secrets.key("cursor")
        at = cursors.decode(secret, scope.key, cursor) if cursor is not None else None
        bounds = self._store.bounds(scope)
        first, newest = bounds or (1, 0)
        if at is None:
            at = first - 1
        elif at < first - 1:
            raise InvalidCursor(
                "The cursor is older than the events that are kept; begin again without one.", {"reason": "expired"}
            )
        elif at > newest:
            raise InvalidCursor
        found: list[dict[str, Any]] = []
        for _ in range(_LOOKS if bounds else 0):
            rows = _dense(self._store.after(scope, at, PAGE), at)
            for row in rows:
                at = row["eventSeq"]
                if _wanted(row, scope, types):
                    found.append(self._wire(secret, scope, row))
                    if len(found) == limit:
                        break
            if len(found) == limit or len(rows) < PAGE:
                break
        return Page(found, cursors.encode(secret, scope.key, at))

    def _wire(self, secret: bytes, scope: Scope, row: Row) -> dict[str, Any]:
        """One event under both sets of names in use (wire-api section 12)."""
        place = Scope(scope.tenant_id, scope.namespace_id, row["agentId"], row["sessionId"])
        own = cursors.encode(secret, scope.key, row["eventSeq"])
        metadata: dict[str, Any] = json.loads(row["metadataJson"]) if row["metadataJson"] else {}
        payload: dict[str, Any] = dict(metadata)
        made: dict[str, Any] = {"id": own, "cursor": own, "type": row["type"], "scope": place.wire()}
        made |= {"timestamp": row["occurredAt"], "occurredAt": row["occurredAt"]}
        if row["refId"] is not None:
            made["ref"] = payload["ref"] = Ref(row["refId"], Kind(row["refType"]), place).wire()
        if row["jobId"] is not None:
            made["jobId"] = payload["jobId"] = row["jobId"]
        if metadata:
            made["metadata"] = metadata
        return {**made, "payload": payload}


def _dense(rows: list[Row], after: int) -> list[Row]:
    for at, row in enumerate(rows):
        if row["eventSeq"] != after + 1 + at:
            return rows[:at]
    return rows


def _wanted(row: Row, scope: Scope, types: Collection[str]) -> bool:
    return (not types or row["type"] in types) and scope.admits(row["agentId"], row["sessionId"])
