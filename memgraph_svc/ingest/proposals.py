"""What one request wants to write, decided under the namespace's lock.

In: prepared episodes and notes. Out: rows in the group's change set and an outcome of plain values. Each may be decided
more than once, so nothing here keeps state between two calls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memgraph_svc.clock import new_id
from memgraph_svc.ingest.dedupe import Verdict, verdict
from memgraph_svc.ingest.episode import PreparedEpisode
from memgraph_svc.ingest.note import PreparedNote
from memgraph_svc.model.memory import PREFIX, Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.view import KnownEpisode, LiveNote, Questions, View

CREATED = 0  # the common outcome costs one digit in the stored result


@dataclass(frozen=True, slots=True)
class IngestProposal:
    """Store the episodes of one ingest request."""

    scope: Scope
    episodes: list[PreparedEpisode]

    @property
    def weight(self) -> int:
        """The size of all its texts."""
        return sum(each.weight for each in self.episodes)

    def questions(self) -> Questions:
        """Its dedupe keys and sessions."""
        return _questions(self.episodes)

    def decide(self, view: View) -> list[Any]:
        """One outcome for each episode: 0 when created, else the verdict and the id that holds the key."""
        return [_store(view, each) for each in self.episodes]


@dataclass(frozen=True, slots=True)
class RememberProposal:
    """Store one statement as an episode and the note derived from it."""

    scope: Scope
    episode: PreparedEpisode
    note: PreparedNote
    actor: Actor

    @property
    def weight(self) -> int:
        """The size of both texts."""
        return self.episode.weight * 2

    def questions(self) -> Questions:
        """Its dedupe key, its session and its slug."""
        asked = _questions([self.episode])
        return Questions(asked.dedupe_hashes, (self.note.slug_key,), asked.session_ids)

    def decide(self, view: View) -> dict[str, Any]:
        """What became of the episode and of the note: created, restated, or a new version of an older one."""
        stored = _store(view, self.episode)
        if stored != CREATED:
            return {"episode": stored}
        live = view.notes.get(self.note.slug_key)
        if live is not None and live.content_hash == self.note.content_hash:
            return self._restate(view, live)
        self._put(view)
        if live is not None:
            self._replace(view, live)
        view.notes[self.note.slug_key] = LiveNote(
            self.note.ref.id,
            self.note.content_hash,
            self.note.pinned,
            self.note.valid_from,
            self.note.memory["validTo"],
            self.scope.agent_id,
            self.scope.session_id,
        )
        return {"episode": CREATED, "superseded": live.id if live else None}

    def _restate(self, view: View, live: LiveNote) -> dict[str, Any]:
        self._link(view, "derived_from", live.id, self.episode.ref.id, view.tick(), position=live.sources)
        # Another statement of the same note may stand later in this group and needs the next place.
        view.notes[self.note.slug_key] = replace(live, sources=live.sources + 1)
        return {"episode": CREATED, "restated": live.id}

    def _put(self, view: View) -> None:
        at, note = view.tick(), self.note
        view.changes.add_memory(Kind.ATOM, {**note.memory, "producedAt": at}, note.passages, at, view.seq)
        view.changes.topics.extend(note.topics)
        self._link(view, "derived_from", note.ref.id, self.episode.ref.id, at, position=0)
        view.changes.add_event("atom.extracted", note.ref, at)
        view.changes.add_event("memory.indexed", note.ref, at)

    def _replace(self, view: View, live: LiveNote) -> None:
        at, note = view.tick(), self.note
        old = Ref(
            live.id, Kind.ATOM, Scope(self.scope.tenant_id, self.scope.namespace_id, live.agent_id, live.session_id)
        )
        view.changes.supersede(live.id, at, view.seq, _ends(live, note.valid_from or at), pinned=live.pinned)
        self._link(view, "supersedes", note.ref.id, live.id, at)
        view.changes.add_event("memory.superseded", old, at, {"supersededBy": note.ref.id})

    def _link(
        self, view: View, link_type: str, source: str, target: str, at: datetime, position: int | None = None
    ) -> None:
        link = {
            "id": new_id(PREFIX[Kind.LINK]),
            "status": "active",
            "createdAt": at,
            "createdById": self.actor.id,
            "createdByKind": self.actor.kind,
            "agentId": self.scope.agent_id,
            "sessionId": self.scope.session_id,
            "seq": view.seq,
            "knownFrom": at,
            "position": position,
        }
        view.changes.add_link(link_type, source, target, link)


def _ends(live: LiveNote, successor: datetime) -> datetime | None:
    """When a superseded note stops being valid: when its successor begins, unless it ended before or had not begun."""
    if live.valid_to is not None and live.valid_to <= successor:
        return live.valid_to
    return successor if live.valid_from is None or live.valid_from < successor else live.valid_to


def _questions(episodes: list[PreparedEpisode]) -> Questions:
    return Questions(
        dedupe_hashes=tuple(each.dedupe_hash for each in episodes if each.dedupe_hash),
        session_ids=tuple({each.session_id for each in episodes if each.session_id}),
    )


def _store(view: View, episode: PreparedEpisode) -> Any:
    """Add one episode unless its key is taken; 0 when created, else the verdict and the holder's id."""
    if episode.dedupe_hash is not None:
        held = view.known.get(episode.dedupe_hash)
        judged = verdict(episode.content_hash, held.content_hash if held else None, held.status if held else None)
        if held is not None and judged is not Verdict.CREATE:
            return [judged.value, held.id]
        view.known[episode.dedupe_hash] = KnownEpisode(episode.ref.id, episode.content_hash, "active")
    at = view.tick()
    memory = episode.memory if episode.memory["occurredAt"] else {**episode.memory, "occurredAt": at}
    view.changes.add_memory(Kind.EPISODE, memory, episode.passages, at, view.seq)
    if episode.session_id is not None:
        view.changes.sessions.setdefault(episode.session_id, []).append(episode.ref.id)
    view.changes.add_event("episode.ingested", episode.ref, at)
    view.changes.add_event("memory.indexed", episode.ref, at)
    return CREATED
