"""Every kind of job, and the function that runs it.

In: a job and its beat. Out: a result of plain JSON values. What the work itself is, is decided by the stage that does it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade.marking import MARK_STALE, mark_all
from memgraph_svc.derive.digest import Digest
from memgraph_svc.derive.extract import Extraction
from memgraph_svc.derive.sandbox import Sandbox
from memgraph_svc.derive.vectors import attach_all
from memgraph_svc.jobs.beat import Beat
from memgraph_svc.jobs.fencing import hold
from memgraph_svc.jobs.model import Job
from memgraph_svc.jobs.worker import ENDED, Failed, Handler, Outcome
from memgraph_svc.lifecycle.claim_write import EXTRACT
from memgraph_svc.lifecycle.vectors import EMBED, Vectors
from memgraph_svc.model.job import CONSOLIDATE

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.write.lanes import Lanes


def handlers(
    graph: Graph, lanes: Lanes, embedder: Embedder | None, extractors: Sequence[str] = (), extractor_limit_s: float = 20
) -> Mapping[str, Handler]:
    """The handlers of this version, by kind."""

    def embed(job: Job, beat: Beat) -> Outcome:
        return attach_all(graph, lanes, embedder, job.scope, beat)

    def mark_stale(job: Job, beat: Beat) -> Outcome:
        return mark_all(lanes, job.scope, job.payload["from"], beat)

    digest = Digest(graph, lanes, Vectors(embedder))

    def consolidate(job: Job, beat: Beat) -> Outcome:
        digest.run(job, beat, lambda read: hold(read, job.scope.key, job.id, job.fence))
        return ENDED

    sandbox = Sandbox(extractor_limit_s)
    extraction = Extraction(graph, lanes, Vectors(embedder), sandbox, extractors)
    if extractors:
        # The first job need not wait for an interpreter to start.
        threading.Thread(target=sandbox.warm, args=(extractors,), name="warm", daemon=True).start()

    def extract(job: Job, beat: Beat) -> Outcome:
        extraction.run(job, beat, lambda read: hold(read, job.scope.key, job.id, job.fence))
        return ENDED

    return {EMBED: embed, MARK_STALE: mark_stale, CONSOLIDATE: consolidate, EXTRACT: extract}


def failures(graph: Graph, lanes: Lanes) -> Failed:
    """What is told, beside the job's own record, when a job has failed for good."""
    digest = Digest(graph, lanes, Vectors())

    def failed(job: Job, error: Mapping[str, Any]) -> None:
        if job.kind == CONSOLIDATE:
            digest.failed(job, error)

    return failed
