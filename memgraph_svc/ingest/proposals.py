"""What one ingest request wants to write, decided under the namespace's lock.

In: prepared episodes. Out: rows in the group's change set and an outcome of plain values. May be decided more than once, so
nothing here keeps state between two calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memgraph_svc.ingest.dedupe import Verdict, verdict
from memgraph_svc.ingest.episode import PreparedEpisode
from memgraph_svc.ingest.relations import relate
from memgraph_svc.lifecycle.claim_write import EXTRACT
from memgraph_svc.lifecycle.relate import Hand
from memgraph_svc.model.job import JobSpec, job_row
from memgraph_svc.model.memory import Kind
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known, KnownEpisode
from memgraph_svc.write.view import Questions, View

CREATED = 0  # the common outcome costs one digit in the stored result


@dataclass(frozen=True, slots=True)
class IngestProposal:
    """Store the episodes of one ingest request, and queue the work that follows."""

    scope: Scope
    episodes: list[PreparedEpisode]
    jobs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    extract: bool = False

    @property
    def weight(self) -> int:
        """The size of all its texts."""
        return sum(each.weight for each in self.episodes)

    def questions(self) -> Questions:
        """Its dedupe keys and sessions, and the claims and memories it speaks of."""
        return questions_of(self.episodes)

    def decide(self, view: View) -> list[Any]:
        """One outcome for each episode: 0 when created, else the verdict and the id that holds the key.

        An episode that names unknown memory has the outcome ``{"unknown": [ids]}``.
        """
        made = [store(view, each) for each in self.episodes]
        created = [each for each, outcome in zip(self.episodes, made, strict=True) if not isinstance(outcome, list)]
        if created:
            view.changes.jobs.extend(self.jobs)
        if created and self.extract:
            view.changes.jobs.append(self._extraction(view, created))
        return made

    def _extraction(self, view: View, created: list[PreparedEpisode]) -> dict[str, Any]:
        """The job that finds the claims of what was created; of this commit, so that none is forgotten."""
        whole = Scope(self.scope.tenant_id, self.scope.namespace_id)
        spec = JobSpec(EXTRACT, {"episodes": [each.ref.id for each in created]}, trigger="ingest")
        return job_row(spec, whole, created[0].actor, view.tick())


def questions_of(episodes: list[PreparedEpisode]) -> Questions:
    """What must be known before these episodes are stored."""
    return Questions(
        dedupe_hashes=tuple(each.dedupe_hash for each in episodes if each.dedupe_hash),
        session_ids=tuple({each.session_id for each in episodes if each.session_id}),
        claim_keys=tuple({claim.key for each in episodes for claim in each.claims}),
        memory_ids=tuple({name for each in episodes for name in each.named.ids()}),
        # Only an episode that stands between two others can close a circle, which takes a read of its own to see.
        alone=any(each.named.supersedes and each.named.superseded_by for each in episodes),
    )


def store(view: View, episode: PreparedEpisode) -> Any:
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
    if not any("pendingScope" in row for row in episode.passages):
        view.changes.add_event("memory.indexed", episode.ref, at)
    if not episode.claims and not episode.named.ids():
        return CREATED
    known = Known(episode.ref, valid_from=memory["validFrom"] or memory["occurredAt"], valid_to=memory["validTo"])
    known.made_here = True
    unknown = relate(Hand(view, episode.ref.scope, episode.actor), known, episode.claims, episode.named)
    return {"unknown": unknown} if unknown else CREATED
