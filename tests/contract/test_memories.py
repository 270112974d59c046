"""Browsing memory over HTTP: pages, one memory with all around it, and refusals that name their field."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote, urlencode

import pytest

from memgraph_svc.api.schemas.memories import MemoriesResponse, MemoryResponse
from memgraph_svc.model.scope import Scope
from tests.support.api import Answer, Client

ACTOR = {"id": "u", "kind": "user"}


def put(client: Client, scope: Scope, *texts: str) -> list[str]:
    episodes = [{"contentType": "text/plain", "content": text, "createdBy": ACTOR} for text in texts]
    answer = client.post("/v0/ingest", {"scope": scope.wire(), "episodes": episodes})
    assert answer.status == 200
    return [each["ref"]["id"] for each in answer.json["results"]]


def ask(client: Client, scope: Scope, path: str = "", **more: Any) -> Answer:
    names = {**cast("dict[str, str]", scope.wire()), **more}
    return client.get(f"/v0/memories{path}?{urlencode(names)}")


def test_pages_lead_from_one_to_the_next(client: Client, scope: Scope) -> None:
    names = put(client, scope, *[f"n {at}" for at in range(12)])
    for order, expected in (("oldest", names), ("newest", names[::-1])):
        seen: list[str] = []
        more: dict[str, Any] = {}
        while True:
            answer = ask(client, scope, limit=5, order=order, **more)
            assert answer.status == 200
            assert not MemoriesResponse().validate(answer.json)
            seen += [each["id"] for each in answer.json["memories"]]
            if "nextCursor" not in answer.json:
                break
            more = {"cursor": answer.json["nextCursor"]}
        assert seen == expected


def test_filters_are_words_of_the_query(client: Client, scope: Scope) -> None:
    put(client, scope, "one")
    saved = client.post(
        "/v0/remember",
        {"scope": scope.wire(), "body": "Ghent.", "slug": "home", "topics": ["Home"], "createdBy": ACTOR},
    )
    assert saved.status == 200, saved.raw
    kept = ask(client, scope, type="atom").json["memories"]
    assert [each["slug"] for each in kept] == ["home"]
    (name, at) = kept[0]["id"], kept[0]["createdAt"]
    for more in (
        {"topic": "HOME"},
        {"slug": "home"},
        {"createdAfter": at},
        {"type": "atom", "status": "active", "stale": "false", "pinned": "false"},
        {"createdAfter": at.replace("Z", "+00:00"), "createdBefore": "2999-01-01T00:00:00+02:00"},
    ):
        assert name in [each["id"] for each in ask(client, scope, **more).json["memories"]], more
    for more in ({"topic": "x"}, {"session": "x"}, {"stale": "true"}, {"pinned": "true"}, {"status": "tombstoned"}):
        assert ask(client, scope, **more).json == {"memories": []}, more
    assert name not in [each["id"] for each in ask(client, scope, createdBefore=at).json["memories"]]


def test_one_memory_comes_with_all_around_it(client: Client, scope: Scope) -> None:
    sent = {"scope": scope.wire(), "slug": "home", "createdBy": ACTOR}
    for body in ("Porto.", "Ghent."):
        assert client.post("/v0/remember", {**sent, "body": body}).status == 200
    (name,) = [each["id"] for each in ask(client, scope, type="atom", status="active").json["memories"]]
    answer = ask(client, scope, f"/{name}")
    assert answer.status == 200
    assert not MemoryResponse().validate(answer.json)
    assert set(answer.json) == {"object", "links", "history", "versions"}
    assert [each["status"] for each in answer.json["versions"]] == ["active", "superseded"]
    assert {each["linkType"] for each in answer.json["links"]["outgoing"]} == {"derived_from", "supersedes"}
    assert answer.json["links"]["total"] == {"outgoing": 2, "incoming": 0}


def test_what_is_not_there_and_what_is_not_ours_is_told_alike(client: Client, scope: Scope) -> None:
    (name,) = put(client, scope, "x")
    other = Scope(scope.tenant_id, "other")
    found = [
        ask(client, other, f"/{name}"),
        ask(client, scope, "/ep_nothing"),
        ask(client, scope, "/" + quote("é\x00")),
    ]
    assert [each.status for each in found] == [404, 404, 404]
    assert len({each.raw for each in found}) == 1
    assert found[0].json["code"] == "not_found"


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"type": "link"}, "type"),
        ({"type": "x"}, "type"),
        ({"status": "x"}, "status"),
        ({"stale": "yes"}, "stale"),
        ({"pinned": "1"}, "pinned"),
        ({"order": "up"}, "order"),
        ({"limit": "0"}, "limit"),
        ({"limit": "1001"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"createdAfter": "2026-05-08T16:00:00"}, "createdAfter"),
        ({"createdBefore": "soon"}, "createdBefore"),
        ({"topic": " "}, "topic"),
        ({"surprise": "1"}, "surprise"),
    ],
)
def test_a_bad_wish_names_its_field(client: Client, scope: Scope, more: dict[str, str], path: str) -> None:
    answer = ask(client, scope, **more)
    assert answer.status == 400
    assert answer.json["code"] == "invalid_request"
    assert answer.json["details"]["path"] == path


@pytest.mark.parametrize("bad", ["", "x", "me_", "ev_AAAA", "é" * 50, "a" * 5_000])
def test_unknown_cursors_are_refused(client: Client, scope: Scope, bad: str) -> None:
    answer = ask(client, scope, cursor=bad)
    assert (answer.status, answer.json["code"]) == (400, "invalid_cursor")


def test_a_cursor_of_elsewhere_is_refused(client: Client, scope: Scope) -> None:
    put(client, scope, "a", "b")
    cursor = ask(client, scope, limit=1).json["nextCursor"]
    answer = ask(client, Scope(scope.tenant_id, "other"), cursor=cursor)
    assert (answer.status, answer.json["code"]) == (400, "scope_mismatch")
