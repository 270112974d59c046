"""Looking for work and listing jobs cost what they return, not the length of the history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from memgraph_svc.config import Settings
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph

PICK = {"scope_key": None, "owner": "x", "among": 10}
LIST = {
    **dict.fromkeys(("scope_key", "tenant_id", "namespace_id", "before_id"), "x"),
    **dict.fromkeys(("agent_id", "session_id", "status", "kind")),
    "before_at": "9999-12-31T23:59:59Z",
    "most": 10,
}


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0] + " " + plan["args"].get("Details", "")
    for child in plan.get("children", []):
        yield from operators(child)


@pytest.mark.parametrize(
    ("name", "params", "index", "bound"),
    [("pick_job", PICK, "Job(readyAt)", "Limit"), ("list_jobs", LIST, "Job(scopeKey, createdAt)", "PartialTop")],
)
def test_the_index_gives_the_order(
    service_settings: Settings, graph: Graph, name: str, params: dict[str, Any], index: str, bound: str
) -> None:
    auth = (service_settings.neo4j_username, service_settings.neo4j_password)
    with neo4j.GraphDatabase.driver(service_settings.neo4j_uri, auth=auth) as driver, driver.session() as session:
        plan = session.run("EXPLAIN " + query(f"jobs/{name}").text, params).consume().plan
    assert plan is not None
    found = list(operators(plan))
    assert index in found[-1]
    assert any(each.startswith(bound) for each in found)
    assert not any(each.startswith(("Union", "NodeByLabelScan", "Sort")) for each in found)
