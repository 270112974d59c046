"""POST /v0/hydrate."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, bounded, reply, services
from memgraph_svc.api.schemas.hydrate import HydrateRequest, HydrateResponse

blueprint = Blueprint("hydrate", __name__, url_prefix="/v0", description="Read memory by its refs")


@blueprint.route("/hydrate", methods=["POST"])
@blueprint.arguments(HydrateRequest)
@blueprint.response(200, HydrateResponse)
def hydrate(wanted: dict[str, Any]) -> Response:
    """Read memories; what cannot be read is listed as missing.

    A ref of another scope or of the wrong type is missing like one that never existed, and so is deleted memory.
    """
    bounded("refs", wanted["refs"])
    found = services().hydrate.hydrate(
        wanted["scope"],
        wanted["refs"],
        include_provenance=bool(wanted["includeProvenance"]),
        details=bool(wanted["details"]),
    )
    return reply({"objects": found.objects, "missing": [ref.wire() for ref in found.missing]})
