"""The shapes of links, pin, unpin and confirm."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import ActorSchema, Open, RefSchema, ScopeSchema, Strict, Text, listed
from memgraph_svc.api.schemas.query import WarningSchema
from memgraph_svc.lifecycle.links import LinkDraft
from memgraph_svc.lifecycle.marks import Target
from memgraph_svc.model.memory import Actor
from memgraph_svc.write.changes import LINK_TYPES

NOBODY = Actor("api", "system")


class LinkRequest(Strict):
    """A link between two memories that exist."""

    scope = fields.Nested(ScopeSchema, required=True)
    linkType = Text(
        required=True,
        validate=validate.Regexp(r"[a-z][a-z0-9_]{0,63}\Z", error="must be 1 to 64 characters of a-z, 0-9 and _"),
        metadata={"description": f"{', '.join(LINK_TYPES)}, or a type of your own, which has no effect on state"},
    )
    from_ = fields.Nested(RefSchema, required=True, data_key="from", metadata={"description": "the newer, or derived"})
    to = fields.Nested(RefSchema, required=True, metadata={"description": "the older, or the source"})
    createdBy = fields.Nested(ActorSchema, required=True)
    metadata = fields.Dict(keys=fields.String(), allow_none=True)

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        draft = LinkDraft(data["linkType"], data["from_"], data["to"], data["createdBy"], data.get("metadata") or {})
        return {"scope": data["scope"], "draft": draft}


class AffectedSchema(Open):
    """A memory whose state changed."""

    ref = fields.Nested(RefSchema, required=True)
    status = fields.String(required=True)


class LinkResponse(Open):
    """The link, and what changed with it."""

    status = fields.String(required=True, validate=validate.OneOf(["created", "exists"]))
    link = fields.Dict(required=True, metadata={"description": "as hydrate gives it"})
    affected = listed(AffectedSchema, required=True)


class TargetRequest(Strict):
    """One memory: by its ref, or a live note by its slug."""

    scope = fields.Nested(ScopeSchema, required=True)
    ref = fields.Nested(RefSchema, allow_none=True)
    slug = Text(
        allow_none=True,
        validate=validate.Regexp(r"[a-z0-9-]{1,64}\Z", error="must be 1 to 64 characters of a-z, 0-9 and -"),
        metadata={"description": "of a note saved in exactly this scope"},
    )
    createdBy = fields.Nested(ActorSchema, metadata={"description": "who does this"})

    @ma.validates_schema
    def _check(self, data: dict[str, Any], **_: Any) -> None:
        if (data.get("ref") is None) == (data.get("slug") is None):
            raise ma.ValidationError("give either a ref or a slug", "ref")

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        target = Target(data.get("ref"), data.get("slug"))
        return {"scope": data["scope"], "target": target, "actor": data.get("createdBy") or NOBODY}


class PinResponse(Open):
    """The note as it is now."""

    ref = fields.Nested(RefSchema, required=True)
    pinned = fields.Boolean(required=True)
    changed = fields.Boolean(required=True, metadata={"description": "false when it was so before"})


class ConfirmResponse(Open):
    """The memory as it stands."""

    ref = fields.Nested(RefSchema, required=True)
    lastVerifiedAt = fields.String(required=True, metadata={"format": "date-time"})
    stale = fields.Boolean(required=True)
    staleReason = fields.String()
    warnings = listed(WarningSchema)
