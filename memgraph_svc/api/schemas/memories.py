"""The shapes of one memory with all around it, and of lists of memories."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import Open, RefSchema, ScopeArgs, Text, Zoned, listed, name
from memgraph_svc.api.schemas.hydrate import ObjectSchema
from memgraph_svc.assemble.memories import (
    LONGEST_PAGE,
    MOST_ENTRIES,
    MOST_LINKS,
    MOST_VERSIONS,
    PAGE,
    between,
)
from memgraph_svc.assemble.memories_store import Listed
from memgraph_svc.model.content import topic_key
from memgraph_svc.model.memory import Kind, Status

_ORDERS = ("oldest", "newest")
_NAMES = ("type", "status", "topic", "session", "stale", "pinned", "slug", "createdAfter", "createdBefore", "order")


def _flag(doc: str) -> fields.Boolean:
    # A query parameter is text; of the many words that could mean yes, one is taken.
    return fields.Boolean(truthy={"true"}, falsy={"false"}, metadata={"description": doc})


class MemoriesArgs(ScopeArgs):
    """Which memories to list."""

    type = fields.Enum(Kind, by_value=True, validate=validate.NoneOf([Kind.LINK], error="links are read by their ref"))
    status = fields.Enum(
        Status, by_value=True, metadata={"description": "every state by default; deleted memory never returns"}
    )
    topic = name(required=False, doc="in any spelling")
    session = name(required=False, doc="the episodes of a session")
    stale = _flag("whether its sources changed since")
    slug = name(required=False, doc="every version of a note")
    pinned = _flag("whether its body stands in the memory index")
    createdAfter = Zoned(metadata={"type": "string", "format": "date-time", "description": "inclusive"})
    createdBefore = Zoned(metadata={"type": "string", "format": "date-time", "description": "exclusive"})
    order = Text(load_default="oldest", validate=validate.OneOf(_ORDERS))
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(min=1, max=LONGEST_PAGE))
    cursor = Text(metadata={"description": "nextCursor of the page before, with the same filters and order"})

    @ma.post_load
    def _wish(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        given = {key: data.pop(key, None) for key in _NAMES}
        topic = given["topic"]
        wish = Listed(
            newest=given["order"] == "newest",
            kind=given["type"],
            status=given["status"],
            topic=None if topic is None else topic_key(topic),
            session=given["session"],
            stale=given["stale"],
            pinned=given["pinned"],
            slug=given["slug"],
        )
        return {**data, "wanted": between(wish, given["createdAfter"], given["createdBefore"])}


class MemoriesResponse(Open):
    """A page of memories; no cursor on the last one."""

    memories = listed(ObjectSchema, required=True)
    nextCursor = fields.String()


class TotalSchema(Open):
    """How many links there are, named or not."""

    outgoing = fields.Integer(required=True)
    incoming = fields.Integer(required=True)


class LinksSchema(Open):
    """The living links of a memory, newest first."""

    outgoing = listed(ObjectSchema, required=True, metadata={"description": f"at most {MOST_LINKS}"})
    incoming = listed(ObjectSchema, required=True, metadata={"description": f"at most {MOST_LINKS}"})
    total = fields.Nested(TotalSchema, required=True)


class ChangeSchema(Open):
    """A state a memory has been in, and from when."""

    at = fields.String(required=True, metadata={"format": "date-time"})
    status = fields.String(required=True)
    stale = fields.Boolean(required=True)
    validTo = fields.String(metadata={"format": "date-time"})
    pinned = fields.Boolean()
    standing = fields.String(metadata={"description": "of an episode that was replaced, or all of whose claims were"})


class VersionSchema(Open):
    """One version in a line of succession; a deleted one keeps its place."""

    ref = fields.Nested(RefSchema, required=True)
    status = fields.String(required=True)
    createdAt = fields.String(required=True, metadata={"format": "date-time"})


class MemoryResponse(Open):
    """A memory with all around it."""

    object = fields.Nested(ObjectSchema, required=True)
    links = fields.Nested(LinksSchema, required=True)
    history = listed(
        ChangeSchema, required=True, metadata={"description": f"oldest first, the latest {MOST_ENTRIES:,}"}
    )
    versions = listed(
        VersionSchema,
        required=True,
        metadata={"description": f"what replaces it, itself, what it replaces; newest first, at most {MOST_VERSIONS}"},
    )
