"""The shapes of assemble-context."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import (
    CONSISTENCY,
    FiltersSchema,
    Flag,
    Open,
    RefSchema,
    ScopeSchema,
    Strict,
    Text,
    Whole,
    downgrade,
    listed,
)
from memgraph_svc.api.schemas.hydrate import ProvenanceSchema
from memgraph_svc.api.schemas.query import WarningSchema

MOST_REFS = 1_000
_POSITIVE = validate.Range(min=1, max=2**31)


class BudgetSchema(Strict):
    """How much room there is. A token is estimated as four bytes of UTF-8."""

    maxTokens = Whole(required=True, validate=_POSITIVE)
    maxSegments = Whole(validate=_POSITIVE)
    reservedTokens = Whole(validate=validate.Range(min=0), metadata={"description": "taken off maxTokens"})
    tokenizer = Text(metadata={"description": "accepted and repeated; the estimate stays the same"})

    @ma.validates_schema
    def _check(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("reservedTokens", 0) >= data.get("maxTokens", 2**63):
            raise ma.ValidationError("must be less than maxTokens", "reservedTokens")


class ConstraintsSchema(Open):
    """What must, may and must not be in the context; constraints of later versions are accepted."""

    mustIncludeRefs = listed(
        RefSchema,
        allow_none=True,
        validate=validate.Length(max=MOST_REFS),
        metadata={"description": "come first, also when the task does not match them"},
    )
    excludedRefs = listed(RefSchema, allow_none=True, validate=validate.Length(max=MOST_REFS))
    maxSegments = Whole(
        allow_none=True, validate=_POSITIVE, metadata={"description": "the smaller of both bounds wins"}
    )
    includeDisputed = Flag(allow_none=True)
    includeSuperseded = Flag(allow_none=True)
    allowStale = Flag(allow_none=True)
    preferRecency = Flag(allow_none=True)
    preferHighConfidence = Flag(allow_none=True)


class ContextRequest(Strict):
    """A task, and the room there is for what is known about it."""

    scope = fields.Nested(ScopeSchema, required=True)
    task = Text(required=True)
    budget = fields.Nested(BudgetSchema, required=True)
    filters = fields.Nested(FiltersSchema, allow_none=True)
    constraints = fields.Nested(ConstraintsSchema, allow_none=True)
    allowDowngrade = downgrade()
    consistency = Text(load_default="strong", validate=validate.OneOf(CONSISTENCY))


class SegmentSchema(Open):
    """A memory, or an excerpt of it."""

    ref = fields.Nested(RefSchema, required=True)
    content = fields.String(required=True, metadata={"description": "stored text or an excerpt of it, byte for byte"})
    score = fields.Float(required=True)
    reason = fields.String(required=True)
    provenance = fields.Nested(ProvenanceSchema, required=True)
    occurredAt = fields.String(metadata={"format": "date-time"})


class ContextSchema(Open):
    """A working context; it is never stored."""

    scope = fields.Nested(ScopeSchema, required=True)
    task = fields.String(required=True)
    budget = fields.Nested(BudgetSchema, required=True)
    segments = listed(SegmentSchema, required=True)
    tokenEstimate = fields.Integer(required=True)
    truncated = fields.Boolean(required=True)
    warnings = listed(WarningSchema, required=True)
    generatedAt = fields.String(required=True, metadata={"format": "date-time"})
    contextHash = fields.String(
        required=True, metadata={"description": "16 hex digits over the segments: equal for equal segments"}
    )


class ContextResponse(Open):
    """The working context."""

    context = fields.Nested(ContextSchema, required=True)
