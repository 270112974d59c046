"""Stated facts on the real database: told once, kept for ever, and true to what was said last."""

from __future__ import annotations

from typing import Any

import pytest

from memgraph_svc.assemble.asked import Asked
from memgraph_svc.assemble.context import ContextService
from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.hydrate import HydrateService
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from tests.support import told
from tests.support.cypher import rows

DISPUTED = Filters(statuses=frozenset({Status.ACTIVE, Status.DISPUTED}))
SUPERSEDED = Filters(statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}))


def found(graph: Graph, scope: Scope, text: str, filters: Filters | None = None) -> set[str]:
    return {hit.ref.id for hit in QueryService(graph).search(scope, text, filters, 100).hits}


def warned(graph: Graph, scope: Scope, task: str, code: str) -> set[str]:
    """The memories that a context warns of under that code."""
    context = ContextService(graph).assemble(Asked(scope, task, {"maxTokens": 2_000}, Filters())).wire()
    inside = {each["ref"]["id"] for each in context["segments"]}
    refs = {ref["id"] for each in context["warnings"] if each["code"] == code for ref in each.get("refs", [])}
    assert refs <= inside
    return refs


def test_a_stated_fact_is_an_atom_made_from_its_episode(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    text = "Ada has lived in Oslo since May."
    (name,) = told.tell(ingest, scope, told.episode(told.fact("Oslo", "2026-05-01", confidence=0.9), text=text))
    ref = Ref(told.atom(graph, scope, "Oslo"), Kind.ATOM, scope)
    (atom,) = HydrateService(graph).hydrate(scope, [ref], details=True).objects
    assert (atom["content"], atom["status"], atom["confidence"]) == (text, "active", 0.9)
    assert atom["provenance"]["sourceRefs"] == [Ref(name, Kind.EPISODE, scope).wire()]
    assert (atom["provenance"]["producedBy"], atom["provenance"]["transformationType"]) == ("stated", "statement")
    assert atom["validFrom"].startswith("2026-05-01")
    assert [each[:2] for each in told.events(graph, scope)] == [
        ("episode.ingested", name),
        ("memory.indexed", name),
        ("atom.extracted", ref.id),
        ("memory.indexed", ref.id),
    ]


def test_a_later_fact_supersedes_and_its_episode_answers_alone(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    (old,) = told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    (new,) = told.tell(ingest, scope, told.episode(told.fact("Rome", "2024-01-01"), text="home is Rome"))
    held = told.claims(graph, scope)
    assert told.states(graph, scope) == {"Oslo": "superseded", "Rome": "active"}
    assert held["Oslo"]["validTo"] == held["Rome"]["validFrom"]
    assert told.links(graph, scope, "SUPERSEDES") == [(held["Rome"]["id"], held["Oslo"]["id"])]
    told_of = {"supersededBy": held["Rome"]["id"]}
    assert told.events(graph, scope, "memory.superseded") == [("memory.superseded", held["Oslo"]["id"], told_of)]
    assert found(graph, scope, "home") == {new, held["Rome"]["id"]}
    assert found(graph, scope, "home", SUPERSEDED) == {old, new, held["Oslo"]["id"], held["Rome"]["id"]}


def test_an_episode_with_one_claim_left_is_still_found_and_warned_of(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    both = [told.fact("Oslo", "2020-01-01"), told.fact("teacher", "2020-01-01", relation="works as")]
    (name,) = told.tell(ingest, scope, told.episode(*both, text="whereabouts and work"))
    told.tell(ingest, scope, told.episode(told.fact("Rome", "2024-01-01")))
    assert name in found(graph, scope, "whereabouts")
    assert warned(graph, scope, "whereabouts", "superseded_memory_included") == {name}


def test_thirty_unrelated_facts_and_one_move_give_one_supersedes_link(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    unrelated = [told.fact(f"v{at}", "2020-01-01", relation=f"r{at}") for at in range(15)]
    unrelated += [told.fact(f"s{at}", "2020-01-01", subject=f"S{at}") for at in range(15)]
    told.tell(ingest, scope, *[told.episode(each) for each in [*unrelated, told.fact("Oslo", "2020-01-01")]])
    told.tell(ingest, scope, told.episode(told.fact("Rome", "2021-01-01")))
    states = told.states(graph, scope)
    assert [value for value, state in states.items() if state != "active"] == ["Oslo"]
    assert len(told.links(graph, scope, "SUPERSEDES")) == 1
    assert told.links(graph, scope, "CONTRADICTS") == []


@pytest.mark.parametrize("together", [True, False])
def test_two_equal_facts_are_one_atom_with_two_sources(
    graph: Graph, ingest: IngestService, scope: Scope, together: bool
) -> None:
    equal = [told.episode(told.fact(value, "2020-01-01")) for value in ("Oslo", "OSLO ")]
    batches = [equal] if together else [[each] for each in equal]
    names = [name for batch in batches for name in told.tell(ingest, scope, *batch)]
    (atom,) = told.claims(graph, scope).values()
    assert sorted(atom["sources"]) == sorted(names)
    assert atom["status"] == "active"
    assert len(told.events(graph, scope, "atom.extracted")) == 1
    text = "MATCH (:Atom {scopeKey: $k})-[r:DERIVED_FROM]->() RETURN r.position AS p ORDER BY p"
    assert [row["p"] for row in rows(graph, text, k=scope.key)] == [0, 1]


def test_many_valued_facts_stand_beside_each_other(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    told.tell(ingest, scope, *[told.episode(told.fact(v, relation="likes", cardinality="many")) for v in "abc"])
    assert told.states(graph, scope) == {"a": "active", "b": "active", "c": "active"}


def test_a_batch_and_single_calls_end_alike(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    facts = [told.fact("a", "2010-01-01"), told.fact("c", "2020-01-01"), told.fact("b", "2015-01-01"), told.fact("d")]
    other = Scope(scope.tenant_id, scope.namespace_id + "-2")
    told.tell(ingest, scope, *[told.episode(each) for each in facts])
    for each in facts:
        told.tell(ingest, other, told.episode(each))
    shown: list[Any] = []
    for each in (scope, other):
        held = told.claims(graph, each)
        value = {claim["id"]: name for name, claim in held.items()}
        linked = [[(value[a], value[b]) for a, b in told.links(graph, each, k)] for k in ("SUPERSEDES", "CONTRADICTS")]
        shown.append((told.states(graph, each), held["a"]["validTo"], [sorted(some) for some in linked]))
    assert shown[0] == shown[1]
    assert shown[0][0] == {"a": "superseded", "b": "superseded", "c": "disputed", "d": "disputed"}


# --- disputes


def test_facts_that_no_time_tells_apart_are_disputed_and_both_stay_in_sight(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    episodes = told.tell(ingest, scope, *[told.episode(told.fact(v), text=f"home is {v}") for v in ("Oslo", "Rome")])
    oslo, rome = (told.atom(graph, scope, value) for value in ("Oslo", "Rome"))
    assert told.states(graph, scope) == {"Oslo": "disputed", "Rome": "disputed"}
    assert told.links(graph, scope, "CONTRADICTS") == [(rome, oslo)]
    disputed = told.events(graph, scope, "memory.disputed")
    assert {each[1] for each in disputed} == {oslo, rome}
    assert len({each[2]["linkId"] for each in disputed}) == 1
    assert found(graph, scope, "home") == set(episodes)
    assert found(graph, scope, "home", DISPUTED) == {*episodes, oslo, rome}
    assert warned(graph, scope, "home", "disputed_memory_included") == set(episodes)


def test_a_newer_claim_ends_a_dispute_by_superseding_both_sides(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    told.tell(ingest, scope, *[told.episode(told.fact(v, "2020-01-01"), text=f"home is {v}") for v in ("Oslo", "Rome")])
    (new,) = told.tell(ingest, scope, told.episode(told.fact("Bonn", "2024-01-01"), text="home is Bonn"))
    assert told.states(graph, scope) == {"Oslo": "superseded", "Rome": "superseded", "Bonn": "active"}
    assert found(graph, scope, "home", DISPUTED) == {new, told.atom(graph, scope, "Bonn")}
    assert warned(graph, scope, "home", "disputed_memory_included") == set()
    assert told.events(graph, scope, "memory.restored") == []


def test_who_stood_against_a_superseded_claim_is_restored(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo", "2020-01-01"), text="home is Oslo"))
    told.tell(ingest, scope, told.episode(told.fact("Rome", cardinality="many"), text="home is Rome"))
    oslo, rome = (told.atom(graph, scope, value) for value in ("Oslo", "Rome"))
    against = told.episode(told.fact("Lyon", "2020-01-01"), text="home is Lyon", contradicts=rome)
    told.tell(ingest, scope, against)
    assert told.states(graph, scope) == {"Oslo": "disputed", "Rome": "disputed", "Lyon": "disputed"}
    told.tell(ingest, scope, told.episode(told.fact("Bonn", "2024-01-01"), text="home is Bonn"))
    assert told.states(graph, scope) == {
        "Oslo": "superseded", "Rome": "active", "Lyon": "superseded", "Bonn": "active",
    }  # fmt: skip
    assert told.events(graph, scope, "memory.restored") == [("memory.restored", rome, {})]
    assert told.status(graph, oslo) == "superseded"
    assert rome in found(graph, scope, "Rome")


def test_a_dispute_with_a_replaced_episode_ends(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    told.tell(ingest, scope, told.episode(told.fact("Oslo"), text="home is Oslo"))
    oslo = told.atom(graph, scope, "Oslo")
    (doubt,) = told.tell(ingest, scope, told.episode(text="I doubt that.", contradicts=oslo))
    assert told.states(graph, scope) == {"Oslo": "disputed"}
    told.tell(ingest, scope, told.episode(text="No doubt any more.", supersedes=doubt))
    assert told.states(graph, scope) == {"Oslo": "active"}
    assert told.events(graph, scope, "memory.restored") == [("memory.restored", oslo, {})]
