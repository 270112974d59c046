"""Run a consolidation job: read the windows of a scope, tell them, and commit what changed.

In: a claimed job. Out: its end, in the transaction of its last batch. Safe to run again from the start: windows that are
told already are left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memgraph_svc.derive import store
from memgraph_svc.derive.consolidate import ConsolidateProposal, Draft, draft
from memgraph_svc.derive.windows import Window, windows
from memgraph_svc.errors.work import SourcesChanged
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.job import Job
from memgraph_svc.model.scope import Scope, token
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.graph.consistent import Reader
    from memgraph_svc.write.lanes import Lanes

AT_ONCE = 20
_TRIES, _PAUSE_S = 12, 0.05
Beat = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class EventProposal:
    """Say one thing about a job."""

    scope: Scope
    job_id: str
    event: str
    told: dict[str, Any]

    @property
    def weight(self) -> int:
        """Small."""
        return 1_000

    def questions(self) -> Questions:
        """None."""
        return Questions()

    def decide(self, view: View) -> None:
        """Add the event."""
        view.changes.add_job_event(self.event, self.job_id, self.scope, view.tick(), self.told)


class Digest:
    """The consolidator ``digest``: extractive, without a model."""

    def __init__(self, graph: Graph, lanes: Lanes, vectors: Vectors) -> None:
        self._graph, self._lanes, self._vectors = graph, lanes, vectors

    def run(self, job: Job, beat: Beat, hold: Callable[[Reader], None]) -> None:
        """Consolidate the scope of the job and end it.

        Raises ``SourcesChanged`` when its sources change faster than they can be read; nothing of the batch is written
        then, and the job is tried again later.
        """
        told = {"trigger": job.trigger or "manual", "attempt": job.attempts}
        self._lanes.submit(EventProposal(job.scope, job.id, "consolidation.started", told))
        result: dict[str, Any] = {}
        for attempt in range(_TRIES):
            try:
                # Less at once each time: what is read and committed sooner has less time to change.
                self._pass(job, beat, hold, result, max(1, AT_ONCE >> 2 * attempt))
            except SourcesChanged:
                if attempt == _TRIES - 1:
                    raise
                time.sleep(random.uniform(0, _PAUSE_S * (attempt + 1)))  # noqa: S311  spreading tries, nothing secret
            else:
                return

    def failed(self, job: Job, error: Mapping[str, Any]) -> None:
        """Tell that a job failed for good."""
        told = {"code": error.get("code", "job_error")}
        self._lanes.submit(EventProposal(job.scope, job.id, "consolidation.failed", told))

    def _pass(self, job: Job, beat: Beat, hold: Callable[[Reader], None], result: dict[str, Any], at_once: int) -> None:
        base = base_key(job.scope, job.payload)
        after, before = job.payload.get("createdAfter"), job.payload.get("createdBefore")
        wanted = windows(*store.layout(self._graph, job.scope, base, after, before), base)
        batches = [wanted[at : at + at_once] for at in range(0, len(wanted), at_once)] or [[]]
        for place, batch in enumerate(batches):
            beat({"windows": place * at_once, "of": len(wanted)})
            last = place == len(batches) - 1
            drafts = self._drafts(job.scope, base, batch)
            waiting = self._vectors.ready(job.scope, (row for each in drafts for row in each.passages))
            # Kept over the tries: what an earlier batch has committed belongs to the result as well.
            result |= self._lanes.submit(ConsolidateProposal(job, drafts, hold, dict(result), last, waiting))

    def _drafts(self, scope: Scope, base: str, batch: Sequence[Window]) -> list[Draft]:
        return [draft(scope, base, each, store.window_texts(self._graph, scope.key, each.episodes)) for each in batch]


def base_key(scope: Scope, payload: dict[str, Any]) -> str:
    """Names the line of consolidations of one scope and filter."""
    return token("base", *scope.full(), str(payload.get("createdAfter")), str(payload.get("createdBefore")))
