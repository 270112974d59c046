"""Make what agents tell durable.

In: checked episodes and statements. Out: one result for each, in order, once it is committed and searchable. Whether a
body is well formed is decided at the API; who waits for whom in ``write/``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memgraph_svc.clock import new_id
from memgraph_svc.errors.availability import IndexTimeout
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.errors.work import DedupeConflict, DedupeTombstoned
from memgraph_svc.ingest.dedupe import Verdict
from memgraph_svc.ingest.episode import EpisodeDraft, prepare
from memgraph_svc.ingest.note import NoteDraft, prepare_note
from memgraph_svc.ingest.proposals import CREATED, IngestProposal
from memgraph_svc.ingest.remember import RememberProposal
from memgraph_svc.ingest.store import notes_of_episode
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.graph.secrets import Secrets
    from memgraph_svc.write.lanes import Lanes

_REFUSALS: dict[str, type[ServiceError]] = {
    Verdict.CONFLICT: DedupeConflict,
    Verdict.TOMBSTONED: DedupeTombstoned,
}


class IngestService:
    """Stores episodes and remembered notes."""

    def __init__(
        self,
        graph: Graph,
        lanes: Lanes,
        secrets: Secrets,
        vectors: Vectors | None = None,
        indexed: Callable[[Scope], bool] = lambda _: True,
        *,
        extract: bool = False,
    ) -> None:
        self._graph = graph
        self._lanes = lanes
        self._secrets = secrets
        self._vectors = vectors or Vectors()
        self._extract = extract  # whether to queue a search for the claims of what is stored
        self._indexed = indexed  # waits until what is stored is indexed, and says whether it came to that in time

    def ingest(
        self, scope: Scope, items: Sequence[EpisodeDraft | ServiceError], *, indexed: bool = True
    ) -> list[dict[str, Any]]:
        """Store a batch in one transaction; a refused item does not stop the others.

        On return every created episode is durable, can be hydrated and is found by its words, and with ``indexed`` by
        its meaning as well; otherwise a job of the same commit sees to that. A retry with the same dedupe keys changes
        nothing and gives the same refs. Raises ``Unavailable`` when the database stays away; then nothing of the batch
        is acknowledged, and a retry is safe for episodes with keys. Raises ``IndexTimeout`` when all is stored but the
        model failed and the worker did not catch up in time.
        """
        secret = self._secrets.key("dedupe")
        prepared = [item if isinstance(item, ServiceError) else prepare(scope, item, secret) for item in items]
        good = [item for item in prepared if not isinstance(item, ServiceError)]
        jobs = self._vectors.ready(scope, (row for each in good for row in each.all_passages()), now=indexed)
        outcomes = iter(self._lanes.submit(IngestProposal(scope, good, jobs, self._extract)) if good else ())
        if indexed and jobs:
            self._await_index(scope)
        return [
            _refused(scope, item) if isinstance(item, ServiceError) else _result(scope, item.ref, next(outcomes))
            for item in prepared
        ]

    def _await_index(self, scope: Scope) -> None:
        if not self._indexed(scope):
            raise IndexTimeout

    def remember(self, scope: Scope, draft: NoteDraft) -> dict[str, Any]:
        """Store a statement as an episode and the note derived from it.

        A slug saved again gets a new version that supersedes the old one; the same note again only adds a source.
        Raises ``DedupeConflict`` when the key is taken by another statement; a retry with the same key and statement
        gives the first answer's refs.
        """
        note = prepare_note(scope, draft)
        # The key answers for the whole note: the same body under another title is another statement.
        told = content_hash([note.memory["slug"], note.content_hash])
        episode = prepare(scope, _as_episode(draft), self._secrets.key("dedupe"), told)
        jobs = self._vectors.ready(scope, [*episode.all_passages(), *note.passages])
        outcome = self._lanes.submit(RememberProposal(scope, episode, note, draft.created_by, draft.links, jobs))
        if jobs:
            self._await_index(scope)
        shape = {"slug": note.memory["slug"], "title": note.memory["title"]}
        if outcome["episode"] != CREATED:
            return self._repeated(scope, outcome["episode"], shape)
        if outcome.get("restated"):
            restated = Ref(outcome["restated"], Kind.ATOM, scope).wire()
            return {"ref": restated, "episodeRef": episode.ref.wire(), "status": "restated", **shape}
        answer = {"ref": note.ref.wire(), "episodeRef": episode.ref.wire(), "status": "created", **shape}
        if outcome["superseded"]:
            answer["superseded"] = Ref(outcome["superseded"], Kind.ATOM, scope).wire()
        return answer

    def _repeated(self, scope: Scope, outcome: list[str], shape: dict[str, Any]) -> dict[str, Any]:
        judged, episode_id = outcome
        if judged in _REFUSALS:
            raise _REFUSALS[judged]
        notes = notes_of_episode(self._graph, scope.key, episode_id)
        answer: dict[str, Any] = {
            "episodeRef": Ref(episode_id, Kind.EPISODE, scope).wire(),
            "status": "deduplicated",
            **shape,
        }
        if notes:
            answer |= {
                "ref": Ref(notes[0]["id"], Kind.ATOM, scope).wire(),
                "slug": notes[0]["slug"],
                "title": notes[0]["title"],
            }
        return answer


def _as_episode(draft: NoteDraft) -> EpisodeDraft:
    return EpisodeDraft("text/plain", draft.body, draft.created_by, draft.dedupe_key, draft.metadata)


def _result(scope: Scope, ref: Ref, outcome: Any) -> dict[str, Any]:
    if outcome == CREATED:
        return {"ref": ref.wire(), "status": "created"}
    if isinstance(outcome, dict):
        return {"ref": ref.wire(), "status": "created", "warnings": [_unknown(outcome["unknown"])]}  # pyright: ignore[reportUnknownArgumentType]
    judged, holder = outcome
    held = Ref(holder, Kind.EPISODE, scope).wire()
    if judged in _REFUSALS:
        return {"ref": held, "status": "rejected", "error": _REFUSALS[judged]().body()}
    return {"ref": held, "status": "deduplicated"}


def _unknown(names: list[str]) -> dict[str, Any]:
    return {
        "code": "unknown_ref",
        "message": "The metadata names memory that is not in this scope, or closes a circle; it is kept as data only: "
        + ", ".join(names[:5]),
    }


def _refused(scope: Scope, error: ServiceError) -> dict[str, Any]:
    # The wire asks for a ref even here; this one names nothing and is never stored.
    nothing = Ref(new_id("rejected"), Kind.EPISODE, scope)
    return {"ref": nothing.wire(), "status": "rejected", "error": error.body()}
