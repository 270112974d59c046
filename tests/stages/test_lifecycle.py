"""Links, pins and confirmations of memory that exists; each may be repeated without changing more than once."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from memgraph_svc.assemble.index_section import IndexService
from memgraph_svc.cascade.plan import Policy
from memgraph_svc.errors.request import InvalidRequest, NotFound
from memgraph_svc.errors.work import LinkCircle
from memgraph_svc.graph import records
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.lifecycle.links import LinkDraft
from memgraph_svc.lifecycle.marks import Target
from memgraph_svc.lifecycle.service import LifecycleService
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build, told
from tests.support.cypher import rows


@pytest.fixture
def service(lanes: Lanes) -> LifecycleService:
    return LifecycleService(lanes)


def note(ingest: IngestService, scope: Scope, body: str = "", slug: str | None = None) -> Ref:
    draft = NoteDraft(body=body or secrets.token_hex(4), created_by=told.ME, slug=slug)
    return Ref(ingest.remember(scope, draft)["ref"]["id"], Kind.ATOM, scope)


def join(service: LifecycleService, scope: Scope, kind: str, one: Ref, other: Ref, **metadata: Any) -> dict[str, Any]:
    return service.link(scope, LinkDraft(kind, one, other, told.ME, metadata))


@pytest.mark.parametrize(
    "kind", ["supports", "mentions", "same_as", "corrects", "invalidates", "derived_from", "friend"]
)
def test_a_link_is_made_once(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope, kind: str
) -> None:
    one, two = note(ingest, scope), note(ingest, scope)
    made = join(service, scope, kind, one, two, why="so")
    assert (made["status"], made["affected"]) == ("created", [])
    link = made["link"]
    assert (link["linkType"], link["from"], link["to"]) == (kind, one.wire(), two.wire())
    assert (link["metadata"], link["createdBy"], link["status"]) == ({"why": "so"}, told.ME.wire(), "active")
    again = join(service, scope, kind, one, two, why="other")
    assert (again["status"], again["link"], again["affected"]) == ("exists", link, [])
    assert [each[1] for each in told.events(graph, scope, "memory.linked")] == [link["id"]]
    assert join(service, scope, "another", one, two)["status"] == "created"


def test_a_contradiction_disputes_both_ends_once(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope
) -> None:
    one, two = note(ingest, scope), note(ingest, scope)
    made = join(service, scope, "contradicts", one, two)
    assert [each["status"] for each in made["affected"]] == ["disputed", "disputed"]
    linked = {"linkId": made["link"]["id"]}
    assert [each[1:] for each in told.events(graph, scope, "memory.disputed")] == [(one.id, linked), (two.id, linked)]
    assert join(service, scope, "contradicts", one, two)["status"] == "exists"
    assert len(told.events(graph, scope, "memory.disputed")) == 2


def test_a_succession_replaces_the_older_one_and_frees_who_stood_against_it(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope
) -> None:
    one, two, three = (note(ingest, scope) for _ in range(3))
    join(service, scope, "contradicts", one, two)
    made = join(service, scope, "supersedes", three, one)
    assert made["affected"] == [{"ref": one.wire(), "status": "superseded"}]
    assert [told.status(graph, each.id) for each in (one, two, three)] == ["superseded", "active", "active"]
    assert told.events(graph, scope, "memory.restored") == [("memory.restored", two.id, {})]


def test_a_replaced_episode_keeps_its_status_and_says_how_it_stands(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope
) -> None:
    one, two = (Ref(each, Kind.EPISODE, scope) for each in told.tell(ingest, scope, *[told.episode(text="x")] * 2))
    assert join(service, scope, "supersedes", two, one)["affected"] == [{"ref": one.wire(), "status": "superseded"}]
    assert rows(graph, "MATCH (e:Episode {id: $id}) RETURN e.status AS s", id=one.id) == [{"s": "active"}]


@pytest.mark.parametrize("side", ["from", "to"])
@pytest.mark.parametrize("missing", ["unknown", "wrong kind", "foreign", "claimed", "another agent's", "deleted"])
def test_a_missing_end_is_refused_by_its_side(
    graph: Graph, ingest: IngestService, service: LifecycleService, lanes: Lanes, scope: Scope, side: str, missing: str
) -> None:
    mine = Scope(scope.tenant_id, scope.namespace_id, "a1")
    other = Scope(scope.tenant_id, scope.namespace_id + "-2", "a1")
    there, here = note(ingest, mine), note(ingest, mine)
    bad = {
        "unknown": Ref("at_none", Kind.ATOM, mine),
        "wrong kind": Ref(here.id, Kind.EPISODE, mine),
        "foreign": note(ingest, other),
        "claimed": Ref(note(ingest, other).id, Kind.ATOM, mine),
        "another agent's": note(ingest, Scope(scope.tenant_id, scope.namespace_id, "a2")),
        "deleted": here,
    }[missing]
    if missing == "deleted":
        build.tombstone(lanes, mine, here.id)
    ends = (bad, there) if side == "from" else (there, bad)
    with pytest.raises(NotFound) as refused:
        join(service, mine, "supports", *ends)
    assert refused.value.details == {"path": side}
    assert told.links(graph, scope, "SUPPORTS") == []
    assert told.events(graph, scope, "memory.linked") == []


def test_a_memory_is_not_linked_to_itself(ingest: IngestService, service: LifecycleService, scope: Scope) -> None:
    one = note(ingest, scope)
    with pytest.raises(InvalidRequest):
        join(service, scope, "supports", one, one)


@pytest.mark.parametrize("kind", ["derived_from", "supersedes"])
def test_provenance_and_succession_have_no_circles(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope, kind: str
) -> None:
    one, two, three = (note(ingest, scope) for _ in range(3))
    join(service, scope, kind, one, two)
    join(service, scope, kind, two, three)
    for start in (two, three):
        with pytest.raises(LinkCircle):
            join(service, scope, kind, start, one)
    assert join(service, scope, "mentions", three, one)["status"] == "created"
    assert told.circles(graph, scope) == set()


def test_an_episode_is_derived_from_nothing(ingest: IngestService, service: LifecycleService, scope: Scope) -> None:
    (name,) = told.tell(ingest, scope, told.episode(text="x"))
    with pytest.raises(InvalidRequest) as refused:
        join(service, scope, "derived_from", Ref(name, Kind.EPISODE, scope), note(ingest, scope))
    assert refused.value.details == {"path": "from"}


# --- pins and confirmations


@pytest.mark.parametrize("by", ["ref", "slug"])
def test_pinning_shows_the_body_in_the_index_until_it_is_undone(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope, by: str
) -> None:
    ref = note(ingest, scope, "First line.\nBuy oat milk.", "milk")
    target = Target(ref=ref) if by == "ref" else Target(slug="milk")
    seen = []
    for pinned, changed in ((True, True), (True, False), (False, True), (False, False)):
        answer = service.pin(scope, target, told.ME, pinned=pinned)
        assert answer == {"ref": ref.wire(), "pinned": pinned, "changed": changed}
        index = IndexService(graph).section(scope)
        assert ("oat milk" in index.text, index.pinned_count) == (pinned, int(pinned))
        (row,) = rows(graph, "MATCH (n:Namespace {scopeKey: $k}) RETURN n.noteSeq AS s, n.noteCount AS c", k=scope.key)
        assert row["c"] == 1
        seen.append(row["s"])
    assert seen[0] == seen[1] < seen[2] == seen[3]
    by_me = {"by": told.ME.wire()}
    assert told.events(graph, scope, "memory.pinned", "memory.unpinned") == [
        ("memory.pinned", ref.id, by_me),
        ("memory.unpinned", ref.id, by_me),
    ]


def test_only_a_live_note_of_the_scope_is_pinned(
    ingest: IngestService, service: LifecycleService, scope: Scope
) -> None:
    old = note(ingest, scope, "old", "s")
    note(ingest, scope, "new", "s")
    (episode,) = told.tell(ingest, scope, told.episode(text="x"))
    agent = Scope(scope.tenant_id, scope.namespace_id, "a1")
    targets = [Target(ref=old), Target(slug="none"), Target(ref=Ref(episode, Kind.EPISODE, scope))]
    for where, target in [*((scope, each) for each in targets), (agent, Target(slug="s")), (agent, Target(ref=old))]:
        with pytest.raises(NotFound):
            service.pin(where, target, told.ME, pinned=True)


@pytest.mark.parametrize("by", ["ref", "slug"])
def test_confirming_notes_when_a_memory_was_last_found_true(
    graph: Graph, ingest: IngestService, service: LifecycleService, scope: Scope, by: str
) -> None:
    ref = note(ingest, scope, "one", "s")
    answer = service.confirm(scope, Target(ref=ref) if by == "ref" else Target(slug="s"), told.ME)
    assert (answer["ref"], answer["stale"]) == (ref.wire(), False)
    text = "MATCH (a:Atom {id: $id}) RETURN toString(a.lastVerifiedAt) AS at"
    (row,) = rows(graph, text, id=ref.id)
    assert answer["lastVerifiedAt"] == records.stamp(row["at"])
    assert service.confirm(scope, Target(ref=ref), told.ME)["lastVerifiedAt"] > answer["lastVerifiedAt"]
    assert [each[0] for each in told.events(graph, scope, "memory.confirmed")] == ["memory.confirmed"] * 2


def test_confirming_clears_what_may_still_be_true(
    graph: Graph, lanes: Lanes, ingest: IngestService, service: LifecycleService, scope: Scope
) -> None:
    source = build.episode(scope, "x")
    made = build.consolidation(scope, "tells x", [source])
    build.seed(lanes, source, made, *build.derived(scope, made, [source]))
    newer = Ref(told.tell(ingest, scope, told.episode(text="y"))[0], Kind.EPISODE, scope)
    join(service, scope, "supersedes", newer, build.ref(source))
    text = "MATCH (c:Consolidation {id: $id})-[:HAS_PASSAGE]->(p) RETURN c.staleReason AS r, c:Stale AS l, p.visibility AS v"
    (before,) = rows(graph, text, id=made["id"])
    assert (before["r"], before["l"]) == ("source_superseded", True)
    answer = service.confirm(scope, Target(ref=build.ref(made)), told.ME)
    assert (answer["stale"], "warnings" in answer) == (False, False)
    (after,) = rows(graph, text, id=made["id"])
    assert (after["r"], after["l"], after["v"] != before["v"]) == (None, False, True)
    service.confirm(scope, Target(ref=build.ref(made)), told.ME)
    assert rows(graph, text, id=made["id"]) == [after]


def test_confirming_cannot_bring_back_a_source_that_is_gone(
    graph: Graph, lanes: Lanes, service: LifecycleService, scope: Scope
) -> None:
    sources = [build.episode(scope, each) for each in ("x", "y")]
    made = build.atom(scope, "x and y", sources)
    build.seed(lanes, *sources, made, *build.derived(scope, made, sources))
    build.tombstone(lanes, scope, sources[0]["id"], policy=Policy.MARK)
    answer = service.confirm(scope, Target(ref=build.ref(made)), told.ME)
    assert (answer["stale"], answer["staleReason"]) == (True, "source_removed")
    assert [each["code"] for each in answer["warnings"]] == ["stale_not_cleared"]
    assert "lastVerifiedAt" in answer


def test_nothing_is_confirmed_that_is_not_there(
    ingest: IngestService, service: LifecycleService, lanes: Lanes, scope: Scope
) -> None:
    gone = note(ingest, scope)
    build.tombstone(lanes, scope, gone.id)
    for target in (Target(ref=gone), Target(slug="none"), Target(ref=Ref("at_none", Kind.ATOM, scope))):
        with pytest.raises(NotFound):
            service.confirm(scope, target, told.ME)
