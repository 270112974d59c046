"""Events are followed by position: in order, without gaps, each namespace on its own, and loud when a position is bad."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memgraph_svc.graph.client import Graph
from memgraph_svc.model.scope import Scope
from tests.support.api import Client
from tests.support.cypher import rows

ACTOR = {"id": "u", "kind": "user"}


def put(client: Client, scope: dict[str, Any], *texts: str) -> list[str]:
    episodes = [{"contentType": "text/plain", "content": text, "createdBy": ACTOR} for text in texts]
    answer = client.post("/v0/ingest", {"scope": scope, "episodes": episodes})
    assert answer.status == 200
    return [each["ref"]["id"] for each in answer.json["results"]]


def subscribe(client: Client, scope: dict[str, Any], **more: Any) -> tuple[list[dict[str, Any]], str]:
    answer = client.post("/v0/subscribe", {"scope": scope, **more})
    assert answer.status == 200, answer.raw[:200]
    return answer.json, answer.headers["memory-next-cursor"]


def test_an_event_has_both_sets_of_names_and_no_content(client: Client, scope: Scope) -> None:
    (ref,) = put(client, scope.wire(), "a secret text")
    answer = client.post("/v0/subscribe", {"scope": scope.wire(), "eventTypes": ["episode.ingested"]})
    (event,) = answer.json
    assert event["id"] == event["cursor"]
    assert event["timestamp"] == event["occurredAt"]
    assert event["ref"] == event["payload"]["ref"] == {"id": ref, "type": "episode", "scope": scope.wire()}
    assert b"secret" not in answer.raw


def test_paging_by_event_and_by_header_gives_everything_once(client: Client, scope: Scope) -> None:
    refs = put(client, scope.wire(), *[f"n {at}" for at in range(30)])
    everything, last = subscribe(client, scope.wire())
    assert [e["ref"]["id"] for e in everything if e["type"] == "episode.ingested"] == refs
    for at in (0, 17, len(everything) - 1):
        rest, _ = subscribe(client, scope.wire(), cursor=everything[at]["cursor"])
        assert rest == everything[at + 1 :]
    assert subscribe(client, scope.wire(), cursor=last) == ([], last)
    seen, cursor = [], None
    while True:
        query = f"/v0/events?tenantId={scope.tenant_id}&namespaceId={scope.namespace_id}&limit=7"
        page = client.get(query + (f"&cursor={cursor}" if cursor else "")).json
        if not page["events"]:
            break
        seen += page["events"]
        cursor = page["nextCursor"]
    assert seen == everything


def test_a_filter_moves_the_cursor_past_what_it_leaves_out(client: Client, scope: Scope) -> None:
    put(client, scope.wire(), "a", "b")
    none, cursor = subscribe(client, scope.wire(), eventTypes=["memory.tombstoned", "memory.exploded"])
    assert none == []
    assert subscribe(client, scope.wire(), cursor=cursor)[0] == []


def test_who_can_query_a_memory_can_follow_its_events_and_nobody_else(client: Client, scope: Scope) -> None:
    wide = scope.wire()
    one, two = {**wide, "agentId": "a1"}, {**wide, "agentId": "a2"}
    (first,), (second,) = put(client, one, "x"), put(client, {**one, "sessionId": "s"}, "y")
    for scoped, expected in ((wide, {first, second}), (one, {first, second}), (two, set())):
        assert {e["ref"]["id"] for e in subscribe(client, scoped)[0]} == expected
    assert subscribe(client, {**wide, "namespaceId": "other"})[0] == []


BAD = ["", "x", "cursor_0000", "%%%", "999999999999", "-1", "ev_", "ev_AAAA", "é" * 50, "a" * 5000]


@pytest.mark.parametrize("bad", BAD)
def test_unknown_cursors_are_refused(client: Client, scope: Scope, bad: str) -> None:
    put(client, scope.wire(), "a")
    answer = client.post("/v0/subscribe", {"scope": scope.wire(), "cursor": bad})
    assert answer.status == 400
    assert answer.json["code"] == "invalid_cursor"


def test_cursors_of_elsewhere_and_of_the_past_are_refused(client: Client, graph: Graph, scope: Scope) -> None:
    put(client, scope.wire(), "a", "b")
    events, last = subscribe(client, scope.wire())
    other = {**scope.wire(), "namespaceId": "other"}
    put(client, other, "c")
    answer = client.post("/v0/subscribe", {"scope": other, "cursor": last})
    assert (answer.status, answer.json["code"]) == (400, "scope_mismatch")
    rows(graph, "MATCH (n:Namespace {scopeKey: $k}) SET n.firstEventSeq = 4", k=scope.key)
    answer = client.post("/v0/subscribe", {"scope": scope.wire(), "cursor": events[0]["cursor"]})
    assert (answer.status, answer.json["code"]) == (400, "invalid_cursor")
    assert answer.json["details"] == {"reason": "expired"}
    assert subscribe(client, scope.wire(), cursor=events[2]["cursor"])[0] == events[3:]


def test_a_reader_that_pages_during_two_hundred_writes_misses_none(client: Client, scope: Scope) -> None:
    put(client, scope.wire(), "first")
    _, cursor = subscribe(client, scope.wire())
    live: list[str] = []
    with ThreadPoolExecutor(10) as pool:

        def write(at: int) -> list[str]:
            return [put(client, scope.wire(), f"{at} {n}")[0] for n in range(20)]

        writers = [pool.submit(write, at) for at in range(10)]
        while True:
            done = all(each.done() for each in writers)
            events, cursor = subscribe(client, scope.wire(), cursor=cursor, eventTypes=["episode.ingested"])
            live += [e["ref"]["id"] for e in events]
            if done and not events:
                break
    written = [ref for each in writers for ref in each.result()]
    assert sorted(live) == sorted(written)
    assert len(set(live)) == 200
