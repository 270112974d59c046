"""A consolidation tells a window of episodes: once, from what stands, and again when that changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memgraph_svc.assemble.query import QueryService
from memgraph_svc.derive.digest import Digest
from memgraph_svc.derive.service import ConsolidateService
from memgraph_svc.errors import SourcesChanged
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.jobs.fencing import hold
from memgraph_svc.jobs.model import Job, LeaseLost
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build, told
from tests.support.cypher import rows
from tests.support.jobs import change, stored

Run = Callable[..., dict[str, Any]]
Beat = Callable[[dict[str, Any]], None]


@pytest.fixture
def run(graph: Graph, lanes: Lanes) -> Run:
    """Consolidate a scope; the job's result."""

    def go(scope: Scope, beat: Beat = lambda _: None, before: Callable[[Job], Any] = lambda _: None) -> dict[str, Any]:
        job_id = ConsolidateService(lanes).enqueue(scope, "manual", told.ME)
        job = None
        while job is None or job.id != job_id:  # work that a cascade queued may come first
            job = JobStore(graph).claim("w", 60, scope.key)
            assert job is not None
        before(job)
        Digest(graph, lanes, Vectors()).run(job, beat, lambda read: hold(read, scope.key, job.id, job.fence))
        found = JobStore(graph).get(scope, job_id)
        assert found is not None
        assert found.status.value == "completed"
        return found.result or {}

    return go


def tell(ingest: IngestService, scope: Scope, *texts: str, **metadata: Any) -> list[str]:
    return told.tell(ingest, scope, *[told.episode(text=each, **metadata) for each in texts])


def living(graph: Graph, scope: Scope) -> list[dict[str, Any]]:
    found = rows(
        graph,
        "MATCH (c:Consolidation {scopeKey: $k}) WHERE c.liveGroupKey IS NOT NULL "
        "RETURN c {.*, sources: [(c)-[r:DERIVED_FROM {status: 'active'}]->(s) | s.id]} AS c ORDER BY c.grouping, c.windowFrom",
        k=scope.key,
    )
    return [row["c"] for row in found]


def made(result: dict[str, Any]) -> list[str]:
    return [each["id"] for each in result["createdConsolidationRefs"]]


def queued(graph: Graph, scope: Scope) -> list[str]:
    text = "MATCH (j:Job {scopeKey: $k, status: 'queued'}) RETURN j.kind AS k"
    return [row["k"] for row in rows(graph, text, k=scope.key)]


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


# --- what changes afterwards


@pytest.mark.parametrize("before_first", [True, False])
def test_a_removed_source_takes_the_text_with_it_and_the_rest_is_told_again(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run, before_first: bool
) -> None:
    gone, kept = tell(ingest, scope, *(["a secret", "tea"] if before_first else ["the secret", "rain"]))
    (old,) = made(run(scope))
    build.tombstone(lanes, scope, gone)
    assert told.status(graph, old) == "tombstoned"
    assert queued(graph, scope) == ["consolidate"]
    run(scope)
    (new,) = living(graph, scope)
    assert new["sources"] == [kept]
    assert "secret" not in str(new)
    assert new["id"] != old


def test_a_superseded_source_makes_it_stale_until_it_is_told_again(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    fact = told.fact("Oslo", "2020-01-01")
    told.tell(ingest, scope, told.episode(fact, text="home is Oslo"))
    kept = tell(ingest, scope, "I like tea.")
    (old,) = made(run(scope))
    new = told.tell(ingest, scope, told.episode(told.fact("Rome", "2024-01-01"), text="home is Rome"))
    (stale,) = living(graph, scope)
    assert (stale["id"], stale["stale"], stale["staleReason"]) == (old, True, "source_superseded")
    assert told.events(graph, scope, "memory.stale") == [("memory.stale", old, {"reason": "source_superseded"})]
    assert queued(graph, scope) == ["consolidate"]
    run(scope)
    (after,) = living(graph, scope)
    assert (sorted(after["sources"]), "stale" in after) == (sorted(kept + new), False)
    assert "Oslo" not in after["content"]
    assert told.status(graph, old) == "superseded"


def test_a_dispute_makes_it_stale_and_is_listed_when_it_is_told_again(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo"), text="home is Oslo"))
    (old,) = made(run(scope))
    told.tell(ingest, scope, told.episode(told.fact("Rome"), text="home is Rome"))
    (stale,) = living(graph, scope)
    assert (stale["id"], stale["staleReason"]) == (old, "source_disputed")
    run(scope)
    (after,) = living(graph, scope)
    disputed = after["content"].partition("In dispute:\n")[2].splitlines()
    assert disputed == ["- home is Oslo", "- home is Rome"]
    assert {told.atom(graph, scope, each) for each in ("Oslo", "Rome")} <= set(after["sources"])
    assert "stale" not in after
    told.tell(ingest, scope, told.episode(told.fact("Bonn", "2030-01-01"), text="home is Bonn"))
    run(scope)
    assert "In dispute" not in living(graph, scope)[0]["content"]


def test_an_episode_that_stands_again_inside_a_full_window_is_told_beside_it(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run
) -> None:
    tell(ingest, scope, *["before"] * 25)
    (late,) = told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    told.tell(ingest, scope, told.episode(told.fact("Rome", "2024-01-01")))
    tell(ingest, scope, *["after"] * 24)
    run(scope)
    (wall,) = living(graph, scope)
    assert (wall["closed"], late in wall["sources"]) == (True, False)
    told.tell(ingest, scope, told.episode(text="That was never so.", supersedes=told.atom(graph, scope, "Rome")))
    rows(graph, "MATCH (e {id: $id}) SET e.standing = null RETURN e.id AS id", id=late)
    run(scope)
    assert late in {name for each in living(graph, scope) for name in each["sources"]}


# --- while it runs


def test_a_source_that_goes_while_it_is_told_makes_it_read_again(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, gone = tell(ingest, scope, "tea", "a secret")
    changes = iter([lambda: build.tombstone(lanes, scope, gone)])
    after_reading(monkeypatch, lambda: next(changes, lambda: None)())
    run(scope)
    (held,) = living(graph, scope)
    assert (held["sources"], held["content"]) == ([kept], "- tea")


@pytest.mark.parametrize("value", ["Rome", "disputed"])
def test_a_claim_that_changes_while_it_is_told_makes_it_read_again(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    other = told.fact(value, "2024-01-01" if value == "Rome" else "2020-01-01")
    changes = iter([lambda: told.tell(ingest, scope, told.episode(other, text=f"home is {value}"))])
    after_reading(monkeypatch, lambda: next(changes, list)())
    run(scope)
    (held,) = living(graph, scope)
    assert ("Oslo" in held["content"], "In dispute" in held["content"]) == (value != "Rome", value != "Rome")


def test_sources_that_never_rest_end_the_attempt_without_a_trace(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(tell(ingest, scope, *[f"n {at}" for at in range(20)]))
    after_reading(monkeypatch, lambda: build.tombstone(lanes, scope, next(names)))
    with pytest.raises(SourcesChanged):
        run(scope)
    assert living(graph, scope) == []


def test_a_job_whose_lease_was_lost_writes_nothing(graph: Graph, ingest: IngestService, scope: Scope, run: Run) -> None:
    tell(ingest, scope, "one")
    jobs: list[Job] = []

    def lose(job: Job) -> None:
        jobs.append(job)
        change(graph, job.id, fence=job.fence + 1)

    with pytest.raises(LeaseLost):
        run(scope, before=lose)
    assert living(graph, scope) == []
    assert stored(graph, jobs[0].id)["status"] == "running"
    assert told.events(graph, scope, "consolidation.completed") == []


def after_reading(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], Any]) -> None:
    """Let something happen each time the texts of a window have been read."""
    from memgraph_svc.derive import store  # noqa: PLC0415

    read = store.window_texts

    def then(*args: Any) -> Any:
        found = read(*args)
        happens()
        return found

    monkeypatch.setattr(store, "window_texts", then)
