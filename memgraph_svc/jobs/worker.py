"""Take jobs that are due, run their handlers, and record what came of them.

In: handlers by kind. Out: jobs completed, failed, cancelled or handed back. A worker that is killed leaves its jobs to
whoever finds their leases ended; fencing keeps it from ending them afterwards. What a handler does is decided by its
stage.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from memgraph_svc.errors.base import ServiceError
from memgraph_svc.jobs.beat import Beat
from memgraph_svc.jobs.model import Job, JobCancelled, JobStatus, LeaseLost

if TYPE_CHECKING:
    from memgraph_svc.jobs.store import JobStore

GRACE_S = 25.0
_SHORTEST_POLL_S, _LONGEST_POLL_S, _AWAY_S, _LOOK_S = 0.05, 0.5, 5.0, 0.05
_log = structlog.get_logger(__name__)


class Ended(Enum):
    """The answer of a handler that has committed the end of its job itself."""

    ENDED = "ended"


ENDED: Final = Ended.ENDED
Outcome = Mapping[str, Any] | Literal[Ended.ENDED] | None
Handler = Callable[[Job, Beat], Outcome]
Failed = Callable[[Job, Mapping[str, Any]], None]  # told of every job that failed for good


class Worker:
    """Runs up to ``threads`` jobs at once until it is stopped; with ``scope_key``, those of one namespace only."""

    def __init__(
        self,
        store: JobStore,
        handlers: Mapping[str, Handler],
        *,
        owner: str = "",
        threads: int = 2,
        lease_s: float = 15,
        grace_s: float = GRACE_S,
        scope_key: str | None = None,
        failed: Failed | None = None,
    ) -> None:
        self._store, self._handlers = store, handlers
        self._owner = owner or f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._lease_s, self._grace_s, self._scope_key = lease_s, grace_s, scope_key
        self._failed = failed
        self._free = threading.Semaphore(threads)
        self._stop = threading.Event()
        self._running: dict[str, tuple[Job, Beat]] = {}
        self._away = False

    def run(self) -> None:
        """Work until ``stop`` is called, then wait a while for what runs and hand back the rest."""
        pause = _SHORTEST_POLL_S
        while not self._stop.is_set():
            if not self._free.acquire(timeout=_LONGEST_POLL_S):
                continue
            job = self._claim()
            if job is None:
                self._free.release()
                self._stop.wait(pause)
                pause = min(pause * 2, _AWAY_S if self._away else _LONGEST_POLL_S)
                continue
            pause = _SHORTEST_POLL_S
            self._start(job)
        self._drain()

    def stop(self) -> None:
        """Claim nothing more; ``run`` returns once what runs has ended or was handed back."""
        self._stop.set()

    def _claim(self) -> Job | None:
        try:
            job = self._store.claim(self._owner, self._lease_s, self._scope_key, self._told)
        except ServiceError as fault:
            # Said once and not at every look: whoever watches the log knows by then.
            if not self._away:
                _log.warning("worker_waits", code=fault.code, reason=fault.message)
            self._away = True
            return None
        if self._away:
            _log.info("worker_goes_on")
        self._away = False
        return job

    def _start(self, job: Job) -> None:
        beat = Beat(self._store, job, self._lease_s)
        self._running[job.id] = (job, beat)
        # A daemon, so that a handler which does not end in time cannot keep the process.
        threading.Thread(target=self._work, args=(job, beat), name=f"job-{job.id}", daemon=True).start()

    def _work(self, job: Job, beat: Beat) -> None:
        started, ended = time.monotonic(), "fault"
        try:
            with beat:
                ended = self._settled(job, beat)
        finally:
            self._running.pop(job.id, None)
            self._free.release()
            ms = round((time.monotonic() - started) * 1000, 1)
            _log.info("job", job_id=job.id, kind=job.kind, attempt=job.attempts, ended=ended, ms=ms)

    def _settled(self, job: Job, beat: Beat) -> str:
        """Run the handler and record the outcome; one word for the log."""
        try:
            return self._attempt(job, beat)
        except LeaseLost:
            return "lease_lost"
        except ServiceError:
            return "unsettled"  # the database is away: the lease ends, and the job is run again

    def _attempt(self, job: Job, beat: Beat) -> str:
        handler = self._handlers.get(job.kind)
        if handler is None:
            return self._fail(job, beat, "unsupported_job", "No handler of this version runs such jobs.", again=False)
        try:
            outcome = handler(job, beat)
            if outcome is ENDED:
                return "completed"
            return _word(
                JobStatus.COMPLETED if self._store.end(job, JobStatus.COMPLETED, outcome, beat.progress) else None
            )
        except LeaseLost:
            raise
        except JobCancelled:
            ended = self._store.end(job, JobStatus.CANCELLED, None, beat.progress)
            return _word(JobStatus.CANCELLED if ended else None)
        except ServiceError as error:
            return self._fail(job, beat, error.code, error.message, again=error.retryable)
        except Exception as fault:  # noqa: BLE001  whatever a handler raises is a failed attempt
            # The text of an unforeseen error may quote memory; its kind never does.
            return self._fail(job, beat, "job_error", type(fault).__name__, again=True)

    def _fail(self, job: Job, beat: Beat, code: str, message: str, *, again: bool) -> str:
        error = {"code": code, "message": message, "retryable": again}
        became = self._store.fail(job, error, beat.progress)
        if became is JobStatus.FAILED:
            self._told(job, error)
        return _word(became)

    def _told(self, job: Job, error: Mapping[str, Any]) -> None:
        if self._failed is None:
            return
        try:
            self._failed(job, error)
        except ServiceError as fault:  # the job has failed all the same; its record says so
            _log.warning("failure_not_told", job_id=job.id, code=fault.code)

    def _drain(self) -> None:
        end = time.monotonic() + self._grace_s
        while self._running and time.monotonic() < end:
            time.sleep(_LOOK_S)
        for job, beat in list(self._running.values()):
            beat.give_up()
            try:
                became = self._store.release(job)
            except ServiceError:
                became = None  # its lease ends soon enough
            _log.info("job_released", job_id=job.id, kind=job.kind, became=_word(became))


def _word(status: JobStatus | None) -> str:
    return status.value if status else "lease_lost"
