"""The shapes that every operation shares: scope, ref, actor, filters, error."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.scope import Scope

MAX_NAME = 512
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Strict(ma.Schema):
    """A closed object: unknown fields are refused by name."""

    class Meta:
        """Closed."""

        unknown = ma.RAISE


class Open(ma.Schema):
    """An object that later versions may extend: unknown fields are kept out of the way, not refused."""

    class Meta:
        """Open."""

        unknown = ma.EXCLUDE


def plain(value: str) -> None:
    """Refuse blank names and control characters: a name is compared, shown and logged."""
    if not value.strip():
        raise ma.ValidationError("must not be blank")
    if _CONTROL.search(value):
        raise ma.ValidationError("must not hold control characters")


def not_blank(value: str) -> None:
    """Refuse a text of nothing but blanks."""
    if not value.strip():
        raise ma.ValidationError("must not be blank")


class Text(fields.String):
    """A JSON string, never a number read as one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return value


class Whole(fields.Integer):
    """A JSON integer, never a fraction, a text or a boolean read as one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return value


class Number(fields.Float):
    """A JSON number, never a text or a boolean read as one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid", input=value)
        return value


class Flag(fields.Boolean):
    """A JSON boolean, never a word read as one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Zoned(fields.Field[datetime]):
    """An instant: RFC 3339 with a zone. A naive time is refused, since it names no instant."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        try:
            made = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 64 else None  # noqa: PLR2004
        except ValueError:
            made = None
        if made is None:
            raise ma.ValidationError("must be a time such as 2026-07-05T10:00:00Z")
        if made.tzinfo is None:
            raise ma.ValidationError("must say its zone, such as Z or +02:00")
        try:
            return made.astimezone(UTC)
        except (OverflowError, ValueError):
            raise ma.ValidationError("is out of range") from None


def name(*, required: bool = True, most: int = MAX_NAME, doc: str = "") -> Text:
    """A name field: not blank, no control characters, bounded."""
    return Text(
        required=required,
        allow_none=not required,
        validate=[validate.Length(min=1, max=most), plain],
        metadata={"description": doc} if doc else {},
    )


class ScopeSchema(Strict):
    """Who may see a memory."""

    tenantId = name(doc="the strongest boundary")
    namespaceId = name(doc="the collection")
    agentId = name(required=False, doc="narrows to one agent")
    sessionId = name(required=False, doc="narrows to one session")
    filters = fields.Dict(allow_none=True, metadata={"description": "accepted and ignored"})

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> Scope:
        return Scope(data["tenantId"], data["namespaceId"], data.get("agentId"), data.get("sessionId"))


class ScopeArgs(Strict):
    """A scope by query parameters."""

    tenantId = name()
    namespaceId = name()
    agentId = name(required=False)
    sessionId = name(required=False)

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        names = (data.pop("tenantId"), data.pop("namespaceId"), data.pop("agentId", None), data.pop("sessionId", None))
        return {**data, "scope": Scope(*names)}


class RefSchema(Strict):
    """The name of a memory."""

    id = name()
    type = fields.Enum(Kind, by_value=True, required=True)
    scope = fields.Nested(ScopeSchema, required=True)

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> Ref:
        return Ref(data["id"], data["type"], data["scope"])


class ActorSchema(Strict):
    """Who wrote something."""

    id = name()
    kind = name()

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> Actor:
        return Actor(data["id"], data["kind"])


def listed(schema: type[ma.Schema], **more: Any) -> fields.List[Any]:
    """A list of objects of one shape."""
    return fields.List(fields.Nested(schema), **more)


class FiltersSchema(Open):
    """Which memories are wanted; filters of later versions are accepted."""

    types = fields.List(fields.Enum(Kind, by_value=True), validate=validate.Length(min=1), allow_none=True)
    statuses = fields.List(fields.Enum(Status, by_value=True), validate=validate.Length(min=1), allow_none=True)
    includeDisputed = Flag(allow_none=True)
    includeSuperseded = Flag(allow_none=True)
    includeStale = Flag(allow_none=True)
    includeTombstoned = Flag(allow_none=True, metadata={"description": "accepted; deleted memory never returns"})
    createdAfter = Zoned(allow_none=True, metadata={"type": "string", "format": "date-time"})
    createdBefore = Zoned(allow_none=True, metadata={"type": "string", "format": "date-time"})
    asOf = Zoned(allow_none=True, metadata={"type": "string", "format": "date-time"})
    metadata = fields.Dict(keys=fields.String(), allow_none=True)


class ErrorSchema(Open):
    """What every refusal looks like."""

    code = fields.String(required=True)
    message = fields.String(required=True)
    retryable = fields.Boolean(required=True)
    details = fields.Dict()


class ErrorBody(ErrorSchema):
    """The error, flat and again under ``error``."""

    error = fields.Nested(ErrorSchema, required=True)


CONSISTENCY = ("strong", "eventual")


def downgrade() -> Flag:
    """Whether a strong read may be answered eventually."""
    return Flag(
        load_default=False,
        allow_none=True,
        metadata={
            "description": "answer with the warning eventual_consistency when a strong read cannot be given in time"
        },
    )
