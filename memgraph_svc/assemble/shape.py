"""Memories and links as the wire describes them.

In: stored values. Out: JSON-ready objects of the published data model, whose closed form leaves room for ours only
where the caller asked for details. Pure.
"""

from __future__ import annotations

from typing import Any

from memgraph_svc.assemble.stored import Chain, StoredLink, StoredMemory
from memgraph_svc.model.memory import Kind


def memory(kept: StoredMemory, chain: Chain | None = None, *, details: bool = False) -> dict[str, Any]:
    """A durable object; ``stale`` shows whenever it is set, the rest of ours only with ``details``."""
    shape: dict[str, Any] = {
        "id": kept.ref.id,
        "type": kept.ref.kind.value,
        "scope": kept.ref.scope.wire(),
        "createdAt": kept.created_at,
        "createdBy": kept.created_by.wire(),
        "status": kept.status.value,
        "content": kept.content,
        "metadata": dict(kept.metadata),
    }
    own = kept.own
    if kept.ref.kind is Kind.EPISODE:
        shape["contentType"] = own.get("contentType", "text/plain")
        if "dedupeKey" in own:
            shape["dedupeKey"] = own["dedupeKey"]
    else:
        shape["provenance"] = provenance(kept, chain)
        if kept.ref.kind is Kind.ATOM:
            shape["atomType"] = own.get("atomType", "claim")
            if kept.confidence is not None:
                shape["confidence"] = kept.confidence
        else:
            _consolidated(kept, shape)
    if kept.stale:
        shape["stale"] = True
        shape["staleReason"] = kept.stale_reason or "source_removed"
    if details:
        _detailed(kept, shape)
    return shape


def _consolidated(kept: StoredMemory, shape: dict[str, Any]) -> None:
    shape["sourceRefs"] = [ref.wire() for ref in kept.sources]
    if kept.supersedes:
        shape["supersedes"] = [ref.wire() for ref in kept.supersedes]
    if "title" in kept.own:
        shape["title"] = kept.own["title"]


def _detailed(kept: StoredMemory, shape: dict[str, Any]) -> None:
    names = ("title", "slug", "pinned", "validFrom", "validTo", "lastVerifiedAt")
    shape.update({name: kept.own[name] for name in names if name in kept.own})
    if kept.topics:
        shape["topics"] = list(kept.topics)
    if kept.updated_at:
        shape["updatedAt"] = kept.updated_at
    if kept.occurred_at:
        shape["occurredAt"] = kept.occurred_at
    if kept.supersedes:
        shape["supersedes"] = [ref.wire() for ref in kept.supersedes]


def provenance(kept: StoredMemory, chain: Chain | None = None) -> dict[str, Any]:
    """Where a memory comes from. An episode is its own source: it rests on nothing but what was said.

    The chain back to the episodes stands in ``metadata``, the open part of the published shape, and only when there is
    more of it than the direct sources.
    """
    if kept.ref.kind is Kind.EPISODE:
        return {
            "sourceRefs": [kept.ref.wire()],
            "producedBy": kept.created_by.id,
            "createdAt": kept.created_at,
            "transformationType": "ingest",
        }
    shape: dict[str, Any] = {
        "sourceRefs": [ref.wire() for ref in kept.sources],
        "producedBy": kept.own.get("producedBy", kept.created_by.id),
        "createdAt": kept.own.get("producedAt", kept.created_at),
        "transformationType": kept.own.get("transformation", "extraction"),
    }
    if chain is not None and any(depth > 1 for _, depth in chain.steps):
        steps = [{"ref": ref.wire(), "depth": depth} for ref, depth in chain.steps]
        shape["metadata"] = {"chain": steps, "chainTruncated": chain.total > len(steps)}
    return shape


def link(kept: StoredLink) -> dict[str, Any]:
    """A link as a durable object."""
    return {
        "id": kept.ref.id,
        "type": Kind.LINK.value,
        "scope": kept.ref.scope.wire(),
        "createdAt": kept.created_at,
        "createdBy": kept.created_by.wire(),
        "status": kept.status,
        "linkType": kept.link_type,
        "from": kept.source.wire(),
        "to": kept.target.wire(),
        "metadata": dict(kept.metadata),
    }
