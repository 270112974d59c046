"""POST /v0/get-job, and /v0/jobs with its parts."""

from __future__ import annotations

from typing import Any, cast

import marshmallow as ma
from flask import Response, request

from memgraph_svc.api.contract import Blueprint, invalid, reply, services
from memgraph_svc.api.schemas.common import ScopeSchema
from memgraph_svc.api.schemas.jobs import (
    GetJobRequest,
    JobArgs,
    JobResponse,
    JobsArgs,
    JobScopeRequest,
    JobsResponse,
)
from memgraph_svc.model.scope import Scope

blueprint = Blueprint("jobs", __name__, url_prefix="/v0", description="Look at work that goes on in the background")
_HEADERS = {"tenantId": "x-tenant-id", "namespaceId": "x-namespace-id"}
_scope = ScopeSchema()


@blueprint.route("/get-job", methods=["POST"])
@blueprint.arguments(GetJobRequest)
@blueprint.response(200, JobResponse)
def get_job(wanted: dict[str, Any]) -> Response:
    """Look at one job."""
    return reply(services().jobs.get(wanted["scope"], wanted["jobId"]))


@blueprint.route("/jobs/<job_id>", methods=["GET"])
@blueprint.arguments(JobArgs, location="query")
@blueprint.response(200, JobResponse)
def job(wanted: dict[str, Any], job_id: str) -> Response:
    """Look at one job, its scope given by query parameters or headers."""
    return reply(services().jobs.get(_place(wanted), job_id))


@blueprint.route("/jobs", methods=["GET"])
@blueprint.arguments(JobsArgs, location="query")
@blueprint.response(200, JobsResponse)
def jobs(wanted: dict[str, Any]) -> Response:
    """List the jobs of a scope, newest first."""
    page = services().jobs.list(
        _place(wanted), wanted.get("status"), wanted.get("kind"), wanted["limit"], wanted.get("cursor")
    )
    return reply({"jobs": page.jobs} | ({"nextCursor": page.next_cursor} if page.next_cursor else {}))


@blueprint.route("/jobs/<job_id>/cancel", methods=["POST"])
@blueprint.arguments(JobScopeRequest)
@blueprint.response(200, JobResponse)
def cancel_job(wanted: dict[str, Any], job_id: str) -> Response:
    """Cancel a job: a queued one at once, a running one at its next step.

    A job that has completed or failed answers 409 `job_state`.
    """
    return reply(services().jobs.cancel(wanted["scope"], job_id))


@blueprint.route("/jobs/<job_id>/retry", methods=["POST"])
@blueprint.arguments(JobScopeRequest)
@blueprint.response(200, JobResponse)
def retry_job(wanted: dict[str, Any], job_id: str) -> Response:
    """Queue a failed or cancelled job again from the start; any other answers 409 `job_state`."""
    return reply(services().jobs.retry(wanted["scope"], job_id))


def _place(wanted: dict[str, Any]) -> Scope:
    given = {part: wanted.get(part, request.headers.get(header)) for part, header in _HEADERS.items()}
    given |= {part: wanted.get(part) for part in ("agentId", "sessionId")}
    try:
        return cast("Scope", _scope.load({part: value for part, value in given.items() if value is not None}))
    except ma.ValidationError as error:
        raise invalid({"scope": error.messages}) from None
