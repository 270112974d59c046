"""The reads of one memory with all around it, and of lists of memories.

In: a scope and what is asked. Out: ids, entries and plain values. What a list or a memory looks like on the wire is
decided in ``memories.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from memgraph_svc.assemble.store import Store
from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.consistent import consistently
from memgraph_svc.model.memory import Kind, Status
from memgraph_svc.model.scope import Scope

T = TypeVar("T")
Position = tuple[datetime, str]
FIRST: Position = (datetime.min.replace(tzinfo=UTC), "")
LAST: Position = (datetime.max.replace(tzinfo=UTC), "")
_BOTH = (False, True)
_STATUSES = tuple(status for status in Status if status is not Status.TOMBSTONED)
_KINDS = tuple(kind for kind in Kind if kind is not Kind.LINK)


@dataclass(frozen=True, slots=True)
class Listed:
    """Which memories are wanted, between two positions; a position is a time and the id of a memory of that time."""

    low: Position = FIRST
    high: Position = LAST
    newest: bool = False
    kind: Kind | None = None
    status: Status | None = None
    topic: str | None = None
    session: str | None = None
    stale: bool | None = None
    pinned: bool | None = None
    slug: str | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """The links of a memory by direction, newest first, and how many there are."""

    outgoing: list[str]
    leaving: int
    incoming: list[str]
    arriving: int


class MemoriesStore(Store):
    """Reads of one database, each statement by itself or all inside one consistent read."""

    def consistently(self, scope: Scope, read: Callable[[MemoriesStore], T]) -> T:
        """Run ``read`` with a store whose statements all see one state of the namespace."""
        return consistently(self._graph, scope.key, lambda run: read(MemoriesStore(self._graph, run)))[0]

    def page(self, scope: Scope, wanted: Listed, most: int) -> list[str]:
        """The first memories of a list, by id and in their order."""
        params: dict[str, Any] = {
            "scope_key": scope.key,
            "agent_id": scope.agent_id,
            "session_id": scope.session_id,
            "low_at": wanted.low[0].isoformat(),
            "low_id": wanted.low[1],
            "high_at": wanted.high[0].isoformat(),
            "high_id": wanted.high[1],
            "statuses": [each.value for each in _only(wanted.status, _STATUSES)],
            "kinds": [each.value for each in _only(wanted.kind, _KINDS)],
            "stale": _only(wanted.stale, _BOTH),
            "pinned": _only(wanted.pinned, _BOTH),
            "slug": wanted.slug,
            "most": most,
        }
        if wanted.topic is not None:
            found = query("assemble/list_of_topic")
            params |= {"topic": wanted.topic, "session": wanted.session, "newest": wanted.newest}
        elif wanted.session is not None:
            found = query("assemble/list_of_session")
            params |= {"session": wanted.session, "newest": wanted.newest}
        else:
            found = query("assemble/list_newest") if wanted.newest else query("assemble/list_oldest")
        return [row["id"] for row in self._run(found, **params)]

    def memory_links(self, scope: Scope, memory_id: str, most: int) -> Around:
        """The links of a memory that the request may see, at most ``most`` for each direction."""
        (row,) = self._run(query("assemble/memory_links"), **_asked(scope, memory_id), most=most)
        return Around(row["outgoing"], row["leaving"], row["incoming"], row["arriving"])

    def memory_history(self, scope: Scope, memory_id: str, most: int) -> list[dict[str, Any]]:
        """The states a memory has been in, oldest first; of more than ``most`` the latest."""
        rows = self._run(query("assemble/memory_history"), scope_key=scope.key, id=memory_id, most=most)
        return [_entry(row["change"]) for row in reversed(rows)]

    def memory_versions(self, scope: Scope, memory_id: str, most: int) -> list[dict[str, Any]]:
        """The line of succession of a memory that the request may see, newest first."""
        rows = self._run(query("assemble/memory_versions"), **_asked(scope, memory_id), most=most)
        return [_version(row["version"]) for row in rows]


def _asked(scope: Scope, memory_id: str) -> dict[str, Any]:
    return {"scope_key": scope.key, "id": memory_id, "agent_id": scope.agent_id, "session_id": scope.session_id}


def _only(wanted: T | None, every: Sequence[T]) -> list[T]:
    return list(every) if wanted is None else [each for each in every if each == wanted]


def _entry(change: dict[str, Any]) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "at": records.stamp(change["at"]),
        "status": change["status"],
        "stale": bool(change["stale"]),
    }
    rest = {"validTo": records.stamp(change["validTo"]), "pinned": change["pinned"], "standing": change["standing"]}
    return shape | {name: value for name, value in rest.items() if value is not None}


def _version(kept: dict[str, Any]) -> dict[str, Any]:
    return {
        "ref": records.ref_of(kept).wire(),
        "status": kept["status"],
        "createdAt": records.stamp(kept["createdAt"]),
    }
