"""GET and POST /v0/index."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.index import IndexQuery, IndexRequest, IndexResponse

blueprint = Blueprint("index", __name__, url_prefix="/v0", description="The memory index for a system prompt")
_CACHING = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


@blueprint.route("/index", methods=["GET"])
@blueprint.arguments(IndexQuery, location="query")
@blueprint.response(200, IndexResponse)
@blueprint.alt_response(304, description="The index still has the hash of If-None-Match")
def get_index(wanted: dict[str, Any]) -> Response:
    """Render the memory index of a scope.

    `ETag` is the hash of the text in quotes; send it back as `If-None-Match` and an unchanged index answers 304 without
    a body. The text changes when a note changes, and never otherwise.
    """
    shape = _section(wanted)
    # Weak comparison, as RFC 9110 asks for If-None-Match: W/"x" and "x" are the same.
    if request.if_none_match.contains_weak(shape["hash"]):
        answer = Response(status=304)
        answer.headers.update(_CACHING)
    else:
        answer = reply(shape, headers=_CACHING)
    answer.set_etag(shape["hash"])
    return answer


@blueprint.route("/index", methods=["POST"])
@blueprint.arguments(IndexRequest)
@blueprint.response(200, IndexResponse)
def post_index(wanted: dict[str, Any]) -> Response:
    """Render the memory index of a scope given in the body."""
    return reply(_section(wanted))


def _section(wanted: dict[str, Any]) -> dict[str, Any]:
    made = services().index.section(wanted["scope"], wanted["budgetTokens"], wanted["pinnedBodyBytes"])
    return made.wire()
