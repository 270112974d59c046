"""The words of the job engine under the name by which handlers know them.

In: nothing. Out: the types of ``model/job.py``, which stands lower so that the stages that ask for jobs can reach it.
"""

from __future__ import annotations

from memgraph_svc.model.job import (
    MAX_ATTEMPTS,
    Job,
    JobCancelled,
    JobSpec,
    JobStatus,
    LeaseLost,
    job_end,
    job_row,
)

__all__ = [
    "MAX_ATTEMPTS",
    "Job",
    "JobCancelled",
    "JobSpec",
    "JobStatus",
    "LeaseLost",
    "job_end",
    "job_row",
]
