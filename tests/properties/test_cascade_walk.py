"""A cascade takes what a ten-line walk takes: any graph, circles and diamonds, any depth, every policy."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.service import CascadeService
from memgraph_svc.cascade.tombstone import Wish
from memgraph_svc.graph.client import Graph
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

KINDS = ("episode", "atom", "atom", "consolidation")


@dataclass(frozen=True)
class World:
    """Memories by number, who was made from whom, and who was deleted before."""

    kinds: list[str]
    edges: list[tuple[int, int]]
    dead: set[int]
    roots: list[int]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    kinds = ["episode", *draw(st.lists(st.sampled_from(KINDS), min_size=2, max_size=13))]
    numbers = list(range(len(kinds)))
    derived = [at for at in numbers if kinds[at] != "episode"]
    pairs = st.tuples(st.sampled_from(derived or [0]), st.sampled_from(numbers)).filter(lambda pair: pair[0] != pair[1])
    edges = draw(st.lists(pairs, unique=True, max_size=26)) if derived else []
    dead = draw(st.sets(st.sampled_from(numbers), max_size=2))
    roots = draw(st.lists(st.sampled_from(numbers), unique=True, min_size=1, max_size=3))
    return World(kinds, edges, dead, roots)


def walk(world: World, depth: int, policy: Policy, *, sole: bool) -> tuple[set[int], set[int]]:
    """The reference: who is deleted and who is marked."""
    roots = {at for at in world.roots if at not in world.dead}
    far, edge = dict.fromkeys(roots, 0), set(roots)
    for step in range(1, depth + 2):
        edge = {a for a, b in world.edges if b in edge} - far.keys()
        far |= dict.fromkeys(edge, step)
    alive = [at for at in far if far[at] and at not in world.dead]
    inside, beyond = {at for at in alive if far[at] <= depth}, {at for at in alive if far[at] > depth}
    if policy is not Policy.TOMBSTONE:
        return roots, (inside | beyond if policy is Policy.MARK else set())
    kept: set[int] = set()
    while sole:  # who has support from outside, or from who is kept already
        good = {b for b in range(len(world.kinds)) if b not in world.dead and (b not in far or b in kept)}
        fed = {at: [b in good for a, b in world.edges if a == at] for at in inside}
        more = {at for at in inside if (all if world.kinds[at] == "consolidation" else any)(fed[at])} - kept
        kept |= more
        sole = bool(more)
    gone = roots | (inside - kept)
    return gone, {at for at in beyond if any(a == at and b in gone for a, b in world.edges)}


def seed(lanes: Lanes, scope: Scope, world: World) -> list[dict[str, Any]]:
    makers = {"episode": build.episode, "atom": build.atom, "consolidation": build.consolidation}
    mark = secrets.token_hex(4)
    things: list[dict[str, Any]] = []
    for at, kind in enumerate(world.kinds):
        more = {"id": f"m{at:02d}-{mark}"} | ({"status": "tombstoned"} if at in world.dead else {})
        args = () if kind == "episode" else ([],)
        things.append(makers[kind](scope, f"{kind} {at}", *args, **more))
    links = [build.link(scope, "derived_from", things[a], things[b]) for a, b in world.edges]
    build.seed(lanes, *things, *links)
    return things


def states(graph: Graph, scope: Scope) -> dict[str, tuple[str, bool]]:
    text = "MATCH (m:Memory {scopeKey: $k}) RETURN m.id AS id, m.status AS s, coalesce(m.stale, false) AS t"
    return {row["id"]: (row["s"], row["t"]) for row in rows(graph, text, k=scope.key)}


@settings(max_examples=60)
@given(
    world=worlds(), depth=st.integers(1, 5), policy=st.sampled_from(list(Policy)), sole=st.booleans(), dry=st.booleans()
)
def test_a_cascade_takes_what_the_walk_takes(
    graph: Graph, lanes: Lanes, world: World, depth: int, policy: Policy, sole: bool, dry: bool
) -> None:
    scope = Scope("t-" + secrets.token_hex(6), "n-" + secrets.token_hex(6))
    things = seed(lanes, scope, world)
    service = CascadeService(graph, lanes)
    refs = [build.ref(things[at]) for at in world.roots]
    wish = Wish(scope, refs, "asked", policy, max_depth=depth, sole_support_only=sole)
    gone, marked = walk(world, depth, policy, sole=sole)
    before = states(graph, scope)
    foretold = service.tombstone(wish, dry_run=True) if dry else None
    assert states(graph, scope) == before
    answer = service.tombstone(wish)
    if foretold is not None:
        assert foretold["results"] == answer["results"]
        assert foretold.get("plan") == answer.get("plan")
    names = [thing["id"] for thing in things]
    now = states(graph, scope)
    for at, name in enumerate(names):
        if at in gone or at in world.dead:
            assert now[name][0] == "tombstoned", (at, world)
        else:
            assert now[name] == ("active", at in marked), (at, world)
    check_answer(answer, world, names, gone, marked, depth)


def check_answer(
    answer: dict[str, Any], world: World, names: list[str], gone: set[int], marked: set[int], depth: int
) -> None:
    told = {ref["id"] for each in answer["results"] for ref in each.get("affectedDerivedRefs", ())}
    beyond = {ref["id"] for ref in answer.get("beyondDepth", {}).get("refs", ())}
    roots = {names[at] for at in world.roots}
    assert told | beyond == {names[at] for at in gone | marked} - roots
    assert not told & beyond
    assert [each["status"] for each in answer["results"]] == [
        "already_tombstoned" if at in world.dead else "tombstoned" for at in world.roots
    ]
