"""Ask for a consolidation.

In: a scope and a trigger. Out: a queued job. When it runs is decided in ``jobs/``; whether to wait for it, at the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memgraph_svc.clock import new_id
from memgraph_svc.model.job import CONSOLIDATE, JobSpec, job_row
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.write.lanes import Lanes


@dataclass(frozen=True, slots=True)
class EnqueueProposal:
    """Queue one job."""

    scope: Scope
    spec: JobSpec
    actor: Actor
    job_id: str

    @property
    def weight(self) -> int:
        """Small."""
        return 1_000

    def questions(self) -> Questions:
        """None."""
        return Questions()

    def decide(self, view: View) -> str:
        """The job's id."""
        view.changes.jobs.append(job_row(self.spec, self.scope, self.actor, view.tick(), self.job_id))
        return self.job_id


class ConsolidateService:
    """Answers consolidate."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes

    def enqueue(
        self, scope: Scope, trigger: str, actor: Actor, window: Mapping[str, datetime | None] | None = None
    ) -> str:
        """Queue a consolidation of what the scope admits; the id of its job.

        Every request has a job of its own, also while another is queued: the second finds nothing left to do. ``window``
        bounds what is looked at by ``createdAfter`` and ``createdBefore``.
        """
        bounds = {name: at.isoformat() for name, at in (window or {}).items() if at is not None}
        spec = JobSpec(CONSOLIDATE, bounds, trigger=trigger)
        return self._lanes.submit(EnqueueProposal(scope, spec, actor, new_id("job")))
