"""POST /v0/subscribe and GET /v0/events."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.events import EventsArgs, EventSchema, EventsResponse, SubscribeRequest
from memgraph_svc.model.scope import Scope

blueprint = Blueprint("events", __name__, url_prefix="/v0", description="Follow what happens to memory")


@blueprint.route("/subscribe", methods=["POST"])
@blueprint.arguments(SubscribeRequest)
@blueprint.response(200, EventSchema(many=True))
def subscribe(wanted: dict[str, Any]) -> Response:
    """Read the next events of a scope: a poll, answered at once.

    At least once, in order, without gaps. The header `Memory-Next-Cursor` leads on from the last event that was read,
    matching or not; the cursor of an event does so as well.
    """
    page = services().feed.read(wanted["scope"], wanted.get("cursor"), wanted.get("eventTypes") or ())
    headers = {"Memory-Next-Cursor": page.next_cursor}
    if wanted.get("consistency") == "eventual":
        headers["Memory-Warnings"] = "eventual_consistency"
    return reply(page.events, headers=headers)


@blueprint.route("/events", methods=["GET"])
@blueprint.arguments(EventsArgs, location="query")
@blueprint.response(200, EventsResponse)
def events(wanted: dict[str, Any]) -> Response:
    """Read the next events of a scope, in an envelope with the cursor that leads on."""
    scope = Scope(wanted["tenantId"], wanted["namespaceId"], wanted.get("agentId"), wanted.get("sessionId"))
    types = [word for word in wanted.get("types", "").split(",") if word]
    page = services().feed.read(scope, wanted.get("cursor"), types, wanted["limit"])
    return reply({"events": page.events, "nextCursor": page.next_cursor, "warnings": []})
