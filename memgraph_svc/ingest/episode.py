"""Turn a checked episode into the rows that store it.

In: a draft and the secret of dedupe keys. Out: everything that can be computed before the namespace's lock is taken. What
becomes of it under the lock is decided in ``proposals.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memgraph_svc.clock import new_id, now
from memgraph_svc.ingest import stated
from memgraph_svc.ingest.dedupe import dedupe_hash
from memgraph_svc.ingest.stated import Named
from memgraph_svc.lifecycle.claim_write import PreparedClaim, prepare_claim
from memgraph_svc.lifecycle.rows import identity, passage_rows
from memgraph_svc.model.content import dumps, readable
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import PREFIX, Actor, Kind, Ref, Status
from memgraph_svc.model.passages import cut
from memgraph_svc.model.scope import Scope
from memgraph_svc.model.times import lenient

_LONGEST_NAME = 512


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """An episode as it was sent, checked."""

    content_type: str
    content: Any
    created_by: Actor
    dedupe_key: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class PreparedEpisode:
    """An episode ready to be stored, save for its time and place."""

    ref: Ref
    memory: dict[str, Any]
    passages: list[dict[str, Any]]
    content_hash: str
    dedupe_hash: str | None
    session_id: str | None
    weight: int
    claims: list[PreparedClaim]
    named: Named
    actor: Actor

    def all_passages(self) -> list[dict[str, Any]]:
        """Its own passages and those of what it claims."""
        return [*self.passages, *(row for each in self.claims for row in each.passages)]


def prepare(scope: Scope, draft: EpisodeDraft, secret: bytes, told: str | None = None) -> PreparedEpisode:
    """Compute all that does not depend on what the graph holds.

    ``told`` takes the place of the content's hash where more than the content decides whether a key is repeated.
    """
    ref = Ref(new_id(PREFIX[Kind.EPISODE]), Kind.EPISODE, scope)
    text = readable(draft.content)
    as_text = isinstance(draft.content, str)
    hashed = told or content_hash(draft.content)
    key_hash = None if draft.dedupe_key is None else dedupe_hash(secret, scope, draft.dedupe_key)
    memory = {
        **identity(ref, draft.created_by, text),
        "status": Status.ACTIVE.value,
        "content": draft.content if as_text else dumps(draft.content),
        "contentIsJson": None if as_text else True,
        "contentType": draft.content_type,
        "contentHash": hashed,
        "dedupeKey": draft.dedupe_key,
        "dedupeHash": key_hash,
        "occurredAt": lenient(draft.metadata.get("occurredAt")),
        "validFrom": lenient(draft.metadata.get("validFrom")),
        "validTo": lenient(draft.metadata.get("validTo")),
        "metadataJson": dumps(draft.metadata) if draft.metadata else None,
    }
    said = [prepare_claim(scope, each, draft.created_by, "stated", "statement") for each in stated.claims(draft, now())]
    return PreparedEpisode(
        ref,
        memory,
        passage_rows(ref, cut(draft.content), Status.ACTIVE),
        hashed,
        key_hash,
        _conversation(scope, draft.metadata),
        len(text) + 1_000 * (1 + len(said)),
        said,
        stated.named(draft.metadata),
        draft.created_by,
    )


def _conversation(scope: Scope, metadata: Mapping[str, Any]) -> str | None:
    if scope.session_id is not None:
        return scope.session_id
    named = metadata.get("session")
    if isinstance(named, bool) or not isinstance(named, (str, int)):
        return None
    # A name that no scope could carry is kept as metadata and names no conversation.
    return str(named) if str(named).strip() and len(str(named)) <= _LONGEST_NAME else None
