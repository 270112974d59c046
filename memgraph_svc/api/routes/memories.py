"""GET /v0/memories and GET /v0/memories/{memoryId}."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.common import ScopeArgs
from memgraph_svc.api.schemas.memories import MemoriesArgs, MemoriesResponse, MemoryResponse
from memgraph_svc.model.scope import Scope

blueprint = Blueprint("memories", __name__, url_prefix="/v0", description="Browse memory")


@blueprint.route("/memories", methods=["GET"])
@blueprint.arguments(MemoriesArgs, location="query")
@blueprint.response(200, MemoriesResponse)
def memories(wanted: dict[str, Any]) -> Response:
    """List the memories of a scope by the time they were stored, page by page.

    Pages from the oldest on meet everything once while others write; with `order=newest` what is stored meanwhile stands
    before the first page.
    """
    page = services().memories.list(wanted["scope"], wanted["wanted"], wanted["limit"], wanted.get("cursor"))
    return reply({"memories": page.memories} | ({"nextCursor": page.next_cursor} if page.next_cursor else {}))


@blueprint.route("/memories/<memory_id>", methods=["GET"])
@blueprint.arguments(ScopeArgs, location="query")
@blueprint.response(200, MemoryResponse)
def memory(wanted: dict[str, Any], memory_id: str) -> Response:
    """Read one memory with its links, its history and the line of succession it stands in.

    Deleted memory and that of another scope is `not_found` like one that never existed.
    """
    scope: Scope = wanted["scope"]
    return reply(services().memories.get(scope, memory_id))
