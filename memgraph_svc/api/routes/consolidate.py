"""POST /v0/consolidate."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.consolidate import ConsolidateRequest, ConsolidateResponse
from memgraph_svc.model.memory import Actor

blueprint = Blueprint("consolidate", __name__, url_prefix="/v0", description="Tell episodes in a few lines")
_CALLER = Actor("api", "system")
_PATIENCE_S = 30.0


@blueprint.route("/consolidate", methods=["POST"])
@blueprint.arguments(ConsolidateRequest)
@blueprint.response(200, ConsolidateResponse)
def consolidate(wanted: dict[str, Any]) -> Response:
    """Consolidate the episodes of a scope, session by session.

    A worker does it; `run_now` waits up to 30 seconds for the end and then answers `running`. What has not changed since
    it was last told is not written again, so a repeated request is harmless.
    """
    given: dict[str, Any] = wanted.get("filters") or {}
    window = {name: given.get(name) for name in ("createdAfter", "createdBefore")}
    served = services()
    job_id = served.consolidate.enqueue(wanted["scope"], wanted["trigger"], _CALLER, window)
    status = "queued"
    if wanted["mode"] == "run_now":
        status = served.jobs.wait(wanted["scope"], job_id, _PATIENCE_S)
    # The wire knows no cancelled consolidation; a cancelled one did not do what was asked.
    return reply({"jobId": job_id, "status": "failed" if status == "cancelled" else status})
