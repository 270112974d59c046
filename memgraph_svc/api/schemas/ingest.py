"""The shapes of ingest and remember."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import (
    MAX_NAME,
    ActorSchema,
    ErrorSchema,
    Flag,
    Number,
    Open,
    RefSchema,
    ScopeSchema,
    Strict,
    Text,
    Zoned,
    listed,
    name,
    plain,
)
from memgraph_svc.api.schemas.query import WarningSchema
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.note import NoteDraft, NoteLinks
from memgraph_svc.model.content import topic_key

MAX_KEY = 65_536
MAX_TOPICS = 32
MAX_NAMED = 100
MAX_BODY = 1_000_000


def _key() -> Text:
    return Text(
        allow_none=True,
        validate=validate.Length(min=1, max=MAX_KEY),
        metadata={"description": "same key and content again: the first ref; other content: refused"},
    )


class EpisodeSchema(Strict):
    """One thing that happened."""

    contentType = name(most=255, doc="such as text/plain or application/json")
    content = fields.Raw(required=True, allow_none=True, metadata={"description": "any JSON value"})
    dedupeKey = _key()
    createdBy = fields.Nested(ActorSchema, required=True)
    metadata = fields.Dict(
        keys=fields.String(),
        allow_none=True,
        metadata={"description": "kept as sent; occurredAt, speaker, session, validFrom and validTo are understood"},
    )

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> EpisodeDraft:
        return EpisodeDraft(
            data["contentType"], data["content"], data["createdBy"], data.get("dedupeKey"), data.get("metadata") or {}
        )


class EachOnItsOwn(fields.List[Any]):
    """A list whose items are checked one by one later, so that a bad one does not refuse the good ones."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return cast("list[Any]", value)


class IngestRequest(Strict):
    """Episodes to store."""

    scope = fields.Nested(ScopeSchema, required=True)
    episodes = EachOnItsOwn(
        fields.Nested(EpisodeSchema),
        required=True,
        validate=validate.Length(min=1),
        metadata={"description": "at most MEMGRAPH_MAX_BATCH (1,000)"},
    )
    consistency = Text(
        validate=validate.OneOf(["accepted", "indexed"]),
        load_default="indexed",
        metadata={"description": "accepted: durable; indexed (default): found by the next query"},
    )


class IngestResult(Open):
    """What became of one episode."""

    ref = fields.Nested(RefSchema, required=True)
    status = fields.String(required=True, validate=validate.OneOf(["created", "deduplicated", "rejected"]))
    error = fields.Nested(ErrorSchema)
    warnings = listed(
        WarningSchema, metadata={"description": "unknown_ref when its metadata names memory that is not there"}
    )


class IngestResponse(Open):
    """One result for each episode, in order."""

    results = listed(IngestResult, required=True)


def _topic(value: str) -> None:
    plain(value)
    if not topic_key(value):
        raise ma.ValidationError("must not be blank")


def _zoned() -> Zoned:
    return Zoned(allow_none=True, metadata={"type": "string", "format": "date-time"})


class Named(fields.Field[str]):
    """A memory by its id, or by its ref."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        found = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else value
        if not isinstance(found, str) or not 0 < len(found) <= MAX_NAME:
            raise ma.ValidationError("must be the id or the ref of a memory")
        return found


def _named(doc: str) -> fields.List[Any]:
    return fields.List(
        Named(metadata={"oneOf": [{"type": "string"}, {"type": "object"}]}),
        allow_none=True,
        validate=validate.Length(max=MAX_NAMED),
        metadata={"description": doc},
    )


def _ids(data: dict[str, Any], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(data.get(field) or ()))


class RememberRequest(Strict):
    """A note an agent states directly."""

    scope = fields.Nested(ScopeSchema, required=True)
    body = Text(
        required=True, validate=[validate.Length(min=1, max=MAX_BODY)], metadata={"description": "the statement"}
    )
    createdBy = fields.Nested(ActorSchema, required=True)
    title = Text(
        allow_none=True,
        validate=[validate.Length(min=1, max=120), plain],
        metadata={"description": "one line; without it the first sentence of the body"},
    )
    slug = Text(
        allow_none=True,
        validate=validate.Regexp(r"[a-z0-9-]{1,64}\Z", error="must be 1 to 64 characters of a-z, 0-9 and -"),
        metadata={"description": "saving a slug again supersedes the old version; without it made from the title"},
    )
    topics = fields.List(
        Text(validate=[validate.Length(min=1, max=120), _topic]),
        allow_none=True,
        validate=validate.Length(max=MAX_TOPICS),
        metadata={"description": "the first decides its place in the memory index"},
    )
    pinned = Flag(allow_none=True, metadata={"description": "its body stands in the memory index"})
    confidence = Number(allow_none=True, validate=validate.Range(min=0, max=1))
    validFrom = _zoned()
    validTo = _zoned()
    dedupeKey = _key()
    metadata = fields.Dict(keys=fields.String(), allow_none=True)
    supersedes = _named("memories that this note replaces")
    contradicts = _named("memories that cannot hold together with this note")
    supports = _named("memories that this note speaks for")
    sources = _named("memories that it rests on, beside what was said here")

    @ma.validates_schema
    def _check(self, data: dict[str, Any], **_: Any) -> None:
        if not data.get("body", "x").strip():
            raise ma.ValidationError("must not be blank", "body")
        begin, end = data.get("validFrom"), data.get("validTo")
        if begin is not None and end is not None and end <= begin:
            raise ma.ValidationError("must be later than validFrom", "validTo")

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        draft = NoteDraft(
            body=data["body"],
            created_by=data["createdBy"],
            title=data.get("title"),
            slug=data.get("slug"),
            topics=tuple(data.get("topics") or ()),
            pinned=bool(data.get("pinned")),
            confidence=data.get("confidence"),
            valid_from=data.get("validFrom"),
            valid_to=data.get("validTo"),
            dedupe_key=data.get("dedupeKey"),
            metadata=data.get("metadata") or {},
            links=NoteLinks(*(_ids(data, each.name) for each in dataclasses.fields(NoteLinks))),
        )
        return {"scope": data["scope"], "draft": draft}


class RememberResponse(Open):
    """The note and the episode it rests on."""

    ref = fields.Nested(RefSchema, required=True)
    episodeRef = fields.Nested(RefSchema, required=True)
    status = fields.String(required=True, validate=validate.OneOf(["created", "restated", "deduplicated"]))
    slug = fields.String(required=True)
    title = fields.String(required=True)
    superseded = fields.Nested(RefSchema)
