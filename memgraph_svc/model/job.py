"""Durable work: what a job is, how one is asked for, and the row that makes or ends it.

In: a kind and a payload that names ids, never text. Out: values and rows. Pure. When a job runs and what becomes of it
is decided in ``jobs/``; who asks for one, by the stage that writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from memgraph_svc.clock import new_id
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import SYSTEM, Actor
from memgraph_svc.model.scope import Scope

MAX_ATTEMPTS = 5
CONSOLIDATE = "consolidate"
Row = dict[str, Any]


class JobStatus(Enum):
    """Where a job stands; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class LeaseLost(Exception):
    """Another worker may have the job; whoever hears this writes nothing more for it."""


class JobCancelled(Exception):
    """Somebody asked for the end of the job."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it was read."""

    id: str
    kind: str
    scope: Scope
    status: JobStatus
    attempts: int
    max_attempts: int
    fence: int
    payload: dict[str, Any]
    created_at: str
    updated_at: str
    created_by: Actor
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None
    trigger: str | None = None
    cancel_requested: bool = False

    def wire(self) -> dict[str, Any]:
        """The job as it is sent: absent parts are left out."""
        shape: dict[str, Any] = {"jobId": self.id, "type": self.kind, "status": self.status.value}
        shape |= {"createdAt": self.created_at, "updatedAt": self.updated_at, "attempts": self.attempts}
        parts = {"result": self.result, "error": self.error, "progress": self.progress, "trigger": self.trigger}
        return shape | {name: part for name, part in parts.items() if part is not None}


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A wish for a job.

    ``payload`` names ids and never holds text. While a job with the same ``merge_key`` is queued, no second one is made;
    the key is one for all namespaces, so it holds the ``scopeKey``.
    """

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    run_after: datetime | None = None
    trigger: str | None = None
    merge_key: str | None = None
    max_attempts: int = MAX_ATTEMPTS


def job_row(spec: JobSpec, scope: Scope, actor: Actor, at: datetime, job_id: str | None = None) -> Row:
    """The row of ``write/put_jobs`` for a new job; its id is ``row["job"]["id"]``."""
    name = job_id or new_id("job")
    job: Row = {
        "id": name,
        "kind": spec.kind,
        "tenantId": scope.tenant_id,
        "namespaceId": scope.namespace_id,
        "agentId": scope.agent_id,
        "sessionId": scope.session_id,
        "maxAttempts": spec.max_attempts,
        "payloadJson": dumps(dict(spec.payload)),
        "createdById": actor.id,
        "createdByKind": actor.kind,
        "trigger": spec.trigger,
    }
    row: Row = {"key": spec.merge_key or name, "createdAt": at.isoformat(), "job": _lean(job)}
    if spec.run_after is not None:
        row["runAfter"] = spec.run_after.isoformat()
    return row


def job_end(job: Job, result: Mapping[str, Any] | None = None, progress: Mapping[str, Any] | None = None) -> Row:
    """The row of ``write/end_jobs`` that completes a job in the transaction of its result."""
    shape: Row = {"id": job.id, "fence": job.fence, "status": JobStatus.COMPLETED.value}
    return shape | _lean({"resultJson": as_json(result), "progressJson": as_json(progress)})


def as_json(value: Mapping[str, Any] | None) -> str | None:
    """JSON text, or None for None."""
    return None if value is None else dumps(dict(value))


def _lean(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def consolidate_job(scope: Scope, at: datetime, trigger: str) -> Row:
    """A job that consolidates a scope; one that is queued for it already serves all."""
    merge_key = f"{CONSOLIDATE}:{scope.key}:{scope.agent_token}:{scope.session_token}"
    return job_row(JobSpec(CONSOLIDATE, trigger=trigger, merge_key=merge_key), scope, SYSTEM, at)
