"""Jobs in exactly the state a test needs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph
from memgraph_svc.jobs.model import JobSpec, job_row
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from tests.support.cypher import rows

ME = Actor("u", "user")


def put(graph: Graph, scope: Scope, kind: str = "test", payload: dict[str, Any] | None = None, **more: Any) -> str:
    """Queue a job, and return its id."""
    row = job_row(JobSpec(kind, payload or {}, **more), scope, ME, datetime.now(UTC))
    graph.execute(query("write/put_jobs"), scope_key=scope.key, rows=[row])
    return row["job"]["id"]


def stored(graph: Graph, job_id: str) -> dict[str, Any]:
    """The job's properties."""
    return dict(rows(graph, "MATCH (j:Job {id: $id}) RETURN properties(j) AS job", id=job_id)[0]["job"])


def change(graph: Graph, job_id: str, **changed: Any) -> None:
    """Set some of them."""
    rows(graph, "MATCH (j:Job {id: $id}) SET j += $changed RETURN j.id AS id", id=job_id, changed=changed)


def due_in(graph: Graph, job_id: str) -> float:
    """Seconds until a worker may take it; negative when it may already."""
    text = "MATCH (j:Job {id: $id}) RETURN duration.inSeconds(datetime(), j.readyAt).milliseconds AS ms"
    return rows(graph, text, id=job_id)[0]["ms"] / 1000


def lapse(graph: Graph, job_id: str) -> None:
    """Let its lease end now, as that of a killed worker does."""
    rows(
        graph,
        "MATCH (j:Job {id: $id}) SET j.readyAt = datetime() - duration('PT1S'), j.leaseUntil = j.readyAt"
        " RETURN j.id AS id",
        id=job_id,
    )
