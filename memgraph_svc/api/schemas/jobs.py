"""The shapes of jobs."""

from __future__ import annotations

from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import ErrorSchema, Open, ScopeSchema, Strict, Text, listed, name
from memgraph_svc.jobs.model import JobStatus
from memgraph_svc.jobs.service import PAGE

_HEADER = "or the header {}"


class GetJobRequest(Strict):
    """Which job."""

    scope = fields.Nested(ScopeSchema, required=True)
    jobId = name()


class JobScopeRequest(Strict):
    """Where the job of the path belongs."""

    scope = fields.Nested(ScopeSchema, required=True)


class JobArgs(Strict):
    """A scope by query parameters, or by headers where they are absent."""

    tenantId = Text(metadata={"description": _HEADER.format("x-tenant-id")})
    namespaceId = Text(metadata={"description": _HEADER.format("x-namespace-id")})
    agentId = Text()
    sessionId = Text()


class JobsArgs(JobArgs):
    """Which jobs."""

    status = fields.Enum(JobStatus, by_value=True)
    kind = name(required=False)
    cursor = Text(metadata={"description": "nextCursor of the page before"})
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(min=1, max=PAGE))


class JobResponse(Open):
    """One job; its result and error name memories and never hold their text."""

    jobId = fields.String(required=True)
    type = fields.String(required=True)
    status = fields.Enum(JobStatus, by_value=True, required=True)
    createdAt = fields.String(required=True)
    updatedAt = fields.String(required=True)
    attempts = fields.Integer(required=True)
    result = fields.Dict()
    error = fields.Nested(ErrorSchema)
    progress = fields.Dict()
    trigger = fields.String()


class JobsResponse(Open):
    """A page of jobs, newest first; no cursor on the last one."""

    jobs = listed(JobResponse, required=True)
    nextCursor = fields.String()
