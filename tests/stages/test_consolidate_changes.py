"""What a consolidation tells is true to its sources, whatever becomes of them, before, while and after it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memgraph_svc.derive import store
from memgraph_svc.errors.work import SourcesChanged
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.jobs.model import Job, LeaseLost
from memgraph_svc.lifecycle.links import LinkDraft
from memgraph_svc.lifecycle.service import LifecycleService
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build, told
from tests.support.digest import Run, living, made, queued, runner, tell
from tests.support.jobs import change, stored


@pytest.fixture
def run(graph: Graph, lanes: Lanes) -> Run:
    return runner(graph, lanes)


def after_reading(monkeypatch: pytest.MonkeyPatch, *changes: Callable[[], Any]) -> None:
    """Let one change after the other happen when the texts of a window have been read."""
    read, left = store.window_texts, list(changes)

    def then(*args: Any) -> Any:
        found = read(*args)
        if left:
            left.pop(0)()
        return found

    monkeypatch.setattr(store, "window_texts", then)


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
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    (old,) = made(run(scope))
    told.tell(ingest, scope, told.episode(told.fact("Rome", "2020-01-01"), text="home is Rome"))
    (stale,) = living(graph, scope)
    assert (stale["id"], stale["staleReason"]) == (old, "source_disputed")
    run(scope)
    (after,) = living(graph, scope)
    disputed = after["content"].partition("In dispute:\n")[2].splitlines()
    assert disputed == ["- home is Oslo", "- home is Rome"]
    assert {told.atom(graph, scope, each) for each in ("Oslo", "Rome")} <= set(after["sources"])
    assert "stale" not in after
    told.tell(ingest, scope, told.episode(told.fact("Bonn", "2024-01-01"), text="home is Bonn"))
    run(scope)
    assert [each["content"] for each in living(graph, scope)] == ["- home is Bonn"]


def test_an_episode_that_stands_again_inside_a_full_window_is_told_beside_it(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run
) -> None:
    tell(ingest, scope, *["before"] * 25)
    (late,) = told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    told.tell(ingest, scope, told.episode(told.fact("Rome", "2024-01-01")))
    tell(ingest, scope, *["after"] * 24)
    run(scope)
    (wall,) = living(graph, scope)
    assert (wall["closed"], late in wall["sources"]) == (True, False)
    note = ingest.remember(scope, NoteDraft(body="Ada once lived in Oslo.", created_by=told.ME))["ref"]["id"]
    ends = Ref(note, Kind.ATOM, scope), Ref(late, Kind.EPISODE, scope)
    LifecycleService(lanes).link(scope, LinkDraft("derived_from", *ends, told.ME))
    assert told.status(graph, late) == "active"
    run(scope)
    assert late in {name for each in living(graph, scope) for name in each["sources"]}


# --- while it runs


def test_a_source_that_goes_while_it_is_told_makes_it_read_again(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, gone = tell(ingest, scope, "tea", "a secret")
    after_reading(monkeypatch, lambda: build.tombstone(lanes, scope, gone))
    run(scope)
    (held,) = living(graph, scope)
    assert (held["sources"], held["content"]) == ([kept], "- tea")


@pytest.mark.parametrize("value", ["Rome", "disputed"])
def test_a_claim_that_changes_while_it_is_told_makes_it_read_again(
    graph: Graph, ingest: IngestService, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    other = told.fact(value, "2024-01-01" if value == "Rome" else "2020-01-01")
    after_reading(monkeypatch, lambda: told.tell(ingest, scope, told.episode(other, text=f"home is {value}")))
    run(scope)
    (held,) = living(graph, scope)
    assert ("Oslo" in held["content"], "In dispute" in held["content"]) == (value != "Rome", value != "Rome")


def test_sources_that_never_rest_end_the_attempt_without_a_trace(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(tell(ingest, scope, *[f"n {at}" for at in range(20)]))
    after_reading(monkeypatch, *[lambda: build.tombstone(lanes, scope, next(names))] * 15)
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
