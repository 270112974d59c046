"""The shapes of query."""

from __future__ import annotations

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
from memgraph_svc.assemble.query import DEFAULT_LIMIT, MOST


class QueryRequest(Strict):
    """What to look for."""

    scope = fields.Nested(ScopeSchema, required=True)
    query = Text(required=True, metadata={"description": "any text; operators and wildcards are words or nothing"})
    filters = fields.Nested(FiltersSchema, allow_none=True)
    limit = Whole(
        load_default=DEFAULT_LIMIT,
        validate=validate.Range(min=1, max=MOST),
        metadata={"description": "at most so many refs; the filters apply first"},
    )
    consistency = Text(load_default="strong", validate=validate.OneOf(CONSISTENCY))
    allowDowngrade = downgrade()
    explain = Flag(load_default=False, metadata={"description": "rank, score and matched words of each hit"})


class WarningSchema(Open):
    """What an answer says about its own weakness."""

    code = fields.String(required=True)
    message = fields.String(required=True)
    refs = listed(RefSchema)


class HitSchema(Open):
    """A memory that was found; never its content."""

    ref = fields.Nested(RefSchema, required=True)
    score = fields.Float(required=True, metadata={"description": "comparable within one answer only"})
    reason = fields.String(metadata={"description": "why it was found"})
    warnings = listed(WarningSchema, metadata={"description": "present when the memory is stale"})
    explain = fields.Dict(metadata={"description": "present when asked for"})


class QueryResponse(Open):
    """The hits, best first."""

    refs = listed(HitSchema, required=True)
    warnings = listed(WarningSchema, metadata={"description": "present when there are any"})
