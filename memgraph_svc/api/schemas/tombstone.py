"""The shapes of tombstone and of its receipts."""

from __future__ import annotations

from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import (
    ActorSchema,
    ErrorSchema,
    Flag,
    Open,
    RefSchema,
    ScopeArgs,
    ScopeSchema,
    Strict,
    Text,
    Whole,
    Zoned,
    listed,
    not_blank,
)
from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.service import PAGE
from memgraph_svc.cascade.store import DEEPEST

MAX_REASON = 2_000


class TombstoneRequest(Strict):
    """What to delete, and what becomes of memory derived from it."""

    scope = fields.Nested(ScopeSchema, required=True)
    refs = listed(
        RefSchema,
        required=True,
        validate=validate.Length(min=1),
        metadata={"description": "at most MEMGRAPH_MAX_BATCH (1,000)"},
    )
    reason = Text(
        required=True,
        validate=[validate.Length(min=1, max=MAX_REASON), not_blank],
        metadata={"description": "kept with the tombstone and the receipt; do not quote what is deleted"},
    )
    cascadePolicy = fields.Enum(Policy, by_value=True, required=True)
    maxDepth = Whole(
        load_default=DEEPEST,
        validate=validate.Range(min=1, max=DEEPEST),
        metadata={"description": "how many steps of derivation are followed; beyond is marked stale"},
    )
    soleSupportOnly = Flag(
        load_default=True,
        metadata={"description": "with tombstone_derived: an atom that has another living source stays"},
    )
    dryRun = Flag(load_default=False, metadata={"description": "answer what would happen, and change nothing"})
    requestedBy = fields.Nested(ActorSchema, metadata={"description": "who asked; kept in the receipt"})


class TombstoneResult(Open):
    """What became of one ref."""

    ref = fields.Nested(RefSchema, required=True)
    status = fields.String(
        required=True, validate=validate.OneOf(["tombstoned", "already_tombstoned", "not_found", "rejected"])
    )
    affectedDerivedRefs = listed(
        RefSchema, metadata={"description": "what was derived from it and removed or marked, nearest first"}
    )
    error = fields.Nested(ErrorSchema)


class BeyondDepthSchema(Open):
    """What lies deeper than the cascade was allowed to go."""

    count = fields.Integer(required=True)
    refs = listed(RefSchema, required=True)
    message = fields.String(required=True)


class TombstoneResponse(Open):
    """One result for each ref, in order, and what else happened."""

    results = listed(TombstoneResult, required=True)
    receiptId = fields.String(metadata={"description": "of what was deleted; absent when nothing was"})
    plan = fields.Dict(metadata={"description": "by distance: how many were tombstoned, marked stale and kept"})
    keptRefs = listed(RefSchema, metadata={"description": "derived memory that other sources hold up"})
    affectedBeyondScope = fields.Integer(metadata={"description": "affected memory of other agents or sessions"})
    beyondDepth = fields.Nested(BeyondDepthSchema)
    followUpJobIds = fields.List(fields.String(), metadata={"description": "jobs that go on with what follows"})
    dryRun = fields.Boolean(metadata={"description": "present and true when nothing was changed"})


class ReceiptsArgs(ScopeArgs):
    """Which receipts to list."""

    before = Zoned(metadata={"type": "string", "format": "date-time", "description": "only those made before"})
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(min=1, max=PAGE))


class ReceiptSchema(Open):
    """What a deletion removed and left; names only, no content."""

    receiptId = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    cascadePolicy = fields.String(required=True)
    reason = fields.String(required=True)
    requestedBy = fields.Nested(ActorSchema, required=True)
    maxDepth = fields.Integer(required=True)
    rootIds = fields.List(fields.String(), required=True)
    removedIds = fields.List(fields.String(), required=True)
    staleIds = fields.List(fields.String(), required=True)
    keptIds = fields.List(fields.String(), required=True)
    jobIds = fields.List(fields.String(), required=True)
    plan = fields.Dict(required=True)


class ReceiptsResponse(Open):
    """Receipts, newest first."""

    receipts = listed(ReceiptSchema, required=True)
