"""A cascade's walk visits each memory once: a plan that counts ways would never end on a ladder of diamonds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from memgraph_svc.config import Settings
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build

REACH = query("cascade/reach").filled(bound=64)
WALKS = {
    "cascade/reach": (REACH.text, {"scope_key": "x", "ids": ["x"]}),
    "lifecycle/succession": (query("lifecycle/succession").text, {"scope_key": "x", "start": "x", "ids": ["x"]}),
    "lifecycle/provenance": (query("lifecycle/provenance").text, {"scope_key": "x", "start": "x", "ids": ["x"]}),
    "assemble/chain": (query("assemble/chain").text, {"scope_key": "x", "ids": ["x"], "most": 10}),
}


@pytest.fixture(scope="module")
def session(service_settings: Settings, graph: Graph) -> Iterator[neo4j.Session]:
    auth = (service_settings.neo4j_username, service_settings.neo4j_password)
    with neo4j.GraphDatabase.driver(service_settings.neo4j_uri, auth=auth) as driver, driver.session() as opened:
        yield opened


def operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", []):
        yield from operators(child)


@pytest.mark.parametrize("name", WALKS)
def test_every_walk_prunes(session: neo4j.Session, name: str) -> None:
    text, params = WALKS[name]
    plan = session.run("EXPLAIN " + text, params).consume().plan  # type: ignore[arg-type]
    assert plan is not None
    found = [each["operatorType"].partition("@")[0] for each in operators(plan)]
    assert any(each.startswith("VarLengthExpand(Pruning,BFS") for each in found), found
    assert not any(each.startswith(("VarLengthExpand(All", "VarLengthExpand(Into")) for each in found), found


def test_a_ladder_of_twenty_diamonds_costs_what_its_sixty_nodes_cost(session: neo4j.Session, lanes: Lanes) -> None:
    ladder, rungs = ladder_of(lanes, 20)
    chain, links = chain_of(lanes, rungs)
    assert rungs == links
    assert hits(session, ladder, rungs) < 3 * hits(session, chain, links)


def ladder_of(lanes: Lanes, diamonds: int) -> tuple[tuple[Scope, str], int]:
    """An episode, and diamonds of atoms on top of each other: 2^n ways from top to bottom."""
    scope, mark = fresh()
    bottom = build.episode(scope, "it happened", id=f"e-{mark}")
    things, joints, last = [bottom], [], bottom
    for at in range(diamonds):
        left, right, top = (build.atom(scope, "claim", [], id=f"{side}{at}-{mark}") for side in "lrt")
        joints += [(left, last), (right, last), (top, left), (top, right)]
        things += [left, right, top]
        last = top
    build.seed(lanes, *things, *(build.link(scope, "derived_from", a, b) for a, b in joints))
    return (scope, bottom["id"]), len(things) - 1


def chain_of(lanes: Lanes, length: int) -> tuple[tuple[Scope, str], int]:
    scope, mark = fresh()
    things = [build.episode(scope, "it happened", id=f"e-{mark}")]
    things += [build.atom(scope, "claim", [], id=f"a{at}-{mark}") for at in range(length)]
    pairs = zip(things[1:], things[:-1], strict=True)
    build.seed(lanes, *things, *(build.link(scope, "derived_from", a, b) for a, b in pairs))
    return (scope, things[0]["id"]), length


def fresh() -> tuple[Scope, str]:
    return Scope("t-" + secrets.token_hex(6), "n-" + secrets.token_hex(6)), secrets.token_hex(4)


def hits(session: neo4j.Session, start: tuple[Scope, str], expected: int) -> int:
    scope, name = start
    result = session.run("PROFILE " + REACH.text, {"scope_key": scope.key, "ids": [name]})  # type: ignore[arg-type]
    assert len(list(result)) == expected
    profile = result.consume().profile
    assert profile is not None
    return sum(each.get("dbHits", 0) for each in operators(profile))
