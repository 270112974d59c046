"""Let a transaction write for a job only while the job is ours.

In: the statements of an open write transaction. Out: the job's lock, held until the transaction ends, or a refusal. What
is written under it is decided by the handler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memgraph_svc.jobs import store
from memgraph_svc.jobs.model import JobCancelled, LeaseLost


def hold(view_read: Callable[..., list[dict[str, Any]]], scope_key: str, job_id: str, fence: int) -> None:
    """Take the job's lock as a statement of the open transaction, before anything is written for the job.

    Raises ``LeaseLost`` when another worker has it or it has ended, and ``JobCancelled`` when it is to stop.
    """
    cancel = store.hold(view_read, scope_key, job_id, fence)
    if cancel is None:
        raise LeaseLost
    if cancel:
        raise JobCancelled
