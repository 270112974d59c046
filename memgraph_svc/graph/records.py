"""Rows of the graph as the objects the wire speaks of.

In: nodes and relationships as plain maps. Out: durable objects, refs, times. Which rows a caller may see is decided
before they come here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope


def instant(value: Any) -> datetime | None:
    """A stored time as a UTC datetime, or None.

    Reads of many rows ask the database for times as text: the driver takes five times as long to make its own.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return datetime.fromisoformat(value).astimezone(UTC)
    native = value.to_native() if hasattr(value, "to_native") else value
    return native.astimezone(UTC)


def stamp(value: Any) -> str | None:
    """A stored time as RFC 3339 in UTC with microseconds, such as ``2026-07-05T10:00:00.000001Z``."""
    moment = instant(value)
    return None if moment is None else moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def scope_of(row: Mapping[str, Any]) -> Scope:
    """The scope a memory or link was written with."""
    return Scope(row["tenantId"], row["namespaceId"], row.get("agentId"), row.get("sessionId"))


def ref_of(row: Mapping[str, Any]) -> Ref:
    """The ref of a stored memory."""
    return Ref(row["id"], Kind(row["type"]), scope_of(row))


def content_of(row: Mapping[str, Any]) -> Any:
    """The content as it was sent: a string, or the parsed JSON."""
    text = row.get("content")
    return json.loads(text) if row.get("contentIsJson") and text is not None else text


def metadata_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata as it was sent; empty when none."""
    text = row.get("metadataJson")
    return json.loads(text) if text else {}
