"""What one remember request wants to write, decided under the namespace's lock.

In: a prepared episode and the note derived from it. Out: rows in the group's change set and an outcome of plain values. May
be decided more than once, so nothing here keeps state between two calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from memgraph_svc.errors.request import NotFound
from memgraph_svc.errors.work import LinkCircle
from memgraph_svc.ingest.episode import PreparedEpisode
from memgraph_svc.ingest.note import NoteLinks, PreparedNote
from memgraph_svc.ingest.proposals import CREATED, questions_of, store
from memgraph_svc.lifecycle.relate import Hand, made
from memgraph_svc.model.memory import Actor, Kind, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known
from memgraph_svc.write.view import Questions, View


@dataclass(frozen=True, slots=True)
class RememberProposal:
    """Store one statement as an episode and the note derived from it."""

    scope: Scope
    episode: PreparedEpisode
    note: PreparedNote
    actor: Actor
    links: NoteLinks
    jobs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def weight(self) -> int:
        """The size of both texts."""
        return self.episode.weight * 2

    def questions(self) -> Questions:
        """Its dedupe key, its session, its slug, and the memories it names."""
        asked = questions_of([self.episode])
        return replace(asked, slug_keys=(self.note.slug_key,), memory_ids=(*asked.memory_ids, *self.links.ids()))

    def decide(self, view: View) -> dict[str, Any]:
        """What became of the episode and of the note: created, restated, or a new version of an older one.

        Raises ``NotFound`` naming the field when a memory it names does not exist; nothing is written then.
        """
        stored = store(view, self.episode)
        if isinstance(stored, list):
            return {"episode": stored}
        view.changes.jobs.extend(self.jobs)
        named = {each: self._named(view, field, each) for field, each in self.links.pairs()}
        live = view.notes.get(self.note.slug_key)
        live = live if live is not None and live.live else None
        hand = Hand(view, self.scope, self.actor)
        if live is not None and live.content_hash == self.note.content_hash:
            note, outcome = live, {"restated": live.id}
            hand.link("derived_from", live.id, self.episode.ref.id, position=live.sources)
            # Another statement of the same note may stand later in this group and needs the next place.
            live.sources += 1
        else:
            note = self._put(hand)
            outcome = {"superseded": live.id if live else None}
            if live is not None:
                hand.supersede(note, live, self.note.valid_from or view.tick())
            view.learn(note)
        self._relate(hand, note, named)
        return {"episode": CREATED, **outcome}

    def _put(self, hand: Hand) -> Known:
        view, note = hand.view, self.note
        at = view.tick()
        memory = {**note.memory, "producedAt": at}
        view.changes.add_memory(Kind.ATOM, memory, note.passages, at, view.seq)
        view.changes.topics.extend(note.topics)
        hand.link("derived_from", note.ref.id, self.episode.ref.id, at=at, position=0)
        view.changes.add_event("atom.extracted", note.ref, at)
        if not self.jobs:
            view.changes.add_event("memory.indexed", note.ref, at)
        return made(note.ref, memory)

    def _relate(self, hand: Hand, note: Known, named: dict[str, Known]) -> None:
        # A note saved again may name what it named the first time, or itself.
        news = {
            field: [each for each in names if each != note.id and not hand.linked(link_type, note, each)]
            for field, link_type, names in (
                ("sources", "derived_from", self.links.sources),
                ("supports", "supports", self.links.supports),
                ("supersedes", "supersedes", self.links.supersedes),
                ("contradicts", "contradicts", self.links.contradicts),
            )
        }
        for each in news["sources"]:
            if not note.made_here and hand.rests_on(each, [note.id]):
                raise LinkCircle(details={"path": "sources"})
            hand.link("derived_from", note.id, each, position=note.sources)
            note.sources += 1
        for each in news["supports"]:
            hand.link("supports", note.id, each)
        for each in news["supersedes"]:
            if note.made_here or named[each].is_current():
                hand.supersede(note, named[each], self.note.valid_from or hand.view.tick())
        for each in news["contradicts"]:
            if named[each].is_current():
                hand.contradict(note, named[each])
            else:
                hand.link("contradicts", note.id, each)

    def _named(self, view: View, field: str, name: str) -> Known:
        found = view.memories.get(name)
        # Of its agent, in whatever session: what was said yesterday can be corrected today.
        agents = replace(self.scope, session_id=None)
        if (
            found is None
            or found.status is Status.TOMBSTONED
            or not agents.admits(found.ref.scope.agent_id, found.ref.scope.session_id)
        ):
            raise NotFound(f"{field}: there is no memory {name} in this scope.", {"path": field})
        return found
