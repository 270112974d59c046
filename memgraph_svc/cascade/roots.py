"""Find what a deletion names.

In: refs as they were sent. Out: the living memories and links among them, and a verdict for each ref. What belongs to
another tenant, namespace, agent or session is worded like what never existed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade import store
from memgraph_svc.errors.work import ProvenanceRequired
from memgraph_svc.model.memory import Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known

if TYPE_CHECKING:
    from memgraph_svc.graph.consistent import Reader

TOMBSTONED, ALREADY, NOT_FOUND, REJECTED = "tombstoned", "already_tombstoned", "not_found", "rejected"


@dataclass(frozen=True, slots=True)
class Roots:
    """The verdict on each ref, in order, and what is to be deleted."""

    verdicts: list[tuple[Ref, str]] = field(default_factory=list[tuple[Ref, str]])
    memories: dict[str, Known] = field(default_factory=dict[str, Known])
    links: dict[Ref, dict[str, Any]] = field(default_factory=dict[Ref, dict[str, Any]])


def find(read: Reader, scope: Scope, refs: Sequence[Ref]) -> Roots:
    """Look the refs up; one that stands twice is deleted once and answered twice."""
    inside = [ref for ref in refs if _same_space(scope, ref)]
    memories = store.named(read, scope.key, list({ref.id for ref in inside if ref.kind is not Kind.LINK}))
    links = store.links(read, scope.key, list({ref.id for ref in inside if ref.kind is Kind.LINK}))
    made = Roots()
    ended: dict[str, int] = {}
    for ref in refs:
        if ref not in inside:
            made.verdicts.append((ref, NOT_FOUND))
        elif ref.kind is Kind.LINK:
            made.verdicts.append((ref, _link(made, scope, ref, links.get(ref.id), ended)))
        else:
            made.verdicts.append((ref, _memory(made, scope, ref, memories.get(ref.id))))
    return made


def refusal() -> dict[str, Any]:
    """Why a link is kept."""
    return ProvenanceRequired().body()


def _memory(made: Roots, scope: Scope, ref: Ref, held: Known | None) -> str:
    if held is None or held.ref.kind is not ref.kind or not _admits(scope, held.ref.scope):
        return NOT_FOUND
    if held.status is Status.TOMBSTONED:
        return ALREADY
    made.memories[held.id] = held
    return TOMBSTONED


def _link(made: Roots, scope: Scope, ref: Ref, held: dict[str, Any] | None, ended: dict[str, int]) -> str:
    if held is None or not scope.admits(held["agentId"], held["sessionId"]):
        return NOT_FOUND
    if held["status"] == Status.TOMBSTONED:
        return ALREADY
    # Provenance is what keeps derived memory honest: the last of it goes only with the memory itself.
    if held["kind"] == "DERIVED_FROM" and ref not in made.links:
        ended[held["source"]] = ended.get(held["source"], 0) + 1
        if ended[held["source"]] >= held["sources"]:
            ended[held["source"]] -= 1
            return REJECTED
    made.links[ref] = held
    return TOMBSTONED


def _admits(scope: Scope, held: Scope) -> bool:
    return scope.admits(held.agent_id, held.session_id)


def _same_space(scope: Scope, ref: Ref) -> bool:
    return (ref.scope.tenant_id, ref.scope.namespace_id) == (scope.tenant_id, scope.namespace_id)
