"""POST /v0/query."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.query import QueryRequest, QueryResponse
from memgraph_svc.assemble import filters
from memgraph_svc.assemble.awaiting import Wanted

blueprint = Blueprint("query", __name__, url_prefix="/v0", description="Find memory")


@blueprint.route("/query", methods=["POST"])
@blueprint.arguments(QueryRequest)
@blueprint.response(200, QueryResponse)
def query(wanted: dict[str, Any]) -> Response:
    """Find memory by words; refs with score and reason, never content.

    Only active memory is found unless the filters ask for more; deleted memory never. A text of nothing but stop words
    or signs finds nothing.
    """
    chosen = filters.from_request(wanted.get("filters"))
    fresh = Wanted(wanted["consistency"] == "eventual", bool(wanted["allowDowngrade"]))
    found = services().query.search(wanted["scope"], wanted["query"], chosen, wanted["limit"], fresh)
    shape: dict[str, Any] = {"refs": [hit.wire(explain=wanted["explain"]) for hit in found.hits]}
    if found.warnings:
        shape["warnings"] = [warning.wire() for warning in found.warnings]
    return reply(shape)
