"""Keep a running job ours, and tell its handler when it is not any more.

In: a claimed job. Out: a lease extended by a thread until the job is done, and the exception that is due when the lease
is lost or the job is to stop. What happens then is decided in ``worker.py``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from memgraph_svc.errors.base import ServiceError
from memgraph_svc.jobs.model import Job, JobCancelled, LeaseLost

if TYPE_CHECKING:
    from memgraph_svc.jobs.store import JobStore

_BEATS_PER_LEASE = 3


class Beat:
    """What a handler calls between two steps: ``beat()``, or ``beat({"done": 3, "of": 10})`` to report progress."""

    def __init__(self, store: JobStore, job: Job, lease_s: float) -> None:
        self._store, self._job, self._lease_s = store, job, lease_s
        self._progress: dict[str, Any] | None = None
        self._lost = self._cancelled = self._given_up = False
        self._done = threading.Event()

    def __call__(self, progress: Mapping[str, Any] | None = None) -> None:
        """Note the progress, which the next heartbeat stores, and see whether to go on.

        Raises ``LeaseLost`` or ``JobCancelled``; the handler lets it pass.
        """
        if progress is not None:
            self._progress = dict(progress)
        if self._lost or self._given_up:
            raise LeaseLost
        if self._cancelled:
            raise JobCancelled

    @property
    def progress(self) -> dict[str, Any] | None:
        """What was last reported."""
        return self._progress

    def give_up(self) -> None:
        """End the heartbeat for good and let the handler's next call raise ``LeaseLost``."""
        self._given_up = True
        self._done.set()

    def __enter__(self) -> Self:
        """Begin to extend the lease."""
        threading.Thread(target=self._keep, name=f"beat-{self._job.id}", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop extending it."""
        self._done.set()

    def _keep(self) -> None:
        held_until = time.monotonic() + self._lease_s
        while not self._done.wait(self._lease_s / _BEATS_PER_LEASE):
            asked = time.monotonic()
            try:
                cancel = self._store.heartbeat(self._job, self._lease_s, self._progress)
            except ServiceError:
                # The database is away; until the lease would have ended there, nobody else can have the job.
                self._lost = time.monotonic() > held_until
                continue
            if cancel is None:
                self.give_up()
                return
            held_until = asked + self._lease_s
            self._lost, self._cancelled = False, cancel
