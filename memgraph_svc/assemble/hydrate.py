"""Read memory by its refs.

In: a scope and refs. Out: objects in the order of the request, and the refs that are missing. A ref of another tenant
or namespace, of the wrong type, or outside the agent or session of the request is missing like one that never existed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgraph_svc.assemble import shape
from memgraph_svc.assemble.store import Store
from memgraph_svc.assemble.stored import Chain, StoredLink, StoredMemory
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph

MOST_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class Hydrated:
    """The objects that were found, and the refs that were not; every asked ref is in exactly one."""

    objects: list[dict[str, Any]]
    missing: list[Ref]


class HydrateService:
    """Answers hydrate."""

    def __init__(self, graph: Graph) -> None:
        self._store = Store(graph)

    def hydrate(
        self, scope: Scope, refs: Sequence[Ref], *, include_provenance: bool = False, details: bool = False
    ) -> Hydrated:
        """The objects of the refs; a ref that is asked twice is answered once.

        Derived objects always name their direct sources; ``include_provenance`` adds the chain back to the episodes.
        """
        asked = list(dict.fromkeys(refs))
        inside = {ref: None for ref in asked if same_space(scope, ref)}
        memories = self._store.memories_by_id(scope, unique(ref.id for ref in inside if ref.kind is not Kind.LINK))
        links = self._store.links_by_id(scope, unique(ref.id for ref in inside if ref.kind is Kind.LINK))
        chains = self._chains(scope, memories) if include_provenance else {}
        objects: dict[tuple[Kind, str], dict[str, Any]] = {}
        missing: list[Ref] = []
        for ref in asked:
            held = (links.get(ref.id) if ref.kind is Kind.LINK else memories.get(ref.id)) if ref in inside else None
            if held is None or not visible(scope, ref, held):
                missing.append(ref)
            elif (ref.kind, ref.id) not in objects:
                objects[ref.kind, ref.id] = (
                    shape.link(held)
                    if isinstance(held, StoredLink)
                    else shape.memory(held, chains.get(ref.id), details=details)
                )
        return Hydrated(list(objects.values()), missing)

    def _chains(self, scope: Scope, memories: dict[str, StoredMemory]) -> dict[str, Chain]:
        deep = [
            memory.ref.id
            for memory in memories.values()
            if any(each.kind is not Kind.EPISODE for each in memory.sources)
        ]
        return self._store.chain(scope, deep, MOST_STEPS)


def unique(ids: Any) -> list[str]:
    """The ids without repetitions, in order."""
    return list(dict.fromkeys(ids))


def same_space(scope: Scope, ref: Ref) -> bool:
    """Whether a ref names the tenant and namespace of the request."""
    return (ref.scope.tenant_id, ref.scope.namespace_id) == (scope.tenant_id, scope.namespace_id)


def visible(scope: Scope, ref: Ref, held: StoredMemory | StoredLink) -> bool:
    """Whether what was found is what the ref names, and inside the agent and session of the request."""
    return held.ref.kind is ref.kind and scope.admits(held.ref.scope.agent_id, held.ref.scope.session_id)
