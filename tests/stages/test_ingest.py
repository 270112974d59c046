"""Ingest on the real database: durable, deduplicated, in order, whole or not at all."""

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from memgraph_svc import clock
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.errors.work import DedupeConflict
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.commit import commit_group
from memgraph_svc.write.lanes import Lanes
from tests.support.cypher import rows

ME = Actor("u1", "user")


def episode(content: Any, key: str | None = None, **metadata: Any) -> EpisodeDraft:
    return EpisodeDraft("text/plain", content, ME, key, metadata)


def note(body: str, **more: Any) -> NoteDraft:
    return NoteDraft(body=body, created_by=ME, **more)


def counts(graph: Graph, scope: Scope) -> dict[str, int]:
    found = rows(graph, "MATCH (x {scopeKey: $k}) UNWIND labels(x) AS l RETURN l AS label, count(*) AS n", k=scope.key)
    return {row["label"]: row["n"] for row in found}


def test_what_is_stored_of_an_episode(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    content = {"text": "Grüße \u0000 世界 🚀", "n": [1, {"deep": None}]}
    (result,) = ingest.ingest(
        scope, [episode(content, "k", occurredAt="2026-05-09T00:00:00+08:00", odd={"a.b": [None]})]
    )
    (row,) = rows(graph, "MATCH (e:Episode {scopeKey: $k}) RETURN e {.*} AS e", k=scope.key)
    stored = row["e"]
    assert result == {"ref": {"id": stored["id"], "type": "episode", "scope": scope.wire()}, "status": "created"}
    assert json.loads(stored["content"]) == content
    assert json.loads(stored["metadataJson"])["odd"] == {"a.b": [None]}
    assert stored["occurredAt"].to_native().isoformat() == "2026-05-08T16:00:00+00:00"
    assert stored["status"] == "active"
    assert stored["seq"] == 1
    assert counts(graph, scope) == {
        "Memory": 1, "Episode": 1, "Passage": 1, "Change": 1, "Event": 2, "Commit": 1, "Namespace": 1,
    }  # fmt: skip


def test_a_key_holds_one_episode(ingest: IngestService, scope: Scope) -> None:
    batch = [episode("tea", "k"), episode("tea", "k"), episode("coffee", "k"), episode("tea")]
    first = ingest.ingest(scope, batch)
    assert [each["status"] for each in first] == ["created", "deduplicated", "rejected", "created"]
    assert first[2]["error"]["code"] == "dedupe_conflict"
    again = ingest.ingest(scope, batch[:3])
    assert [each["status"] for each in again] == ["deduplicated", "deduplicated", "rejected"]
    assert len({each["ref"]["id"] for each in first[:3] + again}) == 1


def test_twenty_racers_make_one_episode(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(lambda _: ingest.ingest(scope, [episode("same", "k")])[0], range(20)))
    assert sorted({each["status"] for each in results}) == ["created", "deduplicated"]
    assert sum(each["status"] == "created" for each in results) == 1
    assert len({each["ref"]["id"] for each in results}) == 1
    assert counts(graph, scope)["Episode"] == 1


def test_keys_of_agents_and_sessions_are_their_own(ingest: IngestService, scope: Scope) -> None:
    wide, a1, a2 = (
        scope,
        Scope(scope.tenant_id, scope.namespace_id, "a1"),
        Scope(scope.tenant_id, scope.namespace_id, "a2"),
    )
    made = [ingest.ingest(each, [episode("x", "k")])[0] for each in (wide, a1, a2)]
    assert {each["status"] for each in made} == {"created"}
    assert made[1]["ref"]["scope"]["agentId"] == "a1"


def test_a_refused_episode_does_not_stop_the_others(ingest: IngestService, scope: Scope) -> None:
    bad = InvalidRequest("episodes[1].content: missing", {"path": "episodes[1].content"})
    results = ingest.ingest(scope, [episode("a"), bad, episode("b")])
    assert [each["status"] for each in results] == ["created", "rejected", "created"]
    assert results[1]["error"]["details"]["path"] == "episodes[1].content"
    assert [each["status"] for each in ingest.ingest(scope, [bad])] == ["rejected"]


def test_sixteen_writers_leave_dense_ordered_events(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    def write(at: int) -> None:
        for n in range(12):
            ingest.ingest(scope, [episode(f"w{at} {n}", f"{at}-{n}" if n % 3 else "shared"), episode(f"v{at} {n}")])

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(16)))
    events = rows(
        graph, "MATCH (e:Event {scopeKey: $k}) RETURN e.eventSeq AS n, e.occurredAt AS at ORDER BY n", k=scope.key
    )
    assert [each["n"] for each in events] == list(range(1, len(events) + 1))
    times = [each["at"].to_native() for each in events]
    assert times == sorted(times)
    (head,) = rows(graph, "MATCH (n:Namespace {scopeKey: $k}) RETURN n {.*} AS n", k=scope.key)
    assert head["n"]["eventSeq"] == len(events) == 2 * counts(graph, scope)["Episode"]
    made = rows(
        graph, "MATCH (m:Memory {scopeKey: $k}) RETURN m.createdAt AS at, m.seq AS seq ORDER BY at", k=scope.key
    )
    assert len({each["at"] for each in made}) == len(made)
    assert [each["seq"] for each in made] == sorted(each["seq"] for each in made)


def test_sessions_chain_their_episodes_in_ingest_order(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    ingest.ingest(scope, [episode("a", session="s1"), episode("b", session="s2"), episode("c", session="s1")])
    ingest.ingest(Scope(scope.tenant_id, scope.namespace_id, None, "s1"), [episode("d"), episode("e")])
    chain = rows(graph, "MATCH (x:Episode {scopeKey: $k})-[:NEXT]->(y) RETURN x.content + y.content AS p", k=scope.key)
    assert sorted(each["p"] for each in chain) == ["ac", "cd", "de"]
    sizes = rows(
        graph, "MATCH (s:Session {scopeKey: $k})<-[:IN_SESSION]-(e) RETURN s.sessionId AS s, count(e) AS n", k=scope.key
    )
    assert {each["s"]: each["n"] for each in sizes} == {"s1": 4, "s2": 1}


def test_a_commit_that_is_tried_again_writes_nothing_twice(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    seen: list[Any] = []

    def twice(lane: str, commit_id: str, group: list[Any]) -> list[Any]:
        first = commit_group(graph, clock.now, lane, commit_id, group)
        seen.append((first, commit_group(graph, clock.now, lane, commit_id, group)))
        return seen[-1][1]

    doubled = IngestService(graph, Lanes(twice, max_waiting=10), ingest._secrets)
    results = doubled.ingest(scope, [episode("one"), episode("two", "k"), episode("three", "k")])
    assert [each["status"] for each in results] == ["created", "created", "rejected"]
    assert seen[0][0] == seen[0][1]
    assert counts(graph, scope)["Episode"] == 2
    assert counts(graph, scope)["Event"] == 4


def test_a_thousand_episodes_with_long_and_odd_texts(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    texts = ["x" * 33_000, "", "\u0000", "a\u0301" * 500, "多" * 3_000, *[f"row {n}" for n in range(995)]]
    results = ingest.ingest(scope, [episode(text, secrets.token_hex(4)) for text in texts])
    assert {each["status"] for each in results} == {"created"}
    stored = rows(graph, "MATCH (e:Episode {scopeKey: $k}) RETURN e.id AS id, e.content AS content", k=scope.key)
    by_id = {each["id"]: each["content"] for each in stored}
    assert [by_id[each["ref"]["id"]] for each in results] == texts


def test_remember_saves_versions_of_a_slug(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    first = ingest.remember(scope, note("likes tea", slug="drink", topics=("Food",), pinned=True))
    same = ingest.remember(scope, note("likes tea", slug="drink", topics=("Food",), pinned=True))
    later = ingest.remember(scope, note("likes coffee", slug="drink", topics=("Food",)))
    assert (first["status"], same["status"], later["status"]) == ("created", "restated", "created")
    assert same["ref"] == first["ref"] == later["superseded"]
    found = rows(
        graph,
        "MATCH (new:Atom {scopeKey: $k})-[s:SUPERSEDES]->(old) RETURN new.id AS new, old.id AS old, old.status AS status,"
        " old:Superseded AS label, old.noteScope AS note, old.liveSlugKey AS slug, new.liveSlugKey IS NOT NULL AS live,"
        " COUNT { (old)-[:DERIVED_FROM]->() } AS sources, COUNT { (old)-[:CHANGED]->() } AS changes,"
        " [(old)-[:HAS_PASSAGE]->(p) | p.visibility] AS seen",
        k=scope.key,
    )
    assert found == [
        {
            "new": later["ref"]["id"], "old": first["ref"]["id"], "status": "superseded", "label": True, "note": None,
            "slug": None, "live": True, "sources": 2, "changes": 2, "seen": ["v2"],
        }
    ]  # fmt: skip
    (head,) = rows(graph, "MATCH (n:Namespace {scopeKey: $k}) RETURN n {.noteCount, .noteSeq, .seq} AS n", k=scope.key)
    assert head["n"] == {"noteCount": 1, "noteSeq": 3, "seq": 3}


def test_thirty_savers_of_one_slug_leave_one_live_version_and_one_chain(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    with ThreadPoolExecutor(30) as pool:
        list(pool.map(lambda n: ingest.remember(scope, note(f"version {n}", slug="s")), range(30)))
    found = rows(
        graph,
        "MATCH (a:Atom {scopeKey: $k}) RETURN count(a) AS all, count(a.liveSlugKey) AS live,"
        " count { (a)-[:SUPERSEDES]->() } AS next",
        k=scope.key,
    )
    assert sum(each["all"] for each in found) == 30
    assert sum(each["live"] for each in found) == 1
    (longest,) = rows(
        graph, "MATCH p = (:Atom {scopeKey: $k})-[:SUPERSEDES*1..40]->() RETURN max(length(p)) AS n", k=scope.key
    )
    assert longest["n"] == 29


def test_remember_again_with_the_same_key_gives_the_first_refs(ingest: IngestService, scope: Scope) -> None:
    first = ingest.remember(scope, note("likes tea", dedupe_key="k"))
    again = ingest.remember(scope, note("likes tea", dedupe_key="k"))
    assert again == {**first, "status": "deduplicated"}
    with pytest.raises(DedupeConflict):
        ingest.remember(scope, note("likes coffee", dedupe_key="k"))


def test_slugs_belong_to_the_agent_that_saved_them(ingest: IngestService, scope: Scope) -> None:
    other = Scope(scope.tenant_id, scope.namespace_id, "a1")
    ingest.remember(scope, note("one", slug="s"))
    assert "superseded" not in ingest.remember(other, note("two", slug="s"))


def test_separate_transactions_of_one_namespace_never_deadlock_for_long(graph: Graph, ingest: IngestService) -> None:
    faults: list[BaseException] = []

    def alone(lane: str, commit_id: str, group: list[Any]) -> list[Any]:
        return commit_group(graph, clock.now, f"{lane}-{secrets.token_hex(4)}", commit_id, group)

    def write(scope: Scope, at: int) -> None:
        # A lane of its own for each write, as if each came from another process.
        own = IngestService(graph, Lanes(alone, max_waiting=10), ingest._secrets)
        try:
            own.ingest(scope, [episode(f"text {at}")])
        except Exception as fault:  # noqa: BLE001  counted below
            faults.append(fault)

    for _ in range(3):
        fresh = Scope("t-" + secrets.token_hex(8), "n")
        with ThreadPoolExecutor(32) as pool:
            list(pool.map(write, [fresh] * 96, range(96)))
        assert counts(graph, fresh)["Episode"] == 96
    assert faults == []


def test_validity_is_never_inverted(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    def day(text: str) -> datetime:
        return datetime.fromisoformat(text + "T00:00:00+00:00")

    ingest.remember(scope, note("a", slug="s", valid_from=day("2026-05-01"), valid_to=day("2027-01-01")))
    ingest.remember(scope, note("b", slug="s", valid_from=day("2020-01-01")))
    ingest.remember(scope, note("c", slug="s", valid_from=day("2021-01-01")))
    found = rows(
        graph,
        "MATCH (a:Atom {scopeKey: $k})"
        " RETURN a.content AS c, toString(a.validFrom) AS f, toString(a.validTo) AS t ORDER BY c",
        k=scope.key,
    )
    assert [(row["c"], (row["f"] or "")[:4], (row["t"] or "")[:4]) for row in found] == [
        ("a", "2026", "2027"),
        ("b", "2020", "2021"),
        ("c", "2021", ""),
    ]


def test_the_same_note_in_another_spelling_is_restated(ingest: IngestService, scope: Scope) -> None:
    first = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    same = datetime.fromisoformat("2026-01-01T01:00:00+01:00")
    ingest.remember(scope, note("x", slug="s", topics=("Work",), valid_from=first))
    assert ingest.remember(scope, note("x", slug="s", topics=("work",), valid_from=same))["status"] == "restated"


def test_a_key_answers_for_the_whole_note(ingest: IngestService, scope: Scope) -> None:
    ingest.ingest(scope, [episode("same text", "k")])
    with pytest.raises(DedupeConflict):
        ingest.remember(scope, note("same text", dedupe_key="k"))
    ingest.remember(scope, note("body", slug="one", dedupe_key="n"))
    with pytest.raises(DedupeConflict):
        ingest.remember(scope, note("body", slug="two", dedupe_key="n"))
