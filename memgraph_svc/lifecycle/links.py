"""Join two memories that exist.

In: a link type and two refs. Out: the link, with the changes of state that it brings: a contradiction disputes both ends, a
succession supersedes the older one. A missing end is refused; nothing is ever made to stand in for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memgraph_svc.errors.request import InvalidRequest, NotFound
from memgraph_svc.errors.work import LinkCircle
from memgraph_svc.lifecycle import store
from memgraph_svc.lifecycle.relate import Hand
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known
from memgraph_svc.write.view import Questions, View


@dataclass(frozen=True, slots=True)
class LinkDraft:
    """A link as it was sent, checked."""

    link_type: str
    source: Ref
    target: Ref
    created_by: Actor
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class LinkProposal:
    """Store one link."""

    scope: Scope
    draft: LinkDraft

    @property
    def weight(self) -> int:
        """Never shared: it reads for itself."""
        return 1

    def questions(self) -> Questions:
        """Both ends."""
        return Questions(memory_ids=(self.draft.source.id, self.draft.target.id), alone=True)

    def decide(self, view: View) -> dict[str, Any]:
        """The link and the states that changed with it; one that is there already is given back unchanged.

        Raises ``NotFound`` for a missing end, ``InvalidRequest`` for ends that the type cannot join, and ``LinkCircle``.
        """
        source = self._end(view, "from", self.draft.source)
        target = self._end(view, "to", self.draft.target)
        if source.id == target.id:
            raise InvalidRequest("to: a memory cannot be linked to itself", {"path": "to"})
        held = store.link_between(view.read, self.scope.key, self.draft.link_type, source.id, target.id)
        if held is not None:
            return {"status": "exists", "link": self._wire(source, target, held), "affected": []}
        self._check(view, source, target)
        row = self._put(Hand(view, self.scope, self.draft.created_by), source, target)
        changed = {each["id"] for each in view.changes.states}
        affected = [
            {"ref": each.ref.wire(), "status": (each.standing or each.status).value}
            for each in (source, target)
            if each.id in changed
        ]
        made = {**row, "createdAt": store.stamp(row["createdAt"]), "metadata": dict(self.draft.metadata)}
        return {"status": "created", "link": self._wire(source, target, made), "affected": affected}

    def _end(self, view: View, path: str, ref: Ref) -> Known:
        held = view.memories.get(ref.id)
        same = (ref.scope.tenant_id, ref.scope.namespace_id) == (self.scope.tenant_id, self.scope.namespace_id)
        if (
            held is None
            or not same
            or held.ref.kind is not ref.kind
            or held.status is Status.TOMBSTONED
            or not self.scope.admits(held.ref.scope.agent_id, held.ref.scope.session_id)
        ):
            raise NotFound(f"{path}: there is no memory {ref.id} in this scope.", {"path": path})
        return held

    def _check(self, view: View, source: Known, target: Known) -> None:
        kind, key = self.draft.link_type, self.scope.key
        if kind == "derived_from":
            if source.ref.kind is Kind.EPISODE:
                raise InvalidRequest("from: an episode is what happened and is derived from nothing", {"path": "from"})
            if store.provenance(view.read, key, target.id, [source.id]):
                raise LinkCircle
        if kind == "supersedes" and store.succession(view.read, key, target.id, [source.id]):
            raise LinkCircle

    def _put(self, hand: Hand, source: Known, target: Known) -> dict[str, Any]:
        draft, at = self.draft, hand.view.tick()
        more: dict[str, Any] = {"metadataJson": dumps(draft.metadata) if draft.metadata else None}
        if draft.link_type == "derived_from":
            more["position"] = source.sources
        row = hand.link(draft.link_type, source.id, target.id, at=at, **more)
        told = {"linkType": draft.link_type, "from": source.id, "to": target.id}
        hand.view.changes.add_event("memory.linked", Ref(row["id"], Kind.LINK, self.scope), at, told)
        if draft.link_type == "contradicts" and source.is_current() and target.is_current():
            hand.contradict(source, target, row["id"])
        if draft.link_type == "supersedes":
            hand.supersede(source, target, source.valid_from or at, row["id"])
        if draft.link_type == "derived_from":
            hand.view.changes.unsettled[source.id] = None
        return row

    def _wire(self, source: Known, target: Known, row: dict[str, Any]) -> dict[str, Any]:
        where = Scope(self.scope.tenant_id, self.scope.namespace_id, row.get("agentId"), row.get("sessionId"))
        return {
            "id": row["id"],
            "type": Kind.LINK.value,
            "scope": where.wire(),
            "createdAt": row["createdAt"],
            "createdBy": Actor(row["createdById"], row["createdByKind"]).wire(),
            "status": Status.ACTIVE.value,
            "linkType": self.draft.link_type,
            "from": source.ref.wire(),
            "to": target.ref.wire(),
            "metadata": row["metadata"],
        }
