"""Ask for derived memory to be made anew.

In: the scope whose consolidations lost a source or hold stale ones. Out: the job that tells its windows again. How that is
done is decided in ``derive/``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memgraph_svc.model.job import JobSpec, job_row
from memgraph_svc.model.memory import SYSTEM
from memgraph_svc.model.scope import Scope

CONSOLIDATE = "consolidate"


def consolidate_job(scope: Scope, at: datetime, trigger: str) -> dict[str, Any]:
    """A job that consolidates a scope; one that is queued for it already serves all."""
    merge_key = f"{CONSOLIDATE}:{scope.key}:{scope.agent_token}:{scope.session_token}"
    return job_row(JobSpec(CONSOLIDATE, trigger=trigger, merge_key=merge_key), scope, SYSTEM, at)
