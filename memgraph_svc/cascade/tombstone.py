"""Delete memory and settle what was made from it, under the lock.

In: refs and a policy. Out: tombstones, stale marks, freed disputes, a receipt, events, and the work that follows. What goes
and what stays is decided in ``plan.py``; a dry run reads the same plan and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade import store
from memgraph_svc.cascade.plan import Plan, Policy, Reached, Source, plan
from memgraph_svc.cascade.roots import Roots, find
from memgraph_svc.clock import new_id
from memgraph_svc.model.content import dumps
from memgraph_svc.model.job import JobSpec, consolidate_job, job_row
from memgraph_svc.model.memory import SYSTEM, Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from datetime import datetime

    from memgraph_svc.graph.consistent import Reader

MARK_STALE = "mark_stale"
SOURCE_REMOVED = "source_removed"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be deleted, and how."""

    scope: Scope
    refs: Sequence[Ref]
    reason: str
    policy: Policy
    actor: Actor = field(default_factory=lambda: Actor("api", "system"))
    max_depth: int = store.DEEPEST
    sole_support_only: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """What a deletion meets: its roots, its plan, and the links between what it reaches."""

    roots: Roots
    plan: Plan
    sources: list[Source]


def look(read: Reader, wish: Wish) -> Found:
    """Read and plan; used under the lock by the deletion, and without it by a dry run."""
    key, roots = wish.scope.key, find(read, wish.scope, wish.refs)
    ids = list(roots.memories)
    if not ids or wish.policy is Policy.NONE:
        return Found(roots, Plan(), [])
    reached = [each for each in store.reach(read, key, ids, wish.max_depth + 1) if each.memory.id not in roots.memories]
    sources = store.sources(read, key, [each.memory.id for each in reached])
    made = plan(ids, reached, sources, wish.policy, wish.max_depth, sole_support_only=wish.sole_support_only)
    return Found(roots, made, sources)


def mark(view: View, memory: Known) -> bool:
    """Say that a source of a memory is gone; whether that was news. An episode rests on nothing and is left alone."""
    if memory.ref.kind is Kind.EPISODE or (memory.stale and memory.stale_reason == SOURCE_REMOVED):
        return False
    memory.stale, memory.stale_reason = True, SOURCE_REMOVED
    view.changes.set_state(memory, view.tick(), view.seq)
    view.changes.add_event("memory.stale", memory.ref, view.tick(), {"reason": SOURCE_REMOVED})
    return True


@dataclass(frozen=True, slots=True)
class TombstoneProposal:
    """Carry out one deletion."""

    wish: Wish

    @property
    def scope(self) -> Scope:
        """Where it deletes."""
        return self.wish.scope

    @property
    def weight(self) -> int:
        """Never shared: it reads for itself."""
        return 1

    def questions(self) -> Questions:
        """None that a group could answer."""
        return Questions(alone=True)

    def decide(self, view: View) -> dict[str, Any]:
        """The answer of the deletion; see ``answer.shape``."""
        from memgraph_svc.cascade.answer import shape  # noqa: PLC0415  the two halves of one thing

        found = look(view.read, self.wish)
        if not found.roots.memories and not found.roots.links:
            return shape(self.wish, found)
        at, receipt_id = view.tick(), new_id("rcpt")
        roots = [Reached(each, 0) for each in found.roots.memories.values()]
        for each in [*roots, *found.plan.gone]:
            self._erase(view, each, at, receipt_id)
        for each in [*found.plan.marked, *found.plan.beyond]:
            mark(view, each.memory)
        self._end_links(view, found.roots, at)
        jobs = self._queue(view, found.plan, at)
        view.changes.receipts.append(self._receipt(found, at, receipt_id, jobs))
        return shape(self.wish, found, receipt_id, jobs)

    def _erase(self, view: View, each: Reached, at: datetime, receipt_id: str) -> None:
        memory, wish, changes = each.memory, self.wish, view.changes
        row = {"id": memory.id, "at": at.isoformat(), "byId": wish.actor.id, "byKind": wish.actor.kind}
        row |= {"reason": wish.reason, "policy": wish.policy.value, "receiptId": receipt_id, "seq": view.seq}
        changes.erasures.append(row)
        changes.undisputed[memory.id] = None
        changes.unsettled[memory.id] = None
        if memory.live:
            changes.note_delta -= 1
            changes.notes_changed = True
        told = {"cascadePolicy": wish.policy.value, "receiptId": receipt_id} | (
            {"depth": each.depth} if each.depth else {}
        )
        changes.add_event("memory.tombstoned", memory.ref, view.tick(), told)

    def _end_links(self, view: View, roots: Roots, at: datetime) -> None:
        for ref, row in roots.links.items():
            view.changes.link_ends.append({"id": row["id"], "from": row["source"], "at": at.isoformat()})
            view.changes.add_event("memory.tombstoned", ref, view.tick(), {"cascadePolicy": self.wish.policy.value})
            if row["kind"] == "CONTRADICTS":
                view.changes.undisputed |= {row["source"]: None, row["target"]: None}

    def _queue(self, view: View, made: Plan, at: datetime) -> list[str]:
        """The work that follows: marks beyond the depth, and the groups that lost a consolidation."""
        whole = Scope(self.scope.tenant_id, self.scope.namespace_id)
        specs: list[JobSpec] = []
        if made.beyond:
            specs.append(JobSpec(MARK_STALE, {"from": [each.memory.id for each in made.beyond]}, trigger="cascade"))
        broken = {each.memory.ref.scope for each in [*made.gone, *made.marked, *made.beyond] if each.group is not None}
        rows = [job_row(spec, whole, SYSTEM, at) for spec in specs]
        rows += [consolidate_job(scope, at, "cascade") for scope in sorted(broken, key=lambda each: each.full())]
        view.changes.jobs.extend(rows)
        return [row["job"]["id"] for row in rows]

    def _receipt(self, found: Found, at: datetime, receipt_id: str, jobs: list[str]) -> dict[str, Any]:
        made, wish = found.plan, self.wish
        return {
            "id": receipt_id,
            "at": at.isoformat(),
            "agentId": wish.scope.agent_id,
            "sessionId": wish.scope.session_id,
            "policy": wish.policy.value,
            "reason": wish.reason,
            "byId": wish.actor.id,
            "byKind": wish.actor.kind,
            "maxDepth": wish.max_depth,
            "rootIds": [*found.roots.memories, *(row["id"] for row in found.roots.links.values())],
            "removedIds": [each.memory.id for each in made.gone],
            "staleIds": [each.memory.id for each in [*made.marked, *made.beyond]],
            "keptIds": [each.memory.id for each in made.kept],
            "jobIds": jobs,
            "countsJson": dumps(made.by_depth()),
        }
