"""Look at jobs, cancel them and start them again, each only in its own scope.

In: a scope and a job's name. Out: the job as it is sent. What a job does is decided by its handler, and when, by
``worker.py``.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memgraph_svc.errors.request import InvalidCursor, NotFound
from memgraph_svc.errors.work import JobState
from memgraph_svc.jobs.model import Job, JobStatus
from memgraph_svc.jobs.store import FIRST_PAGE, JobStore

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.model.scope import Scope

PAGE = 100
_UNKNOWN = "There is no job by that name in this scope."


@dataclass(frozen=True, slots=True)
class JobPage:
    """Jobs, newest first, and where to go on; no cursor on the last page."""

    jobs: list[dict[str, Any]]
    next_cursor: str | None


_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 0.3


class JobService:
    """Answers get-job, jobs, cancel and retry."""

    def __init__(self, graph: Graph) -> None:
        self._store = JobStore(graph)

    def get(self, scope: Scope, job_id: str) -> dict[str, Any]:
        """One job; raises ``NotFound``, in the same words, for an unknown one and for one of another scope."""
        return self._found(scope, job_id).wire()

    def wait(self, scope: Scope, job_id: str, seconds: float) -> str:
        """Where the job stands once it has ended, or when the time is over; ``running`` for one that has not."""
        until, pause = time.monotonic() + seconds, _FIRST_PAUSE_S
        while True:
            status = self._found(scope, job_id).status
            if status not in (JobStatus.QUEUED, JobStatus.RUNNING):
                return status.value
            if time.monotonic() + pause > until:
                return JobStatus.RUNNING.value
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE_S)

    def list(
        self, scope: Scope, status: JobStatus | None, kind: str | None, limit: int = PAGE, cursor: str | None = None
    ) -> JobPage:
        """Jobs that the scope admits, newest first; raises ``InvalidCursor`` for a cursor that is none."""
        before = FIRST_PAGE if cursor is None else _read(cursor)
        found = self._store.list(scope, status.value if status else None, kind, limit + 1, before)
        page = found[:limit]
        return JobPage([each.wire() for each in page], _write(page[-1]) if len(found) > limit else None)

    def cancel(self, scope: Scope, job_id: str) -> dict[str, Any]:
        """Cancel a queued job at once and a running one at its next step; a cancelled one stays so.

        Raises ``NotFound``, and ``JobState`` for a job that has completed or failed.
        """
        self._found(scope, job_id)
        job = self._store.cancel(scope.key, job_id)
        if job is None:
            raise NotFound(_UNKNOWN)
        if job.status in {JobStatus.COMPLETED, JobStatus.FAILED}:
            raise JobState(f"The job has {job.status.value} already; only a queued or running one can be cancelled.")
        return job.wire()

    def retry(self, scope: Scope, job_id: str) -> dict[str, Any]:
        """Queue a failed or cancelled job again from the start.

        Raises ``NotFound``, and ``JobState`` for a job that is neither.
        """
        before = self._found(scope, job_id)
        job = self._store.retry(scope.key, job_id)
        if job is None:
            raise JobState(f"The job is {before.status.value}; only a failed or cancelled one can be started again.")
        return job.wire()

    def _found(self, scope: Scope, job_id: str) -> Job:
        job = self._store.get(scope, job_id)
        if job is None or not scope.admits(job.scope.agent_id, job.scope.session_id):
            raise NotFound(_UNKNOWN)
        return job


def _write(job: Job) -> str:
    raw = json.dumps([job.created_at, job.id]).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _read(cursor: str) -> tuple[str, str]:
    # Not signed: a position made up by a caller leads nowhere but among the jobs of its own scope.
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        at, name = json.loads(raw)
        if isinstance(name, str) and datetime.fromisoformat(at).tzinfo is not None:
            return at, name
    except (binascii.Error, ValueError, TypeError):
        pass
    raise InvalidCursor
