"""Read one memory with all around it, and list memories page by page.

In: a scope, an id or a checked list of wishes. Out: objects of the wire, each answer of one state of the namespace. What
an object looks like is decided in ``shape.py``; which statement makes a page, in ``memories_store.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memgraph_svc.assemble import shape
from memgraph_svc.assemble.hydrate import MOST_STEPS
from memgraph_svc.assemble.memories_store import Listed, MemoriesStore, Position
from memgraph_svc.assemble.stored import StoredMemory
from memgraph_svc.errors.request import NotFound
from memgraph_svc.model import sealed
from memgraph_svc.model.memory import Kind
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.graph.secrets import Secrets

PAGE, LONGEST_PAGE = 100, 1_000
MOST_LINKS, MOST_ENTRIES, MOST_VERSIONS = 200, 1_000, 100
_PREFIX, _PURPOSE = "me_", "memories"
_TIME = 8
_EPOCH, _TICK = datetime(1, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Memories in their order, and where to go on; no cursor on the last page."""

    memories: list[dict[str, Any]]
    next_cursor: str | None


class MemoriesService:
    """Answers ``GET /v0/memories`` and ``GET /v0/memories/{id}``."""

    def __init__(self, graph: Graph, secrets: Secrets) -> None:
        self._store = MemoriesStore(graph)
        self._secrets = secrets

    def get(self, scope: Scope, memory_id: str) -> dict[str, Any]:
        """A memory with its links, its history and its line of succession.

        Raises ``NotFound`` with the same words for what never existed, is deleted, or belongs to somebody else.
        """
        return self._store.consistently(scope, lambda store: _whole(store, scope, memory_id))

    def list(self, scope: Scope, wanted: Listed, limit: int = PAGE, cursor: str | None = None) -> MemoryPage:
        """The next memories behind ``cursor``, or the first ones without it.

        What is stored later stands later in time, so a reader that pages from the oldest on meets everything once while
        others write. Raises ``InvalidCursor`` and ``ScopeMismatch``.
        """
        secret = self._secrets.key(_PURPOSE)
        if cursor is not None:
            wanted = _behind(wanted, decode(secret, scope.key, cursor))

        def read(store: MemoriesStore) -> tuple[list[StoredMemory], bool]:
            ids = store.page(scope, wanted, limit + 1)
            kept = store.memories_by_id(scope, ids[:limit])
            return [kept[each] for each in ids[:limit] if each in kept], len(ids) > limit

        found, more = self._store.consistently(scope, read)
        last = encode(secret, scope.key, (found[-1].times.created_at, found[-1].ref.id)) if found and more else None
        return MemoryPage([shape.memory(each, details=True) for each in found], last)


def _whole(store: MemoriesStore, scope: Scope, memory_id: str) -> dict[str, Any]:
    kept = store.memories_by_id(scope, [memory_id]).get(memory_id)
    if kept is None or not scope.admits(kept.ref.scope.agent_id, kept.ref.scope.session_id):
        raise NotFound
    deep = [memory_id] if any(each.kind is not Kind.EPISODE for each in kept.sources) else []
    chain = store.chain(scope, deep, MOST_STEPS).get(memory_id)
    around = store.memory_links(scope, memory_id, MOST_LINKS)
    links = store.links_by_id(scope, list(dict.fromkeys([*around.outgoing, *around.incoming])))
    return {
        "object": shape.memory(kept, chain, details=True),
        "links": {
            "outgoing": [shape.link(links[each]) for each in around.outgoing if each in links],
            "incoming": [shape.link(links[each]) for each in around.incoming if each in links],
            "total": {"outgoing": around.leaving, "incoming": around.arriving},
        },
        "history": store.memory_history(scope, memory_id, MOST_ENTRIES),
        "versions": store.memory_versions(scope, memory_id, MOST_VERSIONS),
    }


def between(wanted: Listed, after: datetime | None, before: datetime | None) -> Listed:
    """The same list of what was stored in a time: ``after`` is inclusive, ``before`` not."""
    low = wanted.low if after is None else (after, "")
    high = wanted.high if before is None else (before, "")
    return replace(wanted, low=low, high=high)


def _behind(wanted: Listed, at: Position) -> Listed:
    # The narrower bound: a cursor may come back with other times than it was made for.
    return replace(wanted, high=min(wanted.high, at)) if wanted.newest else replace(wanted, low=max(wanted.low, at))


def encode(secret: bytes, scope_key: str, at: Position) -> str:
    """The cursor that stands at a memory: a short text that only we can make, and that no other namespace takes."""
    moment, memory_id = at
    place = ((moment - _EPOCH) // _TICK).to_bytes(_TIME, "big") + memory_id.encode()
    return sealed.position(secret, _PREFIX, scope_key, place)


def decode(secret: bytes, scope_key: str, text: str) -> Position:
    """The memory at which a cursor stands.

    Raises ``InvalidCursor`` for what we did not make and ``ScopeMismatch`` for a cursor of another namespace.
    """
    place = sealed.place(secret, _PREFIX, scope_key, text)
    return _EPOCH + int.from_bytes(place[:_TIME], "big") * _TICK, place[_TIME:].decode()
