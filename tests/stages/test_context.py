"""Assembled contexts on the real graph: bounded, sourced, equal for equal requests, honest about what they lack."""

import threading
from typing import Any

import pytest

from memgraph_svc.assemble import asked
from memgraph_svc.assemble.context import ContextService
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.graph import consistent
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

ME = Actor("u1", "user")


@pytest.fixture(scope="session")
def service(graph: Graph) -> ContextService:
    return ContextService(graph)


def put(ingest: IngestService, scope: Scope, *contents: Any, **metadata: Any) -> list[str]:
    drafts = [EpisodeDraft("text/plain", content, ME, None, metadata) for content in contents]
    return [result["ref"]["id"] for result in ingest.ingest(scope, drafts)]


def made(service: ContextService, scope: Scope, task: str, tokens: int = 4_000, **more: Any) -> dict[str, Any]:
    budget = {"maxTokens": tokens, **more.pop("budget", {})}
    return service.assemble(asked.from_body({"scope": scope, "task": task, "budget": budget, **more})).wire()


def names(context: dict[str, Any]) -> list[str]:
    return [segment["ref"]["id"] for segment in context["segments"]]


def codes(context: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in context["warnings"]]


def test_nothing_stored(service: ContextService, scope: Scope) -> None:
    context = made(service, scope, "write an answer", budget={"maxSegments": 3})
    assert (context["segments"], context["tokenEstimate"], context["truncated"]) == ([], 0, False)
    assert codes(context) == ["empty_context"]
    assert (context["task"], context["scope"]) == ("write an answer", scope.wire())
    assert context["budget"] == {"maxTokens": 4_000, "maxSegments": 3}


def test_a_segment_is_sourced_text(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    text, json_content = put(ingest, scope, "kestrel e\u0301", {"kestrel": [1]}, occurredAt="2026-05-09T00:00:00+08:00")
    (third,) = put(ingest, scope, {"text": "kestrel said", "speaker": "x"})
    context = made(service, scope, "kestrel")
    content = {segment["ref"]["id"]: segment["content"] for segment in context["segments"]}
    assert content == {text: "kestrel e\u0301", json_content: '{"kestrel":[1]}', third: "kestrel said"}
    segment = next(each for each in context["segments"] if each["ref"]["id"] == text)
    assert segment["occurredAt"] == "2026-05-08T16:00:00.000000Z"
    assert segment["provenance"]["sourceRefs"] == [segment["ref"]]
    assert segment["reason"] == 'Matches "kestrel".'
    assert context["tokenEstimate"] == sum(-(-len(each["content"].encode()) // 4) for each in context["segments"])


def test_the_budget_is_kept_and_what_is_cut_is_said(
    service: ContextService, ingest: IngestService, scope: Scope
) -> None:
    long = "lorem ipsum dolor sit. " * 300 + "The gateway rejects expired certificates. " + "amet consetetur. " * 300
    (name,) = put(ingest, scope, long)
    context = made(service, scope, "why does the gateway reject certificates", 60)
    (segment,) = context["segments"]
    assert segment["ref"]["id"] == name
    assert "The gateway rejects expired certificates." in segment["content"]
    assert segment["content"] in long
    assert context["truncated"]
    assert codes(context) == ["truncated"]
    assert context["tokenEstimate"] <= 60


def test_large_memory_does_not_keep_small_memory_out(
    service: ContextService, ingest: IngestService, scope: Scope
) -> None:
    put(ingest, scope, "finch " + "y2 " * 400)
    small = put(ingest, scope, *[f"finch s{n}" for n in range(3)])
    put(ingest, scope, "finch finch finch " + "z3 " * 400)
    small += put(ingest, scope, *[f"finch t{n}" for n in range(3)])
    context = made(service, scope, "finch", 120)
    assert set(small) <= set(names(context)) or 120 - context["tokenEstimate"] < 12
    assert context["truncated"]
    assert context["tokenEstimate"] <= 120
    assert made(service, scope, "finch", 200, budget={"reservedTokens": 150})["tokenEstimate"] <= 50


def test_more_is_read_while_there_is_room(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    every = put(ingest, scope, *["finch"] * 400)
    context = made(service, scope, "finch", 900)
    assert set(names(context)) == set(every)
    assert not context["truncated"]


@pytest.mark.parametrize("where", ["budget", "constraints"])
def test_segments_are_bounded(service: ContextService, ingest: IngestService, scope: Scope, where: str) -> None:
    put(ingest, scope, *[f"finch {n}" for n in range(6)])
    bound: dict[str, Any] = {where: {"maxSegments": 2}}
    context = made(service, scope, "finch", **bound)
    assert len(context["segments"]) == 2
    assert context["truncated"]
    assert made(service, scope, "finch", budget={"maxSegments": 6})["truncated"] is False


def test_required_and_excluded_memory(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    on, off = put(ingest, scope, "finch on topic", "quite another thing")
    foreign = put(ingest, Scope(scope.tenant_id + "x", scope.namespace_id), "foreign secret")[0]
    refs = [Ref(name, Kind.EPISODE, scope) for name in (off, foreign, "ep_ghost")]
    context = made(service, scope, "finch", constraints={"mustIncludeRefs": refs})
    assert names(context) == [off, on]
    (warning,) = context["warnings"]
    assert warning["code"] == "required_ref_omitted"
    assert [ref["id"] for ref in warning["refs"]] == [foreign, "ep_ghost"]
    context = made(
        service,
        scope,
        "finch",
        constraints={"mustIncludeRefs": refs[:1], "excludedRefs": [*refs, Ref(on, Kind.EPISODE, scope)]},
    )
    assert names(context) == []
    assert set(codes(context)) == {"empty_context", "required_ref_omitted"}


def test_required_memory_that_does_not_fit(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    wide = put(ingest, scope, *["\u6f22" * 30 + f"{n}" for n in range(6)])
    refs = [Ref(name, Kind.EPISODE, scope) for name in wide]
    context = made(service, scope, "nothing of it", 3, constraints={"mustIncludeRefs": refs})
    assert context["tokenEstimate"] <= 3
    assert context["truncated"]
    assert len(context["segments"]) + len(context["warnings"][-1].get("refs", [])) >= 3
    assert "required_ref_omitted" in codes(context)


def test_disputed_superseded_and_stale_memory(
    graph: Graph, service: ContextService, lanes: Lanes, scope: Scope
) -> None:
    sources = [build.episode(scope, f"osprey source {n}") for n in range(3)]
    quarrel = [build.atom(scope, f"osprey side {n}", [sources[n]], status="disputed") for n in range(2)]
    fine = build.atom(scope, "osprey measured", [sources[2]])
    old = build.consolidation(scope, "osprey old", [sources[2]], status="superseded")
    stale = build.atom(scope, "osprey stale", [sources[2]])
    build.seed(lanes, *sources, *quarrel, fine, old, stale)
    rows(
        graph,
        "MATCH (m:Memory {scopeKey: $k, id: $i})-[:HAS_PASSAGE]->(p) SET m.stale = true, p.visibility = 'v8'",
        k=scope.key,
        i=stale["id"],
    )
    context = made(service, scope, "osprey")
    assert set(names(context)) == {thing["id"] for thing in (*sources, fine)}
    assert codes(context) == ["disputed_memory_included"]  # the episodes that state the two sides
    assert {ref["id"] for ref in context["warnings"][0]["refs"]} == {sources[0]["id"], sources[1]["id"]}
    everything = {"includeDisputed": True, "includeSuperseded": True, "allowStale": True}
    context = made(service, scope, "osprey", constraints=everything)
    assert {thing["id"] for thing in (*quarrel, old, stale)} < set(names(context))
    assert codes(context) == ["stale_consolidation", "disputed_memory_included", "superseded_memory_included"]
    assert (
        made(service, scope, "osprey", constraints={"mustIncludeRefs": [build.ref(old)]})["warnings"][0]["code"]
        == "required_ref_omitted"
    )


def test_memory_whose_source_was_deleted_carries_a_warning(
    graph: Graph, service: ContextService, lanes: Lanes, scope: Scope
) -> None:
    source = build.episode(scope, "raw")
    claim = build.atom(scope, "osprey claim", [source])
    build.seed(lanes, source, claim)
    rows(graph, "MATCH (m:Memory {scopeKey: $k, id: $i}) SET m.status = 'tombstoned'", k=scope.key, i=source["id"])
    context = made(service, scope, "osprey")
    assert names(context) == [claim["id"]]
    assert codes(context) == ["stale_consolidation"]


def test_the_same_request_gives_the_same_bytes(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    put(ingest, scope, *[f"wren note {n}" for n in range(12)])
    first = made(service, scope, "wren note")
    put(ingest, Scope(scope.tenant_id, "other"), *["wren foreign"] * 20)
    again = made(service, scope, "wren note")
    assert again["segments"] == first["segments"]
    assert again["contextHash"] == first["contextHash"]
    put(ingest, scope, "wren note more")
    assert made(service, scope, "wren note")["contextHash"] != first["contextHash"]


def test_preferences(service: ContextService, ingest: IngestService, scope: Scope) -> None:
    days = [put(ingest, scope, "wren", occurredAt=f"2026-05-0{day}T00:00:00Z")[0] for day in (3, 1, 2)]
    assert names(made(service, scope, "wren")) == sorted(days)
    assert names(made(service, scope, "wren", constraints={"preferRecency": True})) == [days[0], days[2], days[1]]


def test_eventual_reads_say_so(service: ContextService, scope: Scope) -> None:
    assert "eventual_consistency" in codes(made(service, scope, "x", consistency="eventual"))


@pytest.mark.parametrize(
    ("task", "budget", "path"), [(" ", {}, "task"), ("x", {"reservedTokens": 10}, "budget.reservedTokens")]
)
def test_refusals(service: ContextService, scope: Scope, task: str, budget: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        made(service, scope, task, 10, budget=budget)
    assert refused.value.details == {"path": path}


def test_a_read_never_sees_half_of_a_commit(
    graph: Graph, service: ContextService, ingest: IngestService, scope: Scope
) -> None:
    stop, torn = threading.Event(), []

    def write() -> None:
        n = 0
        while not stop.is_set():
            put(ingest, scope, f"pair {n} left", f"pair {n} right")
            n += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(15):
            context = made(service, scope, "pair", 100_000)
            if len(context["segments"]) % 2:
                torn.append(len(context["segments"]))
    finally:
        stop.set()
        writer.join()
    assert torn == []


def test_a_busy_namespace_is_read_under_its_lock(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    put(ingest, scope, "one")
    runs: list[Any] = []

    def read(run: consistent.Reader) -> int:
        runs.append(run)
        if len(runs) <= consistent.TRIES:
            put(ingest, scope, f"meanwhile {len(runs)}")
        return len(runs)

    result, seq = consistent.consistently(graph, scope.key, read)
    assert result == len(runs) == consistent.TRIES + 1
    (row,) = rows(graph, "MATCH (n:Namespace {scopeKey: $k}) RETURN n.seq AS seq", k=scope.key)
    assert seq == row["seq"] == consistent.TRIES + 1
