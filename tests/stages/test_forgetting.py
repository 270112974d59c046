"""What is left of a deleted memory: a marker, and nothing of what it said."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any

import pytest

from memgraph_svc.cascade.marking import mark_all
from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.service import CascadeService
from memgraph_svc.cascade.tombstone import Wish
from memgraph_svc.errors.request import NotFound
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

USER = Actor("u", "user")
LEFT = {
    "id", "type", "scopeKey", "tenantId", "namespaceId", "agentId", "sessionId", "createdAt", "createdById",
    "createdByKind", "seq", "dedupeHash", "status", "sourceIds", "tombstonedAt", "tombstonedById", "tombstonedByKind",
    "tombstoneReason", "tombstonePolicy", "receiptId",
}  # fmt: skip


@dataclass
class Deleting:
    """The service under test, in one scope."""

    service: CascadeService
    scope: Scope

    def __call__(self, *refs: Ref, policy: Policy = Policy.TOMBSTONE, **more: Any) -> dict[str, Any]:
        return self.service.tombstone(Wish(more.pop("scope", self.scope), refs, "asked", policy, **more))


@pytest.fixture
def delete(graph: Graph, lanes: Lanes, scope: Scope) -> Deleting:
    return Deleting(CascadeService(graph, lanes), scope)


def ref_in(scope: Scope, wire: dict[str, Any]) -> Ref:
    return Ref(wire["id"], Kind(wire["type"]), scope)


def everything(graph: Graph, scope: Scope) -> str:
    """Every property of every node and relationship of a namespace, and of the passages it had, as one text."""
    nodes = rows(graph, "MATCH (n) WHERE n.scopeKey = $k RETURN properties(n) AS p, labels(n) AS l", k=scope.key)
    links = rows(graph, "MATCH ()-[r]->() WHERE r.scopeKey = $k RETURN properties(r) AS p", k=scope.key)
    jobs = rows(graph, "MATCH (j:Job {scopeKey: $k}) RETURN properties(j) AS p", k=scope.key)
    return json.dumps([nodes, links, jobs], default=str)


def test_a_canary_in_every_place_is_in_no_property_afterwards(
    graph: Graph, ingest: IngestService, lanes: Lanes, delete: Deleting
) -> None:
    word = "canary" + secrets.token_hex(6)
    scope = Scope(delete.scope.tenant_id, delete.scope.namespace_id)
    draft = EpisodeDraft(
        "application/json",
        {"text": f"{word} sings", "fact": {"subject": word, "relation": f"is {word}", "value": f"{word} too"}},
        USER,
        f"key-{word}",
        {"session": f"talk-{word}", word: word},
    )
    episode = ref_in(scope, ingest.ingest(scope, [draft])[0]["ref"])
    note = ingest.remember(
        scope,
        NoteDraft(f"{word} body", USER, f"{word} title", f"slug-{word}", (f"topic {word}",), metadata={"x": word}),
    )
    summary = build.consolidation(scope, f"a summary of {word}", [{**episode.wire()}])
    build.seed(lanes, summary)
    noted = [ref_in(scope, note["ref"]), ref_in(scope, note["episodeRef"])]
    assert word in everything(graph, scope)
    delete(episode, *noted)
    assert word not in everything(graph, scope)


def test_what_stays_of_a_memory_is_the_list_of_the_design(
    graph: Graph, ingest: IngestService, delete: Deleting
) -> None:
    scope = Scope(delete.scope.tenant_id, delete.scope.namespace_id, "agent", "talk")
    note = ingest.remember(scope, NoteDraft("body", USER, "title", "slug", ("topic",), dedupe_key="k"))
    delete(ref_in(scope, note["episodeRef"]), scope=scope)
    found = rows(graph, "MATCH (m:Memory {scopeKey: $k}) RETURN keys(m) AS keys, labels(m) AS labels", k=scope.key)
    assert len(found) == 2
    for row in found:
        assert set(row["keys"]) <= LEFT
        assert "Tombstoned" in row["labels"]
    around = "MATCH (m:Memory {scopeKey: $k})-[r]-() RETURN collect(DISTINCT type(r)) AS types"
    assert rows(graph, around, k=scope.key)[0]["types"] == ["DERIVED_FROM"]
    others = "MATCH (n) WHERE n.scopeKey = $k AND (n:Topic OR n:Session OR n:Passage OR n:Change) RETURN count(n) AS n"
    assert rows(graph, others, k=scope.key) == [{"n": 0}]


def test_a_topic_and_a_session_stay_while_somebody_living_is_in_them(
    graph: Graph, ingest: IngestService, delete: Deleting
) -> None:
    scope = Scope(delete.scope.tenant_id, delete.scope.namespace_id, None, "talk")
    first = ingest.remember(scope, NoteDraft("one", USER, "One", "one", ("Shared",)))
    ingest.remember(scope, NoteDraft("two", USER, "Two", "two", ("Shared",)))
    delete(ref_in(scope, first["episodeRef"]), scope=scope)
    left = "MATCH (n) WHERE n.scopeKey = $k AND (n:Topic OR n:Session) RETURN count(n) AS n"
    assert rows(graph, left, k=scope.key) == [{"n": 2}]


def test_a_deletion_is_told_once_and_has_a_receipt(graph: Graph, ingest: IngestService, delete: Deleting) -> None:
    scope = delete.scope
    note = ingest.remember(scope, NoteDraft("body", USER, "title", "slug"))
    episode = ref_in(scope, note["episodeRef"])
    answer = delete(episode)
    assert [each["id"] for each in answer["results"][0]["affectedDerivedRefs"]] == [note["ref"]["id"]]
    receipt = delete.service.receipt(scope, answer["receiptId"])
    assert (receipt["rootIds"], receipt["removedIds"]) == ([episode.id], [note["ref"]["id"]])
    again = delete(episode)
    assert again["results"][0]["status"] == "already_tombstoned"
    assert "receiptId" not in again
    assert len(delete.service.receipts(scope)) == 1
    told = rows(graph, "MATCH (e:Event {scopeKey: $k, type: 'memory.tombstoned'}) RETURN e.refId AS id", k=scope.key)
    assert sorted(row["id"] for row in told) == sorted([episode.id, note["ref"]["id"]])
    counted = "MATCH (n:Namespace {scopeKey: $k}) RETURN n.noteCount AS n"
    assert rows(graph, counted, k=scope.key) == [{"n": 0}]
    with pytest.raises(NotFound):
        delete.service.receipt(Scope("elsewhere", "n"), answer["receiptId"])


def test_what_lies_beyond_the_depth_is_marked_at_once_and_the_rest_by_a_job(
    graph: Graph, lanes: Lanes, delete: Deleting
) -> None:
    scope, mark = delete.scope, secrets.token_hex(4)
    things = [build.episode(scope, "root", id=f"c0-{mark}")]
    things += [build.atom(scope, "claim", [], id=f"c{at}-{mark}") for at in range(1, 7)]
    pairs = zip(things[1:], things[:-1], strict=True)
    build.seed(lanes, *things, *(build.link(scope, "derived_from", a, b) for a, b in pairs))
    answer = delete(build.ref(things[0]), max_depth=2)
    assert answer["beyondDepth"]["count"] == 1
    assert state(graph, scope) == ["tombstoned", "tombstoned", "tombstoned", "stale", "active", "active", "active"]
    job = rows(graph, "MATCH (j:Job {scopeKey: $k, kind: 'mark_stale'}) RETURN j.payloadJson AS p", k=scope.key)
    done = mark_all(lanes, scope, json.loads(job[0]["p"])["from"], lambda _: None)
    assert done == {"marked": 3}
    assert state(graph, scope) == ["tombstoned"] * 3 + ["stale"] * 4
    assert mark_all(lanes, scope, json.loads(job[0]["p"])["from"], lambda _: None) == {"marked": 0}


def state(graph: Graph, scope: Scope) -> list[str]:
    text = "MATCH (m:Memory {scopeKey: $k}) RETURN CASE WHEN m.stale THEN 'stale' ELSE m.status END AS s ORDER BY m.id"
    return [row["s"] for row in rows(graph, text, k=scope.key)]


def test_the_last_source_of_a_derived_memory_cannot_be_taken_away(graph: Graph, lanes: Lanes, delete: Deleting) -> None:
    scope = delete.scope
    one, two = build.episode(scope, "one"), build.episode(scope, "two")
    claim = build.atom(scope, "claim", [])
    links = [build.link(scope, "derived_from", claim, each) for each in (one, two)]
    build.seed(lanes, one, two, claim, *links)
    answer = delete(*(build.ref(each) for each in links))
    assert [each["status"] for each in answer["results"]] == ["tombstoned", "rejected"]
    assert answer["results"][1]["error"]["code"] == "provenance_required"


def test_memory_of_others_is_not_found_and_unharmed(graph: Graph, ingest: IngestService, delete: Deleting) -> None:
    base = delete.scope
    mine, theirs = (Scope(base.tenant_id, base.namespace_id, name) for name in ("a1", "a2"))
    other = ref_in(theirs, ingest.ingest(theirs, [EpisodeDraft("text/plain", "theirs", USER)])[0]["ref"])
    forged = [
        other,
        Ref(other.id, Kind.EPISODE, mine),
        Ref(other.id, Kind.ATOM, base),
        Ref(other.id, Kind.EPISODE, Scope("x", "y")),
    ]
    answer = delete(*forged, scope=mine)
    assert [each["status"] for each in answer["results"]] == ["not_found"] * 4
    assert state(graph, base) == ["active"]
