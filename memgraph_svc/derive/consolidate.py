"""Write consolidations: what a job does, and what it decides under the lock.

In: a scope. Out: consolidations of its windows, each superseding what told them before, committed together with the end of
the job. A source that changed since it was read makes the batch read again; what has not changed is not written again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgraph_svc.clock import new_id
from memgraph_svc.derive import store
from memgraph_svc.derive.merge import Told, text_of, title_of
from memgraph_svc.derive.windows import Window
from memgraph_svc.errors.work import SourcesChanged
from memgraph_svc.lifecycle.relate import Hand, made
from memgraph_svc.lifecycle.rows import identity, passage_rows
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.job import Job, job_end
from memgraph_svc.model.memory import PREFIX, SYSTEM, Kind, Ref, Status
from memgraph_svc.model.passages import cut
from memgraph_svc.model.scope import Scope, token
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.graph.consistent import Reader

PRODUCER = "digest"


@dataclass(frozen=True, slots=True)
class Draft:
    """A consolidation ready to be stored, save for its time and place."""

    window: Window
    ref: Ref
    memory: dict[str, Any]
    passages: list[dict[str, Any]]
    sources: tuple[str, ...]


def draft(scope: Scope, base: str, window: Window, told: Sequence[Told]) -> Draft:
    """Compute all of a consolidation that does not depend on what the graph holds by then."""
    ref = Ref(new_id(PREFIX[Kind.CONSOLIDATION]), Kind.CONSOLIDATION, scope)
    title, text = title_of(window.grouping, told), text_of(told)
    group = token("group", base, window.grouping, str(window.first))
    memory = {
        **identity(ref, SYSTEM, title),
        "status": Status.ACTIVE.value,
        "content": text,
        "contentHash": content_hash(text),
        "title": title,
        "noteScope": scope.key,
        "baseKey": base,
        "groupKey": group,
        "liveGroupKey": group,
        "grouping": window.grouping,
        "windowFrom": window.first,
        "windowTo": window.last,
        "closed": window.closed,
        "sourcesHash": window.sources_hash(base),
        "producedBy": PRODUCER,
        "transformation": "consolidation",
    }
    disputed = dict.fromkeys(name for each in told for name, _ in each.disputed)
    passages = passage_rows(ref, cut(text, title), Status.ACTIVE)
    return Draft(window, ref, memory, passages, (*window.episodes, *disputed))


@dataclass(frozen=True, slots=True)
class ConsolidateProposal:
    """Store some consolidations; the last batch ends the job."""

    job: Job
    drafts: Sequence[Draft]
    hold: Callable[[Reader], None]
    before: dict[str, Any]
    last: bool
    jobs: Sequence[dict[str, Any]] = ()

    @property
    def scope(self) -> Scope:
        """Where they belong."""
        return self.job.scope

    @property
    def weight(self) -> int:
        """Never shared: it holds its job's lock."""
        return 1

    def questions(self) -> Questions:
        """Every predecessor; the sources are looked at by a read of their own."""
        names = {name for each in self.drafts for name in each.window.replaces}
        return Questions(memory_ids=tuple(names), alone=True)

    def decide(self, view: View) -> dict[str, Any]:
        """The result so far; raises ``SourcesChanged`` when a source is not as it was read, and what ``hold`` raises."""
        self.hold(view.read)
        view.changes.jobs.extend(self.jobs)
        self._check(view)
        result = {name: list(self.before.get(name, ())) for name in ("createdConsolidationRefs", "supersededRefs")}
        for each in self.drafts:
            self._put(view, each, result)
        if self.last:
            view.changes.job_ends.append(job_end(self.job, result))
            told = {"created": len(result["createdConsolidationRefs"])}
            view.changes.add_job_event("consolidation.completed", self.job.id, self.scope, view.tick(), told)
        return result

    def _check(self, view: View) -> None:
        """Raise ``SourcesChanged`` when a source stands differently now, or another job has told a part of these windows."""
        if not self.drafts:
            return
        living = store.living(view.read, self.scope.key, self.drafts[0].memory["baseKey"])
        for each in self.drafts:
            known = {*each.window.replaces, *each.window.beside}
            if any(each.window.overlaps(held) and held.id not in known for held in living):
                raise SourcesChanged
        episodes = [name for each in self.drafts for name in each.window.episodes]
        states = store.window_states(view.read, self.scope.key, episodes)
        for each in self.drafts:
            # An episode that is gone or replaced, a dispute that began or ended: the text would say what is not so.
            disputed = {name for episode in each.window.episodes for name in states.get(episode, ())}
            if not states.keys() >= set(each.window.episodes) or {*each.window.episodes, *disputed} != set(
                each.sources
            ):
                raise SourcesChanged

    def _put(self, view: View, each: Draft, result: dict[str, list[Any]]) -> None:
        hand, at = Hand(view, self.scope, SYSTEM), view.tick()
        view.changes.add_memory(Kind.CONSOLIDATION, {**each.memory, "producedAt": at}, each.passages, at, view.seq)
        view.changes.topics.append({"id": each.ref.id, "key": "summaries", "name": "Summaries", "position": 0})
        for place, name in enumerate(each.sources):
            hand.link("derived_from", each.ref.id, name, at=at, position=place)
        if not self.jobs:
            view.changes.add_event("memory.indexed", each.ref, at)
        result["createdConsolidationRefs"].append(each.ref.wire())
        new = made(each.ref, each.memory, len(each.sources))
        for name in each.window.replaces:
            older = view.memories.get(name)
            if older is not None and older.is_current():
                hand.supersede(new, older, None)
                result["supersededRefs"].append(older.ref.wire())
