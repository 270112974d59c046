"""Query on the real index: what is found, what never is, and in which order."""

import secrets
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgraph_svc.assemble import lexical
from memgraph_svc.assemble import search as querying
from memgraph_svc.assemble.filters import from_request
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.assemble.search import Found
from memgraph_svc.assemble.store import Store
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor, Kind, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

ME = Actor("u1", "user")


@pytest.fixture(scope="session")
def service(graph: Graph) -> QueryService:
    return QueryService(graph)


def put(ingest: IngestService, scope: Scope, *contents: Any, **metadata: Any) -> list[str]:
    drafts = [EpisodeDraft("text/plain", content, ME, None, metadata) for content in contents]
    return [result["ref"]["id"] for result in ingest.ingest(scope, drafts)]


def ids(found: Found) -> list[str]:
    return [hit.ref.id for hit in found.hits]


def test_a_hit_is_a_ref_with_score_and_reason(service: QueryService, ingest: IngestService, scope: Scope) -> None:
    (name,) = put(ingest, scope, "Caroline adopted a puppy and keeps her salary secret")
    (hit,) = service.search(scope, "adopting puppies?").hits
    shape = hit.wire(explain=True)
    assert shape["ref"] == {"id": name, "type": "episode", "scope": scope.wire()}
    assert shape["reason"] == 'Matches "adopting", "puppies".'
    assert shape["explain"]["lexical"] == {"rank": 1, "score": shape["score"], "terms": ["adopting", "puppies"]}
    assert "salary" not in str(shape)
    assert "explain" not in hit.wire()


@pytest.mark.parametrize("text", ["qqzzxx", "the of and", "?!", "的", "*", "\x00", "\ufffe"])
def test_words_stored_nowhere_find_nothing(
    service: QueryService, ingest: IngestService, scope: Scope, text: str
) -> None:
    put(ingest, scope, *[f"memo {n} of the day" for n in range(6)])
    assert service.search(scope, text).hits == []


def test_operators_are_found_as_text(service: QueryService, ingest: IngestService, scope: Scope) -> None:
    kept = {
        "tb-": "ticket tb-foo is open",
        "C:\\repo\\src\\main.py": "edit C:\\repo\\src\\main.py first",
        "root causes/solutions": "see root causes/solutions below",
        "C++": "rewrite it in C++ soon",
        "node:": "set node: 18 there",
        "北京": "我住在北京大学",
        "道具处理类_初始化": "道具处理类_初始化",
        "Москва": "Москва",
        "Å": "ringed Å here",
        "A\u030angstro\u0308m": "\u00c5ngstr\u00f6m",
        "🎉": "done 🎉",
    }
    made = dict(zip(kept, put(ingest, scope, *kept.values()), strict=True))
    for text, name in made.items():
        assert name in ids(service.search(scope, text)), text


@settings(max_examples=60)
@given(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200),
        st.text(alphabet='+-&|!(){}[]^"~*?:\\/ aANDORT<>=\x00', max_size=60),
        st.builds(lambda piece, count: piece * count, st.text(min_size=1, max_size=12), st.integers(1, 2_000)),
    )
)
@example("汉字" * 2_500)
@example("".join(chr(0x4E00 + n) for n in range(5_000)))
@example(" ".join(f"word{n}" for n in range(4_500)))
@example("a/" * 15_000)
@example("カa" * 5_000)
@example("กa" * 5_000)
@example(".".join(f"x{n}" for n in range(3_000)))
@example("👩\u200d👧🏽🇩🇪" * 900)
@example("a\u0301_" * 3_000)
@example("\u200d\u200c'" * 100)
@example("e" * 30_000)
def test_no_text_is_a_syntax_error(graph: Graph, text: str) -> None:
    scope = Scope("t-nothing", "n-nothing")
    text = text.encode(errors="ignore").decode()
    if (wanted := lexical.wanted(text)) is not None:
        # Straight to the index: halving would hide a query that is too long.
        Store(graph).search_passages(scope, lexical.lucene(wanted, scope, states=["v0"]), 10, filtered=False)
    assert querying.search(Store(graph), scope, text, from_request(None), 5).hits == []


def test_a_query_that_the_index_finds_too_long_is_halved(
    graph: Graph, ingest: IngestService, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name,) = put(ingest, scope, "needle")
    monkeypatch.setattr(lexical, "MOST_CLAUSES", 5_000)
    found = QueryService(graph).search(scope, "needle " + " ".join(f"w{n}" for n in range(3_000)))
    assert ids(found) == [name]
    assert [warning.code for warning in found.warnings] == ["query_shortened"]


def test_scopes_are_apart_and_narrow_by_agent_and_session(
    service: QueryService, ingest: IngestService, scope: Scope
) -> None:
    one = Scope(scope.tenant_id, scope.namespace_id, "a1", "s1")
    two = Scope(scope.tenant_id, scope.namespace_id, "a2")
    (first,), (second,) = put(ingest, one, "shared words"), put(ingest, two, "shared words")
    put(ingest, Scope(scope.tenant_id + "x", scope.namespace_id), "shared words")
    put(ingest, Scope(scope.namespace_id, scope.tenant_id), "shared words")
    assert set(ids(service.search(scope, "shared"))) == {first, second}
    assert ids(service.search(Scope(scope.tenant_id, scope.namespace_id, "a1"), "shared")) == [first]
    assert ids(service.search(Scope(scope.tenant_id, scope.namespace_id, None, "s1"), "shared")) == [first]
    assert ids(service.search(two, "shared")) == [second]
    assert ids(service.search(Scope(scope.tenant_id, scope.namespace_id, "*"), "shared")) == []


def test_states_and_kinds(service: QueryService, lanes: Lanes, scope: Scope) -> None:
    source = build.episode(scope, "kestrel raw")
    by_status = {
        status: build.atom(scope, f"kestrel {status}", [source], status=status)
        for status in ("active", "disputed", "superseded", "pending", "failed", "tombstoned")
    }
    group = build.consolidation(scope, "kestrel summary", [source])
    build.seed(lanes, source, group, *by_status.values())

    def names(**filters: Any) -> set[str]:
        return set(ids(service.search(scope, "kestrel", from_request(filters))))

    active = {source["id"], group["id"], by_status["active"]["id"]}
    assert names() == active
    assert names(includeDisputed=True) == active | {by_status["disputed"]["id"]}
    assert names(includeSuperseded=True) == active | {by_status["superseded"]["id"]}
    assert names(statuses=[Status.PENDING, Status.FAILED]) == {by_status["pending"]["id"], by_status["failed"]["id"]}
    assert names(statuses=[Status.TOMBSTONED]) == set()
    assert names(types=[Kind.EPISODE]) == {source["id"]}
    assert names(types=[Kind.CONSOLIDATION, Kind.LINK]) == {group["id"]}
    assert names(types=[Kind.LINK]) == set()


def test_the_memory_decides_when_its_passage_is_behind(
    graph: Graph, service: QueryService, lanes: Lanes, scope: Scope
) -> None:
    source = build.episode(scope, "heron raw")
    claim = build.atom(scope, "heron claim", [source])
    build.seed(lanes, source, claim)
    rows(graph, "MATCH (m:Memory {scopeKey: $k, id: $i}) SET m.status = 'disputed'", k=scope.key, i=claim["id"])
    assert ids(service.search(scope, "heron")) == [source["id"]]


def test_stale_memory_comes_only_when_asked_for_and_says_so(
    graph: Graph, service: QueryService, lanes: Lanes, scope: Scope
) -> None:
    source = build.episode(scope, "raw")
    claim = build.atom(scope, "osprey claim", [source])
    build.seed(lanes, source, claim)
    rows(
        graph,
        "MATCH (m:Memory {scopeKey: $k, id: $i})-[:HAS_PASSAGE]->(p) SET m.stale = true, m:Stale, p.visibility = 'v8'",
        k=scope.key,
        i=claim["id"],
    )
    assert service.search(scope, "osprey").hits == []
    (hit,) = service.search(scope, "osprey", from_request({"includeStale": True})).hits
    assert [warning["code"] for warning in hit.wire()["warnings"]] == ["stale_consolidation"]


def test_a_memory_of_many_passages_comes_once(service: QueryService, ingest: IngestService, scope: Scope) -> None:
    long, short = put(ingest, scope, "the osprey flew far away today. " * 400, "an osprey")
    assert sorted(ids(service.search(scope, "osprey", limit=2))) == sorted([long, short])
    assert len(service.search(scope, "osprey", limit=1).hits) == 1


def test_filters_apply_before_the_limit(service: QueryService, ingest: IngestService, scope: Scope) -> None:
    put(ingest, scope, *["finch finch finch"] * 300, side="left")
    wanted = put(
        ingest, scope, *[f"finch with {n} more words around it than the others have" for n in range(7)], side="right"
    )
    right = from_request({"metadata": {"side": "right"}})
    found = service.search(scope, "finch", right, limit=5)
    assert len(found.hits) == 5
    assert set(ids(found)) < set(wanted)
    assert found.more
    assert set(ids(service.search(scope, "finch", right, limit=50))) == set(wanted)
    assert service.search(scope, "finch", from_request({"metadata": {"side": {"deep": 1}}})).hits == []
    assert len(service.search(scope, "finch", limit=47).hits) == 47
    assert len(service.search(scope, "finch", limit=1_000).hits) == 307


def test_times(service: QueryService, ingest: IngestService, scope: Scope) -> None:
    from memgraph_svc import clock

    (old,) = put(ingest, scope, "swift one", occurredAt="2020-01-01T00:00:00Z", validTo="2021-01-01T00:00:00Z")
    between = clock.now()
    (new,) = put(ingest, scope, "swift two")
    later = clock.now()

    def names(**filters: Any) -> list[str]:
        return sorted(ids(service.search(scope, "swift", from_request(filters))))

    assert names(createdAfter=between) == [new]
    assert names(createdBefore=between) == [old]
    assert names(createdAfter=later) == []
    assert names(asOf=between.replace(year=2020, month=6)) == [old]
    assert names(asOf=between.replace(year=1990)) == []
    assert names(asOf=later) == [new]


def test_the_order_is_the_same_whatever_others_write(
    service: QueryService, ingest: IngestService, scope: Scope
) -> None:
    put(ingest, scope, *["wren note", "wren and thrush", "thrush note", "a wren, a wren"] * 3)
    first = [(hit.ref.id, hit.score) for hit in service.search(scope, "wren thrush").hits]
    assert first == sorted(first, key=lambda pair: (-pair[1], pair[0]))
    put(ingest, Scope(scope.tenant_id, secrets.token_hex(4)), *["wren wren"] * 30)
    assert [(hit.ref.id, hit.score) for hit in service.search(scope, "wren thrush").hits] == first


@pytest.mark.parametrize(("text", "limit"), [("", 5), (" \n\t", 5), ("x", 0), ("x", -1), ("x", 1_001)])
def test_refusals(service: QueryService, scope: Scope, text: str, limit: int) -> None:
    with pytest.raises(InvalidRequest) as refused:
        service.search(scope, text, limit=limit)
    assert refused.value.details["path"] in ("query", "limit")
