"""Query by meaning on the real index: what comes close is found, in scope and by every filter, and nothing else is."""

import secrets
from datetime import UTC, datetime
from typing import Any

import pytest

from memgraph_svc import clock
from memgraph_svc.assemble import search as querying
from memgraph_svc.assemble.asked import Asked
from memgraph_svc.assemble.context import ContextService
from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.assemble.search import Found, Hit
from memgraph_svc.embed.local import LocalEmbedder
from memgraph_svc.graph.client import Graph
from memgraph_svc.model.memory import Kind, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

MODEL = LocalEmbedder()
TEXTS = {
    "wedding": "They got married in June",
    "film": "We watched a movie",
    "doctor": "She saw a doctor on Monday",
    "pay": "The pay is 3,400 euros a month",
    "drofnik": "Bob owns a drofnik",
    "x": "x was here",
}


@pytest.fixture(scope="module")
def service(graph: Graph) -> QueryService:
    return QueryService(graph, MODEL)


def embed(graph: Graph, scope: Scope) -> None:
    """Give every passage of a namespace its vector, as the write side does."""
    found = rows(
        graph,
        "MATCH (m:Memory {scopeKey: $key})-[:HAS_PASSAGE]->(p) RETURN m.id AS id, p.position AS at, p.text AS text",
        key=scope.key,
    )
    vectors = MODEL.documents([row["text"] for row in found])
    kept = [{**row, "v": list(v)} for row, v in zip(found, vectors, strict=True) if v is not None]
    rows(
        graph,
        "UNWIND $kept AS row MATCH (m:Memory {scopeKey: $key, id: row.id})-[:HAS_PASSAGE]->(p {position: row.at}) "
        "SET p.embeddingA = toFloatList(row.v)",
        kept=kept,
        key=scope.key,
    )


def put(graph: Graph, lanes: Lanes, scope: Scope, texts: dict[str, str] = TEXTS, **more: Any) -> dict[str, build.Thing]:
    made = {name: build.episode(scope, text, **more) for name, text in texts.items()}
    build.seed(lanes, *made.values())
    embed(graph, scope)
    return made


def ids(found: Found) -> list[str]:
    return [hit.ref.id for hit in found.hits]


def only(found: Found) -> Hit:
    (hit,) = found.hits
    return hit


@pytest.mark.parametrize(
    ("text", "name"), [("wedding", "wedding"), ("film", "film"), ("physician?", "doctor"), ("MOVIES", "film")]
)
def test_other_words_for_the_same_are_found(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope, text: str, name: str
) -> None:
    made = put(graph, lanes, scope, {**TEXTS, "doctor": "The doctor came"})
    assert only(service.search(scope, text)).ref.id == made[name]["id"]


def test_a_hit_by_meaning_explains_itself(service: QueryService, graph: Graph, lanes: Lanes, scope: Scope) -> None:
    made = put(graph, lanes, scope)
    shape = only(service.search(scope, "wedding")).wire(explain=True)
    assert shape["ref"]["id"] == made["wedding"]["id"]
    assert shape["reason"] == "Close in meaning to the query."
    assert 0 < shape["score"] < 0.2
    assert shape["explain"].keys() == {"vector"}
    assert shape["explain"]["vector"]["rank"] == 1
    assert MODEL.floor <= shape["explain"]["vector"]["score"] < 1


def test_a_hit_of_both_arms_keeps_its_words_and_gains(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope
) -> None:
    made = put(graph, lanes, scope)
    plain, both = QueryService(graph).search(scope, "married"), service.search(scope, "married")
    assert ids(plain) == ids(both) == [made["wedding"]["id"]]
    assert both.hits[0].reason == 'Matches "married", and close in meaning.'
    assert both.hits[0].score > plain.hits[0].score
    assert both.hits[0].words == plain.hits[0].words
    assert both.hits[0].wire(explain=True)["explain"].keys() == {"lexical", "vector"}


def test_words_come_before_meaning(service: QueryService, graph: Graph, lanes: Lanes, scope: Scope) -> None:
    made = put(
        graph, lanes, scope, {"word": "The wedding cake list", "near": "They got married in June", "far": "A movie"}
    )
    assert ids(service.search(scope, "wedding")) == [made["word"]["id"], made["near"]["id"]]


@pytest.mark.parametrize(
    "text",
    [
        "zqxvkorp",
        "blenkofrat",
        "what is a blenkofrat",
        "glimzer house",
        "the of and",
        "?!",
        "who was it",
        "zebra",
        "的",
    ],
)
def test_what_is_stored_nowhere_is_not_found(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope, text: str
) -> None:
    put(graph, lanes, scope)
    assert service.search(scope, text) == Found()


def test_without_an_embedder_vectors_change_nothing(graph: Graph, lanes: Lanes, scope: Scope) -> None:
    put(graph, lanes, scope)
    assert QueryService(graph).search(scope, "wedding") == Found()


def test_tenants_and_namespaces_are_apart(service: QueryService, graph: Graph, lanes: Lanes, scope: Scope) -> None:
    other_tenant = Scope(f"{scope.tenant_id}-x", scope.namespace_id)
    other_name = Scope(scope.tenant_id, f"{scope.namespace_id}-x")
    ours = put(graph, lanes, scope)
    alone = service.search(scope, "wedding")
    for other in (other_tenant, other_name):
        put(graph, lanes, other, {str(n): f"Wedding number {n}: they got married" for n in range(40)})
    assert service.search(scope, "wedding") == alone
    assert ids(alone) == [ours["wedding"]["id"]]
    assert service.search(Scope("nobody", "nowhere"), "wedding").hits == []


def test_agents_and_sessions_narrow(service: QueryService, graph: Graph, lanes: Lanes, scope: Scope) -> None:
    def within(agent: str | None, session: str | None = None) -> Scope:
        return Scope(scope.tenant_id, scope.namespace_id, agent, session)

    places = [within(None), within("a"), within("b"), within("a", "s"), within("b", "s")]
    made = {place.full(): put(graph, lanes, place, {"w": TEXTS["wedding"]})["w"]["id"] for place in places}

    def found(agent: str | None, session: str | None = None) -> set[str]:
        return set(ids(service.search(within(agent, session), "wedding")))

    assert found(None) == set(made.values())
    assert found("a") == {made[within("a").full()], made[within("a", "s").full()]}
    assert found(None, "s") == {made[within("a", "s").full()], made[within("b", "s").full()]}
    assert found("b", "s") == {made[within("b", "s").full()]}
    assert found("c") == set()


def test_kinds_and_states_are_filters(service: QueryService, graph: Graph, lanes: Lanes, scope: Scope) -> None:
    source = build.episode(scope, "unrelated source")
    atom = build.atom(scope, TEXTS["wedding"], [source])
    disputed = build.episode(scope, "They were married in May", status="disputed")
    build.seed(lanes, source, atom, disputed, *build.derived(scope, atom, [source]))
    embed(graph, scope)

    def found(**asked: Any) -> set[str]:
        return set(ids(service.search(scope, "wedding", Filters(**asked))))

    assert found() == {atom["id"]}
    assert found(kinds=frozenset({Kind.ATOM})) == {atom["id"]}
    assert found(kinds=frozenset({Kind.EPISODE})) == set()
    assert found(kinds=frozenset({Kind.LINK})) == set()
    assert found(statuses=frozenset({Status.ACTIVE, Status.DISPUTED})) == {atom["id"], disputed["id"]}
    assert found(statuses=frozenset({Status.DISPUTED})) == {disputed["id"]}


def test_times_and_metadata_are_filters_before_the_limit(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(querying, "_FEWEST", 4)  # so that the first look is too short
    nearer = {str(n): "They got married in June" for n in range(20)}
    put(graph, lanes, scope, nearer, metadata={"room": "b"}, createdAt="2026-01-01T00:00:00Z")
    made = put(graph, lanes, scope, {"w": "They got married in an old church"}, metadata={"room": "a"})

    def found(limit: int = 1, **asked: Any) -> Found:
        return service.search(scope, "wedding", Filters(**asked), limit)

    assert ids(found(metadata={"room": "a"}, limit=2)) == [made["w"]["id"]]
    assert ids(found(created_after=datetime(2026, 5, 1, tzinfo=UTC), limit=2)) == [made["w"]["id"]]
    assert found(metadata={"room": "c"}).hits == []
    assert found(limit=3).more
    assert len(found(limit=3).hits) == 3
    every = found(limit=50)
    assert len(every.hits) == 21
    assert not every.more
    assert [(-hit.score, hit.ref.id) for hit in every.hits] == sorted((-hit.score, hit.ref.id) for hit in every.hits)
    assert found(limit=50) == every


def test_the_standing_of_an_episode_is_its_state(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope
) -> None:
    made = put(graph, lanes, scope, {"w": "They got married in June"})
    rows(
        graph,
        "MATCH (m:Memory {scopeKey: $key, id: $id})-[:HAS_PASSAGE]->(p) SET m.standing = 'superseded'",
        key=scope.key,
        id=made["w"]["id"],
    )
    replaced = Filters(statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}))
    for text in ("wedding", "married"):
        assert service.search(scope, text).hits == []
        assert (
            QueryService(graph).search(scope, text, Filters(created_after=datetime(2020, 1, 1, tzinfo=UTC))).hits == []
        )
        assert only(service.search(scope, text, replaced)).candidate.status is Status.SUPERSEDED


def test_vectors_of_another_length_are_never_met(graph: Graph, lanes: Lanes, scope: Scope) -> None:
    class Other:
        name, dimension, floor = "other-3", 3, 0.0

        def documents(self, texts: Any) -> Any:
            return [(1.0, 0.0, 0.0) for _ in texts]

        def query(self, text: str) -> Any:
            return (1.0, 0.0, 0.0)

    made = put(graph, lanes, scope)
    assert QueryService(graph, Other()).search(scope, "wedding") == Found()
    rows(
        graph,
        "MATCH (:Memory {scopeKey: $key, id: $id})-[:HAS_PASSAGE]->(p) SET p.embeddingA = [1.0, 0.0, 0.0]",
        key=scope.key,
        id=made["x"]["id"],
    )
    assert ids(QueryService(graph, Other()).search(scope, "wedding")) == [made["x"]["id"]]
    assert QueryService(graph, Other()).search(scope, "?!") == Found()


def test_a_context_holds_what_comes_close(graph: Graph, lanes: Lanes, scope: Scope) -> None:
    made = put(graph, lanes, scope)
    asked = Asked(scope, "wedding", {"maxTokens": 400}, Filters())
    (segment,) = ContextService(graph, clock.now, MODEL).assemble(asked).segments
    assert segment["ref"]["id"] == made["wedding"]["id"]
    assert segment["reason"] == "Close in meaning to the query."
    assert ContextService(graph).assemble(asked).segments == []


def test_many_memories_are_found_in_their_true_order(
    service: QueryService, graph: Graph, lanes: Lanes, scope: Scope
) -> None:
    things = [secrets.choice(["piano", "garden", "violin", "boat", "lamp"]) for _ in range(300)]
    texts = {str(n): f"They sold the {thing} number {n}" for n, thing in enumerate(things)}
    made = put(graph, lanes, scope, {**texts, "w": "They got married in June", "m": "His marriage lasted"})
    assert set(ids(service.search(scope, "wedding"))) == {made["w"]["id"], made["m"]["id"]}
