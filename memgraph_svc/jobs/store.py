"""Typed calls of ``cypher/jobs/``.

In: a job and its fence. Out: what became of it; None where the lease was lost. Times are the database's, so the clocks of
workers do not matter. When to claim, fail or hand back is decided in ``worker.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Row
from memgraph_svc.model.content import dumps
from memgraph_svc.model.job import Job, JobStatus, as_json
from memgraph_svc.model.memory import Actor

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph, Tx
    from memgraph_svc.model.scope import Scope

_AMONG = 10
_LOOKS = 5  # jobs that others took first, or that ended at the claim, before a claim gives up
_LOST = dumps({"code": "worker_lost", "message": "The job ended its worker too often.", "retryable": True})
FIRST_PAGE = ("9999-12-31T23:59:59Z", "")


class JobStore:
    """The jobs of one database."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def claim(
        self,
        owner: str,
        lease_s: float,
        scope_key: str | None = None,
        lost: Callable[[Job, Mapping[str, Any]], None] | None = None,
    ) -> Job | None:
        """Take one job that is due or abandoned, of one namespace or of any; None when there is none.

        Jobs that were cancelled or lost too many workers end here and are passed over; ``lost`` is told of the latter.
        When the answer to the commit is
        lost, the job taken waits for its lease to end.
        """
        for _ in range(_LOOKS):
            looked, job = self._graph.write(lambda tx: _take(tx, owner, lease_s, scope_key))
            if job is not None and job.status is JobStatus.RUNNING:
                return job
            if job is not None and job.status is JobStatus.FAILED and lost is not None:
                lost(job, job.error or {})
            if not looked:
                return None
        return None

    def heartbeat(self, job: Job, lease_s: float, progress: Mapping[str, Any] | None = None) -> bool | None:
        """Extend the lease and note the progress; whether the job is to be cancelled, None when the lease is lost."""
        rows = self._graph.execute(
            query("jobs/heartbeat"), **_claimed(job), lease_ms=_ms(lease_s), progress=as_json(progress)
        )
        return rows[0]["cancelRequested"] if rows else None

    def end(
        self,
        job: Job,
        status: JobStatus,
        result: Mapping[str, Any] | None = None,
        progress: Mapping[str, Any] | None = None,
    ) -> bool:
        """Mark the job as completed or cancelled; False when the lease is lost, or the job has ended already."""
        more = {"status": status.value, "result": as_json(result), "progress": as_json(progress)}
        return bool(self._graph.execute(query("jobs/end_job"), **_claimed(job), **more))

    def fail(self, job: Job, error: Mapping[str, Any], progress: Mapping[str, Any] | None = None) -> JobStatus | None:
        """Note a failed attempt ``{code, message, retryable}``; queued for later, failed or cancelled after this."""
        more = {"retryable": bool(error["retryable"]), "error": as_json(error), "progress": as_json(progress)}
        return _status(self._graph.execute(query("jobs/fail_job"), **_claimed(job), **more))

    def release(self, job: Job) -> JobStatus | None:
        """Hand the job back as if it had not been claimed."""
        return _status(self._graph.execute(query("jobs/release_job"), **_claimed(job)))

    def cancel(self, scope_key: str, job_id: str) -> Job | None:
        """Cancel a queued job, tell a running one, leave an ended one; the job after that, None when there is none."""
        return _first(self._graph.execute(query("jobs/cancel_job"), scope_key=scope_key, job_id=job_id))

    def retry(self, scope_key: str, job_id: str) -> Job | None:
        """Queue a failed or cancelled job again from the start; None when it is neither."""
        return _first(self._graph.execute(query("jobs/retry_job"), scope_key=scope_key, job_id=job_id))

    def get(self, scope: Scope, job_id: str) -> Job | None:
        """The job of that id in the namespace, whatever the agent and session."""
        return _first(self._graph.read(query("jobs/get_job"), **_place(scope), job_id=job_id))

    def list(
        self, scope: Scope, status: str | None, kind: str | None, most: int, before: tuple[str, str] = FIRST_PAGE
    ) -> list[Job]:
        """At most ``most`` jobs that the scope admits, newest first, behind the (createdAt, id) of ``before``."""
        rows = self._graph.read(
            query("jobs/list_jobs"),
            **_place(scope),
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            status=status,
            kind=kind,
            before_at=before[0],
            before_id=before[1],
            most=most,
        )
        return [job_of(row["job"]) for row in rows]


def hold(read: Callable[..., list[Row]], scope_key: str, job_id: str, fence: int) -> bool | None:
    """Take the job's lock inside an open write transaction; whether it is to be cancelled, None: the lease is lost."""
    rows = read(query("jobs/hold_job"), scope_key=scope_key, job_id=job_id, fence=fence)
    return rows[0]["cancelRequested"] if rows else None


def job_of(row: Mapping[str, Any]) -> Job:
    """A stored job as an object."""
    return Job(
        id=row["id"],
        kind=row["kind"],
        scope=records.scope_of(row),
        status=JobStatus(row["status"]),
        attempts=row["attempts"],
        max_attempts=row["maxAttempts"],
        fence=row["fence"],
        payload=_parsed(row["payloadJson"]) or {},
        created_at=records.stamp(row["createdAt"]) or "",
        updated_at=records.stamp(row["updatedAt"]) or "",
        created_by=Actor(row["createdById"], row["createdByKind"]),
        result=_parsed(row["resultJson"]),
        error=_parsed(row["errorJson"]),
        progress=_parsed(row["progressJson"]),
        trigger=row["trigger"],
        cancel_requested=bool(row["cancelRequested"]),
    )


def _take(tx: Tx, owner: str, lease_s: float, scope_key: str | None) -> tuple[bool, Job | None]:
    picked = tx.run(query("jobs/pick_job"), scope_key=scope_key, owner=owner, among=_AMONG)
    if not picked:
        return False, None
    taken = tx.run(query("jobs/take_job"), job_id=picked[0]["id"], owner=owner, lease_ms=_ms(lease_s), lost=_LOST)
    return True, _first(taken)


def _claimed(job: Job) -> dict[str, Any]:
    return {"scope_key": job.scope.key, "job_id": job.id, "fence": job.fence}


def _place(scope: Scope) -> dict[str, Any]:
    return {"scope_key": scope.key, "tenant_id": scope.tenant_id, "namespace_id": scope.namespace_id}


def _first(rows: list[Row]) -> Job | None:
    return job_of(rows[0]["job"]) if rows else None


def _status(rows: list[Row]) -> JobStatus | None:
    return JobStatus(rows[0]["status"]) if rows else None


def _parsed(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
