"""Hydrate on the real graph: objects as the published data model has them, and nothing of anybody else."""

from typing import Any

import pytest

from memgraph_svc.assemble.hydrate import HydrateService
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

BASE = {"id", "type", "scope", "createdAt", "createdBy", "status", "metadata"}


@pytest.fixture(scope="session")
def service(graph: Graph) -> HydrateService:
    return HydrateService(graph)


def one(service: HydrateService, scope: Scope, thing: build.Thing, **more: Any) -> dict[str, Any]:
    (shape,) = service.hydrate(scope, [build.ref(thing)], **more).objects
    return shape


@pytest.mark.parametrize(
    "content", ["plain", "e\u0301 \x00 \u2028", {"text": "x", "n": [1, 2.5, None, {}]}, [1], 7, None, True, ""]
)
def test_an_episode_comes_back_as_sent(
    service: HydrateService, ingest: IngestService, scope: Scope, content: Any
) -> None:
    where = Scope(scope.tenant_id, scope.namespace_id, "a1", "s1")
    metadata = {"occurredAt": "2026-05-09T00:00:00+08:00", "deep": {"a.b": [None, {"c": 1}]}}
    (result,) = ingest.ingest(where, [EpisodeDraft("text/x", content, Actor("u", "robot"), "k", metadata)])
    ref = Ref(result["ref"]["id"], Kind.EPISODE, where)
    (shape,) = service.hydrate(scope, [ref], include_provenance=True).objects
    assert set(shape) == BASE | {"contentType", "content", "dedupeKey"}
    assert shape["content"] == content
    assert type(shape["content"]) is type(content)
    assert shape["metadata"] == metadata
    assert shape["scope"] == where.wire()
    assert shape["createdBy"] == {"id": "u", "kind": "robot"}
    assert (shape["contentType"], shape["dedupeKey"], shape["status"]) == ("text/x", "k", "active")
    assert shape["createdAt"].endswith("Z")


def test_derived_objects_fit_the_published_model(service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    sources = [build.episode(scope, f"source {n}") for n in range(4)]
    claim = build.atom(scope, "claim", sources[::-1], confidence=0.5, metadata={"k": 1})
    old = build.consolidation(scope, "old", [claim], status="superseded")
    new = build.consolidation(scope, "new", [claim, sources[0]], title="Title")
    build.seed(lanes, *sources, claim, old, new, build.link(scope, "supersedes", new, old))
    shape = one(service, scope, claim)
    assert set(shape) == BASE | {"atomType", "content", "confidence", "provenance"}
    assert [ref["id"] for ref in shape["provenance"]["sourceRefs"]] == [source["id"] for source in sources[::-1]]
    assert set(shape["provenance"]) == {"sourceRefs", "producedBy", "createdAt", "transformationType"}
    assert (shape["provenance"]["producedBy"], shape["confidence"], shape["metadata"]) == ("tests", 0.5, {"k": 1})
    shape = one(service, scope, new)
    assert set(shape) == BASE | {"title", "content", "sourceRefs", "supersedes", "provenance"}
    assert shape["supersedes"] == [build.wire(old)]
    assert shape["sourceRefs"] == shape["provenance"]["sourceRefs"] == [build.wire(claim), build.wire(sources[0])]
    assert one(service, scope, old)["status"] == "superseded"


def test_every_ref_is_answered_once_in_order(service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    things = [build.episode(scope, str(n)) for n in range(3)]
    build.seed(lanes, *things)
    ghosts = [Ref(f"ep_ghost{n}", kind, scope) for n, kind in enumerate(Kind)]
    asked = [
        build.ref(things[2]),
        ghosts[0],
        build.ref(things[0]),
        *ghosts[1:],
        build.ref(things[2]),
        build.ref(things[1]),
        ghosts[0],
    ]
    found = service.hydrate(scope, asked)
    assert [shape["id"] for shape in found.objects] == [things[at]["id"] for at in (2, 0, 1)]
    assert found.missing == ghosts


def test_nothing_of_anybody_else(service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    theirs = Scope(scope.tenant_id + "x", scope.namespace_id)
    agent = Scope(scope.tenant_id, scope.namespace_id, "a9", "s9")
    private, other = build.episode(theirs, "private"), build.episode(agent, "private")
    build.seed(lanes, private, other)
    reader = Scope(scope.tenant_id, scope.namespace_id, "a1")
    claims = [
        (scope, build.ref(private)),
        (scope, Ref(private["id"], Kind.EPISODE, scope)),
        (theirs, Ref(private["id"], Kind.EPISODE, scope)),
        (reader, build.ref(other)),
        (reader, Ref(other["id"], Kind.EPISODE, reader)),
        (agent, Ref(other["id"], Kind.ATOM, agent)),
    ]
    for where, ref in claims:
        found = service.hydrate(where, [ref])
        assert (found.objects, found.missing) == ([], [ref])
    assert service.hydrate(scope, [build.ref(other)]).objects
    assert service.hydrate(Scope(scope.tenant_id, scope.namespace_id, None, "s9"), [build.ref(other)]).objects


def test_deleted_memory_and_links_are_missing(
    graph: Graph, service: HydrateService, lanes: Lanes, scope: Scope
) -> None:
    a, b = build.episode(scope, "a"), build.episode(scope, "b")
    claim = build.atom(scope, "claim", [a])
    joins = [
        build.link(scope, kind, claim, b, metadata={"why": kind})
        for kind in (
            "supports",
            "contradicts",
            "supersedes",
            "mentions",
            "same_as",
            "corrects",
            "invalidates",
            "cites",
            "derived_from",
        )
    ]
    build.seed(lanes, a, b, claim, *joins)
    found = service.hydrate(scope, [build.ref(join) for join in joins])
    assert found.missing == []
    for shape, join in zip(found.objects, joins, strict=True):
        assert set(shape) == BASE | {"linkType", "from", "to"}
        assert {key: shape[key] for key in ("id", "linkType", "from", "to", "metadata")} == {
            key: join[key] for key in ("id", "linkType", "from", "to", "metadata")
        }
    rows(graph, "MATCH ()-[r {scopeKey: $k, id: $i}]->() SET r.status = 'tombstoned'", k=scope.key, i=joins[0]["id"])
    rows(graph, "MATCH (m:Memory {scopeKey: $k, id: $i}) SET m.status = 'tombstoned'", k=scope.key, i=a["id"])
    assert service.hydrate(scope, [build.ref(joins[0]), build.ref(a)]).objects == []
    # A source that was deleted is still named: that is all that is left of it.
    assert build.wire(a) in one(service, scope, claim)["provenance"]["sourceRefs"]


def test_the_chain_back_to_the_episodes(service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    root = build.episode(scope, "root")
    steps = [build.atom(scope, "level 1", [root])]
    for level in range(2, 7):
        steps.append(build.consolidation(scope, f"level {level}", [steps[-1], root]))
    build.seed(lanes, root, *steps)
    assert "metadata" not in one(service, scope, steps[-1])["provenance"]
    assert "metadata" not in one(service, scope, steps[0], include_provenance=True)["provenance"]
    extra = one(service, scope, steps[-1], include_provenance=True)["provenance"]["metadata"]
    assert extra["chainTruncated"] is False
    depths = {step["ref"]["id"]: step["depth"] for step in extra["chain"]}
    expected = {step["id"]: depth for depth, step in enumerate(reversed(steps[:-1]), 1)}
    assert depths == {**expected, root["id"]: 1}
    assert [step["depth"] for step in extra["chain"]] == sorted(depths.values())


def test_circles_and_ladders_end(service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    root = build.episode(scope, "root")
    rungs = [[build.atom(scope, f"{side}0", [root]) for side in "ab"]]
    for level in range(1, 40):
        rungs.append([build.consolidation(scope, f"{side}{level}", rungs[-1]) for side in "ab"])
    flat = [thing for rung in rungs for thing in rung]
    circle = build.link(scope, "derived_from", rungs[0][0], rungs[-1][0])
    build.seed(lanes, root, *flat, circle)
    # Counting paths instead of memories would not end: there are 2^39 of them.
    extra = one(service, scope, rungs[-1][0], include_provenance=True)["provenance"]["metadata"]
    assert len(extra["chain"]) in (79, 80)  # everything but the other top, and itself once, around the circle


def test_details_are_given_when_asked_for(graph: Graph, service: HydrateService, lanes: Lanes, scope: Scope) -> None:
    source = build.episode(scope, "s")
    claim = build.atom(scope, "claim", [source])
    build.seed(lanes, source, claim)
    rows(
        graph,
        "MATCH (m:Memory {scopeKey: $k, id: $i}) SET m.stale = true, m.staleReason = 'source_disputed', m.slug = 'x', "
        "m.pinned = true, m.title = 'T', m.validFrom = datetime('2026-01-01T00:00Z'), m.updatedAt = datetime()",
        k=scope.key,
        i=claim["id"],
    )
    plain = one(service, scope, claim)
    assert set(plain) == BASE | {"atomType", "content", "provenance", "stale", "staleReason"}
    full = one(service, scope, claim, details=True)
    assert (full["slug"], full["pinned"], full["title"]) == ("x", True, "T")
    assert full["validFrom"] == "2026-01-01T00:00:00.000000Z"
    assert "updatedAt" in full
    assert "occurredAt" in one(service, scope, source, details=True)
