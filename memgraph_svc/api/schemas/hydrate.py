"""The shapes of hydrate."""

from __future__ import annotations

from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import ActorSchema, Flag, Open, RefSchema, ScopeSchema, Strict, listed


class HydrateRequest(Strict):
    """Which memories to read."""

    scope = fields.Nested(ScopeSchema, required=True)
    refs = listed(
        RefSchema,
        required=True,
        validate=validate.Length(min=1),
        metadata={"description": "at most MEMGRAPH_MAX_BATCH (1,000)"},
    )
    includeProvenance = Flag(
        load_default=False,
        allow_none=True,
        metadata={"description": "adds the chain back to the episodes; direct sources are always named"},
    )
    details = Flag(
        load_default=False,
        allow_none=True,
        metadata={"description": "adds slug, title, topics, pinned, validity, event time and last change"},
    )


class ProvenanceSchema(Open):
    """Where a memory comes from."""

    sourceRefs = listed(RefSchema, required=True)
    producedBy = fields.String(required=True)
    createdAt = fields.String(required=True, metadata={"format": "date-time"})
    transformationType = fields.String(required=True)
    metadata = fields.Dict(metadata={"description": "chain: {ref, depth} of everything it rests on, nearest first"})


class ObjectSchema(Open):
    """An episode, atom, consolidation or link."""

    id = fields.String(required=True)
    type = fields.String(required=True, validate=validate.OneOf(["episode", "atom", "consolidation", "link"]))
    scope = fields.Nested(ScopeSchema, required=True)
    createdAt = fields.String(required=True, metadata={"format": "date-time"})
    createdBy = fields.Nested(ActorSchema, required=True)
    status = fields.String(required=True)
    metadata = fields.Dict(required=True, metadata={"description": "as it was sent"})
    content = fields.Raw(metadata={"description": "as it was sent; links have none"})
    contentType = fields.String(metadata={"description": "of an episode"})
    dedupeKey = fields.String(metadata={"description": "of an episode, when it was given"})
    atomType = fields.String(metadata={"description": "of an atom"})
    confidence = fields.Float(metadata={"description": "of an atom, when known"})
    title = fields.String(metadata={"description": "of a consolidation"})
    sourceRefs = listed(RefSchema, metadata={"description": "of a consolidation"})
    supersedes = listed(RefSchema, metadata={"description": "of a consolidation"})
    provenance = fields.Nested(ProvenanceSchema, metadata={"description": "of an atom or consolidation"})
    linkType = fields.String(metadata={"description": "of a link"})
    from_ = fields.Nested(RefSchema, data_key="from", metadata={"description": "of a link"})
    to = fields.Nested(RefSchema, metadata={"description": "of a link"})
    stale = fields.Boolean(metadata={"description": "present and true when its sources changed since"})
    staleReason = fields.String()


class HydrateResponse(Open):
    """Every asked ref is in exactly one of the two lists."""

    objects = listed(ObjectSchema, required=True)
    missing = listed(RefSchema, required=True)
