"""A consolidation tells a window of episodes: once, with its sources, and only again when it grew."""

from __future__ import annotations

import pytest

from memgraph_svc.assemble.query import QueryService
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import told
from tests.support.digest import Run, living, made, runner, tell


@pytest.fixture
def run(graph: Graph, lanes: Lanes) -> Run:
    return runner(graph, lanes)


def found(graph: Graph, scope: Scope, text: str) -> set[str]:
    return {hit.ref.id for hit in QueryService(graph).search(scope, text, None, 100).hits}


def test_every_session_is_told_once_and_its_sources_are_still_found(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    first = tell(ingest, scope, "Ada likes tea.", "Ada likes rain.", session="s1")
    second = tell(ingest, scope, "Bob likes tea.", session="s2")
    loose = tell(ingest, scope, "Nobody likes tea.")
    result = run(scope)
    held = living(graph, scope)
    assert {each["id"] for each in held} == set(made(result))
    assert [(each["grouping"], sorted(each["sources"])) for each in held] == [
        ("", sorted(loose)), ("s1", sorted(first)), ("s2", sorted(second)),
    ]  # fmt: skip
    assert held[1]["content"] == "- Ada likes tea.\n- Ada likes rain."
    assert held[1]["title"].startswith("Session s1, ")
    assert {first[0], *second, *loose} <= found(graph, scope, "tea")
    assert told.links(graph, scope, "SUPERSEDES") == []
    assert [each[0] for each in told.events(graph, scope) if each[0].startswith("consolidation")] == [
        "consolidation.started", "consolidation.completed",
    ]  # fmt: skip


def test_nothing_new_writes_nothing(graph: Graph, ingest: IngestService, scope: Scope, run: Run) -> None:
    tell(ingest, scope, "one", "two")
    run(scope)
    before = living(graph, scope)
    for _ in range(2):
        assert run(scope) == {"createdConsolidationRefs": [], "supersededRefs": []}
    assert living(graph, scope) == before
    assert run(Scope(scope.tenant_id, scope.namespace_id + "-empty"))["createdConsolidationRefs"] == []


def test_a_window_that_grew_replaces_its_predecessor(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    one = tell(ingest, scope, "one")
    (old,) = made(run(scope))
    two = tell(ingest, scope, "two")
    result = run(scope)
    (new,) = living(graph, scope)
    assert (made(result), [each["id"] for each in result["supersededRefs"]]) == ([new["id"]], [old])
    assert sorted(new["sources"]) == sorted(one + two)
    assert told.status(graph, old) == "superseded"
    assert told.links(graph, scope, "SUPERSEDES") == [(new["id"], old)]
    assert [told.status(graph, each) for each in one] == ["active"]


def test_full_windows_are_closed_and_only_the_last_is_told_again(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    tell(ingest, scope, *[f"number {at}" for at in range(120)])
    run(scope)
    before = living(graph, scope)
    assert [(len(each["sources"]), each["closed"]) for each in before] == [(50, True), (50, True), (20, False)]
    tell(ingest, scope, *[f"more {at}" for at in range(35)])
    result = run(scope)
    after = living(graph, scope)
    assert [len(each["sources"]) for each in after] == [50, 50, 50, 5]
    assert [each["id"] for each in after[:2]] == [each["id"] for each in before[:2]]
    assert [each["id"] for each in result["supersededRefs"]] == [before[2]["id"]]


def test_a_scope_narrowed_to_an_agent_tells_that_agents_episodes_only(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    agents = [Scope(scope.tenant_id, scope.namespace_id, name) for name in ("a1", "a2")]
    mine, _ = (tell(ingest, each, "text")[0] for each in agents)
    run(agents[0])
    (held,) = living(graph, scope)
    assert (held["sources"], held["agentId"]) == ([mine], "a1")
    run(scope)
    assert sorted(len(each["sources"]) for each in living(graph, scope)) == [1, 2]
