"""Pin a note, and confirm that a memory still holds.

In: a ref, or the slug of a note. Out: the new state. Reading never refreshes a memory; confirming does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memgraph_svc.errors.request import NotFound
from memgraph_svc.lifecycle import store
from memgraph_svc.lifecycle.relate import Hand
from memgraph_svc.model.memory import Actor, Ref, Status
from memgraph_svc.model.scope import Scope, token
from memgraph_svc.write.known import Known
from memgraph_svc.write.view import Questions, View

# What no confirmation can heal: the source it rested on is gone for good.
LASTING = "source_removed"


@dataclass(frozen=True, slots=True)
class Target:
    """A memory by its ref, or a live note by its slug."""

    ref: Ref | None = None
    slug: str | None = None

    def questions(self, scope: Scope) -> Questions:
        """What must be known of it."""
        if self.ref is not None:
            return Questions(memory_ids=(self.ref.id,))
        return Questions(slug_keys=(self._slug_key(scope),))

    def find(self, view: View, scope: Scope) -> Known:
        """The memory; raises ``NotFound`` when there is none in the scope."""
        if self.ref is None:
            held = view.notes.get(self._slug_key(scope))
            found = held if held is not None and held.live else None
        else:
            held = view.memories.get(self.ref.id)
            found = held if held is not None and self._is_meant(scope, held) else None
        if found is None or not scope.admits(found.ref.scope.agent_id, found.ref.scope.session_id):
            raise NotFound
        return found

    def _is_meant(self, scope: Scope, held: Known) -> bool:
        assert self.ref is not None  # noqa: S101  only asked of a ref
        where = self.ref.scope
        same = (where.tenant_id, where.namespace_id) == (scope.tenant_id, scope.namespace_id)
        return same and held.ref.kind is self.ref.kind and held.status is not Status.TOMBSTONED

    def _slug_key(self, scope: Scope) -> str:
        return token("slug", *scope.full(), self.slug or "")


@dataclass(frozen=True, slots=True)
class PinProposal:
    """Let a note's body stand in the memory index, or no longer."""

    scope: Scope
    target: Target
    pinned: bool
    actor: Actor

    @property
    def weight(self) -> int:
        """Small."""
        return 1_000

    def questions(self) -> Questions:
        """The note."""
        return self.target.questions(self.scope)

    def decide(self, view: View) -> dict[str, Any]:
        """The note and whether it changed; raises ``NotFound`` for what is no live note."""
        note = self.target.find(view, self.scope)
        if not note.live:
            raise NotFound("Only a live note can be pinned; this memory is none.")
        changed = bool(note.pinned) is not self.pinned
        if changed:
            note.pinned = self.pinned
            Hand(view, self.scope, self.actor).store(note)
            word = "memory.pinned" if self.pinned else "memory.unpinned"
            view.changes.add_event(word, note.ref, view.tick(), {"by": self.actor.wire()})
        return {"ref": note.ref.wire(), "pinned": self.pinned, "changed": changed}


@dataclass(frozen=True, slots=True)
class ConfirmProposal:
    """Note that a memory was looked at and still holds."""

    scope: Scope
    target: Target
    actor: Actor

    @property
    def weight(self) -> int:
        """Small."""
        return 1_000

    def questions(self) -> Questions:
        """The memory."""
        return self.target.questions(self.scope)

    def decide(self, view: View) -> dict[str, Any]:
        """The memory as it stands; its stale mark goes unless a source is gone for good."""
        memory = self.target.find(view, self.scope)
        memory.verified_at = view.tick()
        if memory.stale and memory.stale_reason != LASTING:
            memory.stale, memory.stale_reason = False, None
        Hand(view, self.scope, self.actor).store(memory)
        view.changes.add_event("memory.confirmed", memory.ref, view.tick(), {"by": self.actor.wire()})
        shape: dict[str, Any] = {"ref": memory.ref.wire(), "lastVerifiedAt": store.stamp(memory.verified_at)}
        shape["stale"] = memory.stale
        if memory.stale:
            shape["staleReason"] = memory.stale_reason
            shape["warnings"] = [
                {
                    "code": "stale_not_cleared",
                    "message": "A source of this memory was deleted; only deriving it again clears the mark.",
                }
            ]
        return shape
