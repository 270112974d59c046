"""Run a consolidation as a worker does, and look at what lives after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memgraph_svc.derive.digest import Digest
from memgraph_svc.derive.service import ConsolidateService
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.jobs.fencing import hold
from memgraph_svc.jobs.model import Job
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import told
from tests.support.cypher import rows

Run = Callable[..., dict[str, Any]]


def runner(graph: Graph, lanes: Lanes) -> Run:
    """What consolidates a scope and returns the result of the job."""

    def go(scope: Scope, before: Callable[[Job], Any] = lambda _: None) -> dict[str, Any]:
        job_id = ConsolidateService(lanes).enqueue(scope, "manual", told.ME)
        job = None
        while job is None or job.id != job_id:  # work that a cascade queued may come first
            job = JobStore(graph).claim("w", 60, scope.key)
            assert job is not None
        before(job)
        Digest(graph, lanes, Vectors()).run(job, lambda _: None, lambda r: hold(r, scope.key, job_id, job.fence))
        found = JobStore(graph).get(scope, job_id)
        assert found is not None
        assert found.status.value == "completed"
        return found.result or {}

    return go


def tell(ingest: IngestService, scope: Scope, *texts: str, **metadata: Any) -> list[str]:
    """The ids of plain episodes."""
    return told.tell(ingest, scope, *[told.episode(text=each, **metadata) for each in texts])


def living(graph: Graph, scope: Scope) -> list[dict[str, Any]]:
    """The consolidations that live, each with its sources, by session and place."""
    text = """
        MATCH (c:Consolidation {scopeKey: $k}) WHERE c.liveGroupKey IS NOT NULL
        RETURN c {.*, sources: [(c)-[:DERIVED_FROM {status: 'active'}]->(s) | s.id]} AS c
        ORDER BY c.grouping, c.windowFrom
    """
    return [row["c"] for row in rows(graph, text, k=scope.key)]


def made(result: dict[str, Any]) -> list[str]:
    """The ids of the consolidations that a job made."""
    return [each["id"] for each in result["createdConsolidationRefs"]]


def queued(graph: Graph, scope: Scope) -> list[str]:
    """The kinds of the jobs that wait."""
    text = "MATCH (j:Job {scopeKey: $k, status: 'queued'}) RETURN j.kind AS k"
    return [row["k"] for row in rows(graph, text, k=scope.key)]
