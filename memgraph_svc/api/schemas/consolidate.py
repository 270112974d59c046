"""The shapes of consolidate."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import FiltersSchema, Open, ScopeSchema, Strict, Text

TRIGGERS = ("manual", "scheduled", "threshold", "idle")
_OTHERS = ("metadata", "asOf")


class ConsolidateRequest(Strict):
    """What to consolidate, and why."""

    scope = fields.Nested(ScopeSchema, required=True)
    trigger = Text(required=True, validate=validate.OneOf(TRIGGERS))
    filters = fields.Nested(
        FiltersSchema,
        allow_none=True,
        metadata={"description": "createdAfter and createdBefore bound the episodes; only living ones are ever used"},
    )
    mode = Text(
        load_default="enqueue",
        validate=validate.OneOf(["enqueue", "run_now"]),
        metadata={"description": "run_now waits for the end of the job, up to 30 seconds"},
    )

    @ma.validates_schema
    def _check(self, data: dict[str, Any], **_: Any) -> None:
        for name in _OTHERS:
            if (data.get("filters") or {}).get(name) is not None:
                raise ma.ValidationError({name: ["consolidation does not filter by this"]}, "filters")


class ConsolidateResponse(Open):
    """The job, and how far it is."""

    jobId = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["queued", "running", "completed", "failed"]))
