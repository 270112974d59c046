"""POST /v0/assemble-context."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.assemble_context import ContextRequest, ContextResponse
from memgraph_svc.assemble import asked

blueprint = Blueprint("context", __name__, url_prefix="/v0", description="Assemble working context")


@blueprint.route("/assemble-context", methods=["POST"])
@blueprint.arguments(ContextRequest)
@blueprint.response(200, ContextResponse)
def assemble_context(wanted: dict[str, Any]) -> Response:
    """Assemble what is known about a task, within a budget, each piece with its sources.

    The estimate never exceeds maxTokens - reservedTokens. Required refs come first. Equal requests on equal memory give
    equal segments and an equal contextHash.
    """
    return reply({"context": services().context.assemble(asked.from_body(wanted)).wire()})
