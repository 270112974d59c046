"""What an episode says of earlier memory is taken as given, where that memory is there and the line stays a line."""

from __future__ import annotations

from typing import Any

import pytest

from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope
from tests.support import told
from tests.support.cypher import rows


@pytest.fixture(params=["by id", "by ref", "in a list"])
def naming(request: pytest.FixtureRequest, scope: Scope) -> Any:
    def name(memory: str, kind: Kind = Kind.ATOM) -> Any:
        if request.param == "by id":
            return memory
        return Ref(memory, kind, scope).wire() if request.param == "by ref" else [memory, memory]

    return name


def warnings(ingest: IngestService, scope: Scope, *facts: Any, **metadata: Any) -> tuple[str, list[Any]]:
    """Tell one episode; its id, and what was warned of."""
    (result,) = ingest.ingest(scope, [told.episode(*facts, text="and so", **metadata)])
    return result["ref"]["id"], result.get("warnings", [])


def test_supersedes_wins_over_the_times(graph: Graph, ingest: IngestService, scope: Scope, naming: Any) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01")))
    oslo = told.atom(graph, scope, "Oslo")
    name, said = warnings(ingest, scope, told.fact("Rome", "2010-01-01"), supersedes=naming(oslo))
    assert said == []
    assert told.states(graph, scope) == {"Oslo": "superseded", "Rome": "active"}
    rome = told.atom(graph, scope, "Rome")
    assert told.links(graph, scope, "SUPERSEDES") == sorted([(rome, oslo), (name, oslo)])


def test_superseded_by_wins_over_the_times(graph: Graph, ingest: IngestService, scope: Scope, naming: Any) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2010-01-01")))
    oslo = told.atom(graph, scope, "Oslo")
    name, said = warnings(ingest, scope, told.fact("Rome", "2020-01-01"), supersededBy=naming(oslo))
    assert said == []
    assert told.states(graph, scope) == {"Oslo": "active", "Rome": "superseded"}
    rome = told.atom(graph, scope, "Rome")
    assert told.links(graph, scope, "SUPERSEDES") == sorted([(oslo, rome), (oslo, name)])
    assert told.status(graph, name) == "superseded"


def test_contradicts_wins_over_the_times(graph: Graph, ingest: IngestService, scope: Scope, naming: Any) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2010-01-01")))
    oslo = told.atom(graph, scope, "Oslo")
    name, said = warnings(ingest, scope, told.fact("Rome", "2020-01-01"), contradicts=naming(oslo))
    assert said == []
    assert told.states(graph, scope) == {"Oslo": "disputed", "Rome": "disputed"}
    rome = told.atom(graph, scope, "Rome")
    assert told.links(graph, scope, "CONTRADICTS") == sorted([(rome, oslo), (name, oslo)])
    assert told.links(graph, scope, "SUPERSEDES") == []


def test_an_episode_is_replaced_with_what_it_alone_claims(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    shared = told.fact("teacher", "2010-01-01", relation="works as")
    (old,) = told.tell(ingest, scope, told.episode(told.fact("Oslo", "2010-01-01"), shared, text="old"))
    told.tell(ingest, scope, told.episode(shared, text="another says so too"))
    new, said = warnings(ingest, scope, supersedes=Ref(old, Kind.EPISODE, scope).wire())
    assert said == []
    assert told.states(graph, scope) == {"Oslo": "superseded", "teacher": "active"}
    assert (told.status(graph, old), told.status(graph, new)) == ("superseded", "active")
    assert rows(graph, "MATCH (e:Episode {id: $id}) RETURN e.status AS s", id=old) == [{"s": "active"}]


def test_unknown_ids_are_warned_of_and_kept_as_data(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    metadata = {"supersedes": ["at_none"], "supersededBy": {"id": "ep_none"}, "contradicts": ["at_none", "at_other"]}
    name, (warning,) = warnings(ingest, scope, told.fact("Oslo"), **metadata)
    assert warning["code"] == "unknown_ref"
    assert all(each in warning["message"] for each in ("at_none", "ep_none", "at_other"))
    assert told.states(graph, scope) == {"Oslo": "active"}
    (row,) = rows(graph, "MATCH (e:Episode {id: $id}) RETURN e.metadataJson AS m, e.standing AS s", id=name)
    assert all(each in row["m"] for each in ("at_none", "ep_none", "at_other"))
    assert row["s"] is None
    assert told.links(graph, scope, "SUPERSEDES") == []


def test_memory_of_another_namespace_or_agent_cannot_be_replaced(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    other = Scope(scope.tenant_id, scope.namespace_id + "-2")
    one = Scope(scope.tenant_id, scope.namespace_id, "a1")
    two = Scope(scope.tenant_id, scope.namespace_id, "a2")
    (foreign,) = told.tell(ingest, other, told.episode(told.fact("Lyon")))
    (mine,) = told.tell(ingest, one, told.episode(told.fact("Oslo")))
    oslo = told.atom(graph, scope, "Oslo")
    for word in ("supersedes", "supersededBy", "contradicts"):
        name, (warning,) = warnings(ingest, two, **{word: [foreign, mine, oslo]})
        assert warning["code"] == "unknown_ref"
        assert told.status(graph, name) == "active"
    assert told.states(graph, scope) == {"Oslo": "active"}
    assert (told.status(graph, mine), told.status(graph, foreign)) == ("active", "active")
    assert told.links(graph, scope, "CONTRADICTS") == []


def test_another_session_of_the_same_agent_may_correct(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    monday, friday = (Scope(scope.tenant_id, scope.namespace_id, "a1", day) for day in ("mon", "fri"))
    (old,) = told.tell(ingest, monday, told.episode(text="old"))
    _, said = warnings(ingest, friday, supersedes=old)
    assert said == []
    assert told.status(graph, old) == "superseded"


def test_a_fact_without_a_word_of_the_other_agents_still_meets_it(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    for agent, value, at in (("a1", "Oslo", "2010-01-01"), ("a2", "Rome", "2020-01-01")):
        told.tell(ingest, Scope(scope.tenant_id, scope.namespace_id, agent), told.episode(told.fact(value, at)))
    assert told.states(graph, scope) == {"Oslo": "superseded", "Rome": "active"}


# --- no circles


def pair(graph: Graph, ingest: IngestService, scope: Scope) -> tuple[str, str]:
    """Two claims, the second replacing the first."""
    told.tell(ingest, scope, told.episode(told.fact("old", "2010-01-01")), told.episode(told.fact("new", "2020-01-01")))
    return told.atom(graph, scope, "old"), told.atom(graph, scope, "new")


@pytest.mark.parametrize("order", ["one memory", "against the line"])
def test_standing_on_both_sides_of_a_line_is_refused(
    graph: Graph, ingest: IngestService, scope: Scope, order: str
) -> None:
    old, new = pair(graph, ingest, scope)
    successor = new if order == "one memory" else old
    name, (warning,) = warnings(ingest, scope, supersedes=new, supersededBy=successor)
    assert (warning["code"], successor in warning["message"]) == ("unknown_ref", True)
    assert told.circles(graph, scope) == set()
    assert (successor, name) not in told.links(graph, scope, "SUPERSEDES")


def test_standing_between_two_neighbours_of_a_line_is_not(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    old, new = pair(graph, ingest, scope)
    name, said = warnings(ingest, scope, supersedes=old, supersededBy=new)
    assert said == []
    assert {(new, name), (name, old)} <= set(told.links(graph, scope, "SUPERSEDES"))
    assert told.circles(graph, scope) == set()


def test_an_episode_stands_for_its_claims_when_circles_are_looked_for(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    (first, second) = told.tell(
        ingest, scope, told.episode(told.fact("old", "2010-01-01")), told.episode(told.fact("new", "2020-01-01"))
    )
    _, (warning,) = warnings(ingest, scope, supersedes=second, supersededBy=told.atom(graph, scope, "old"))
    assert warning["code"] == "unknown_ref"
    _, (warning,) = warnings(ingest, scope, supersedes=told.atom(graph, scope, "new"), supersededBy=first)
    assert warning["code"] == "unknown_ref"
    assert told.circles(graph, scope) == set()


def test_two_episodes_of_one_batch_cannot_close_a_circle(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    one, two = told.tell(ingest, scope, told.episode(text="x"), told.episode(text="y"))
    there, back = told.episode(supersedes=one, supersededBy=two), told.episode(supersedes=two, supersededBy=one)
    results = ingest.ingest(scope, [there, back])
    assert [[each["code"] for each in result.get("warnings", [])] for result in results] == [[], ["unknown_ref"]]
    assert told.circles(graph, scope) == set()


def test_words_and_times_together_close_no_circle(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    told.tell(ingest, scope, told.episode(told.fact("S", "2020-01-01", validTo="2035-01-01")))
    word = {"supersedes": told.atom(graph, scope, "S")}
    told.tell(ingest, scope, told.episode(told.fact("Y", "2010-01-01"), **word))
    told.tell(ingest, scope, told.episode(told.fact("T", "2030-01-01")))
    told.tell(ingest, scope, told.episode(told.fact("W", "2015-01-01")))
    assert told.circles(graph, scope) == set()
    assert [value for value, state in told.states(graph, scope).items() if state == "active"] == ["T"]


def test_who_replaces_the_present_claim_is_not_replaced_by_what_that_one_replaced(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    told.tell(ingest, scope, told.episode(told.fact("S", "2020-01-01")))
    for value, at, older in (("X", "2010-01-01", "S"), ("W", "2018-01-01", "X")):
        word = {"supersedes": told.atom(graph, scope, older)}
        told.tell(ingest, scope, told.episode(told.fact(value, at), **word))
    assert told.states(graph, scope) == {"S": "superseded", "X": "superseded", "W": "active"}
    assert told.circles(graph, scope) == set()
