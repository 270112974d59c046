"""The shapes of subscribe and events."""

from __future__ import annotations

from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import (
    CONSISTENCY,
    Open,
    RefSchema,
    ScopeSchema,
    Strict,
    Text,
    listed,
    name,
)
from memgraph_svc.api.schemas.query import WarningSchema
from memgraph_svc.feed.service import PAGE

MAX_CURSOR = 200
MAX_TYPES = 50


class SubscribeRequest(Strict):
    """Where to go on, and which events are wanted."""

    scope = fields.Nested(ScopeSchema, required=True)
    eventTypes = fields.List(
        Text(validate=validate.Length(min=1, max=100)), allow_none=True, validate=validate.Length(max=MAX_TYPES)
    )
    cursor = Text(allow_none=True, metadata={"description": "of an event or of Memory-Next-Cursor"})
    consistency = Text(allow_none=True, validate=validate.OneOf(CONSISTENCY))


class EventsArgs(Strict):
    """The same by query parameters."""

    tenantId = name()
    namespaceId = name()
    agentId = name(required=False)
    sessionId = name(required=False)
    types = Text(metadata={"description": "event types, separated by commas"}, validate=validate.Length(max=1_000))
    cursor = Text()
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(min=1, max=PAGE))


class EventSchema(Open):
    """One lifecycle fact; it names memories and never holds their text."""

    id = fields.String(required=True)
    cursor = fields.String(required=True)
    type = fields.String(required=True)
    scope = fields.Nested(ScopeSchema, required=True)
    timestamp = fields.String(required=True)
    occurredAt = fields.String(required=True)
    ref = fields.Nested(RefSchema)
    jobId = fields.String()
    metadata = fields.Dict()
    payload = fields.Dict(required=True)


class EventsResponse(Open):
    """A page of events in their order."""

    events = listed(EventSchema, required=True)
    nextCursor = fields.String(required=True)
    warnings = listed(WarningSchema, required=True)
