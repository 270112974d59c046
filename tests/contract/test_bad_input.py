"""Whatever is sent: a 400 that names the field, or it comes back equal. Nothing is half-written."""

import json
from typing import Any

import pytest

from memgraph_svc.model.scope import Scope
from tests.support.api import Answer, Client

JSON = {"content-type": "application/json"}
ACTOR = {"id": "u", "kind": "user"}


def good(scope: Scope, **change: Any) -> dict[str, Any]:
    episode = {"contentType": "text/plain", "content": "hello", "createdBy": ACTOR, **change}
    return {"scope": scope.wire(), "episodes": [{k: v for k, v in episode.items() if v is not ...}]}


def refused(answer: Answer, code: str, path: str | None = None, status: int = 400) -> dict[str, Any]:
    assert answer.status == status, answer.raw[:300]
    assert answer.headers["content-type"] == "application/json"
    error = answer.json
    assert (
        {"code", "message", "retryable", "error"} <= set(error) <= {"code", "message", "retryable", "error", "details"}
    )
    assert error["error"] == {key: value for key, value in error.items() if key != "error"}
    assert error["code"] == code
    assert error["retryable"] is (status == 503)
    if path is not None:
        assert error["details"]["path"] == path
    return error


def is_empty(client: Client, scope: Scope) -> bool:
    found = client.post("/v0/query", {"scope": scope.wire(), "query": "hello"})
    assert found.status == 200
    return found.json["refs"] == []


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"a": NaN}', b"null", b'"x"', b"{" * 9_999])
@pytest.mark.parametrize("route", ["ingest", "query", "hydrate", "assemble-context", "remember", "index"])
def test_bodies_that_are_no_json_object(client: Client, route: str, raw: bytes) -> None:
    refused(client.send("POST", f"/v0/{route}", raw, headers=JSON), "invalid_request")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"scope": None}, "scope"),
        ({"scope": ...}, "scope"),
        ({"scope": []}, "scope"),
        ({"scope": {"tenantId": "t"}}, "scope.namespaceId"),
        ({"scope": {"tenantId": " ", "namespaceId": "n"}}, "scope.tenantId"),
        ({"scope": {"tenantId": "t\n", "namespaceId": "n"}}, "scope.tenantId"),
        ({"scope": {"tenantId": "t\u0000", "namespaceId": "n"}}, "scope.tenantId"),
        ({"scope": {"tenantId": 5, "namespaceId": "n"}}, "scope.tenantId"),
        ({"scope": {"tenantId": "t" * 513, "namespaceId": "n"}}, "scope.tenantId"),
        ({"scope": {"tenantId": "t", "namespaceId": "n", "agentId": ""}}, "scope.agentId"),
        ({"scope": {"tenantId": "t", "namespaceId": "n", "who": 1}}, "scope.who"),
        ({"episodes": []}, "episodes"),
        ({"episodes": None}, "episodes"),
        ({"episodes": {}}, "episodes"),
        ({"consistency": "strong"}, "consistency"),
        ({"consistency": 1}, "consistency"),
        ({"extra": 1}, "extra"),
    ],
)
def test_bad_envelopes(client: Client, scope: Scope, change: dict[str, Any], path: str) -> None:
    body = {key: value for key, value in {**good(scope), **change}.items() if value is not ...}
    error = refused(
        client.post("/v0/ingest", body), "invalid_scope" if path.startswith("scope") else "invalid_request", path
    )
    assert error["message"].startswith(path)
    assert is_empty(client, scope)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"content": ...}, "content"),
        ({"contentType": ...}, "contentType"),
        ({"contentType": 7}, "contentType"),
        ({"contentType": ""}, "contentType"),
        ({"contentType": "a\u0007b"}, "contentType"),
        ({"createdBy": ...}, "createdBy"),
        ({"createdBy": "me"}, "createdBy"),
        ({"createdBy": {"id": "u"}}, "createdBy.kind"),
        ({"createdBy": {"id": "", "kind": "user"}}, "createdBy.id"),
        ({"createdBy": {**ACTOR, "x": 1}}, "createdBy.x"),
        ({"metadata": 5}, "metadata"),
        ({"metadata": []}, "metadata"),
        ({"dedupeKey": ""}, "dedupeKey"),
        ({"dedupeKey": 5}, "dedupeKey"),
        ({"dedupeKey": "k" * 70_000}, "dedupeKey"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_bad_episode_is_rejected_alone_and_by_name(
    client: Client, scope: Scope, change: dict[str, Any], path: str
) -> None:
    body = good(scope, **change)
    body["episodes"].append({"contentType": "text/plain", "content": "neighbour", "createdBy": ACTOR})
    answer = client.post("/v0/ingest", body)
    assert answer.status == 200
    bad, fine = answer.json["results"]
    assert bad["status"] == "rejected"
    assert bad["error"]["code"] == "invalid_request"
    assert bad["error"]["details"]["path"] == f"episodes[0].{path}"
    assert fine["status"] == "created"
    assert is_empty(client, scope)


@pytest.mark.parametrize("thing", [5, None, "x", [], [[]]])
def test_an_episode_that_is_no_object(client: Client, scope: Scope, thing: Any) -> None:
    (result,) = client.post("/v0/ingest", {"scope": scope.wire(), "episodes": [thing]}).json["results"]
    assert result["status"] == "rejected"
    assert result["error"]["details"]["path"] == "episodes[0]"


@pytest.mark.parametrize(
    "content",
    [
        "",
        " ",
        "tab\tnew\nline\r\u0000\u0001\u001f\u007f\u0085\u2028",
        "e\u0301 \u00e9 \ufb01 \U0001f680 \u202e \ufeff \uffff",
        None,
        True,
        0,
        -0.5,
        12345678901234567890123,
        9007199254740993,
        1e308,
        5e-324,
        [],
        {},
        [[[[{"a": [None, {"": ""}]}]]]],
        {"text": 5, "": None, "a.b": {"$": "`"}},
        "x" * 200_000,
    ],
)
def test_odd_content_comes_back_equal(client: Client, scope: Scope, content: Any) -> None:
    meta = {"inner": content, "k\u0000": [content]}
    (made,) = client.post("/v0/ingest", good(scope, content=content, metadata=meta, dedupeKey="k" * 9_000)).json[
        "results"
    ]
    assert made["status"] == "created"
    (thing,) = client.post("/v0/hydrate", {"scope": scope.wire(), "refs": [made["ref"]]}).json["objects"]
    assert json.dumps(thing["content"]) == json.dumps(content)
    assert json.dumps(thing["metadata"]) == json.dumps(meta)
    assert thing["dedupeKey"] == "k" * 9_000


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (
            b'{"scope": {"tenantId": "t", "namespaceId": "n"}, "episodes": [{"content": "\\ud800"}]}',
            "episodes[0].content",
        ),
        (b'{"scope": {"tenantId": "t", "namespaceId": "\\udc00"}}', "scope.namespaceId"),
        (
            b'{"scope": {"tenantId": "t", "namespaceId": "n"}, "episodes": [{"metadata": {"n": 1e999}}]}',
            "episodes[0].metadata.n",
        ),
    ],
)
def test_what_no_store_can_keep_is_named(client: Client, raw: bytes, path: str) -> None:
    refused(client.send("POST", "/v0/ingest", raw, headers=JSON), "invalid_request", path)


def test_too_many_episodes_and_nothing_stored(client: Client, scope: Scope) -> None:
    body = good(scope)
    body["episodes"] *= 1_001
    refused(client.post("/v0/ingest", body), "invalid_request", "episodes")
    assert is_empty(client, scope)


def test_a_body_over_the_limit(client: Client) -> None:
    answer = client.send("POST", "/v0/ingest", b"x", headers={**JSON, "content-length": str(65 * 1024 * 1024)})
    refused(answer, "too_large", status=413)


def test_forms_and_plain_text_are_refused_so_that_web_pages_cannot_write(client: Client, scope: Scope) -> None:
    raw = json.dumps(good(scope)).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        refused(
            client.send("POST", "/v0/ingest", raw, headers={"content-type": kind}), "unsupported_media_type", status=415
        )
    assert is_empty(client, scope)


def test_other_names_of_this_machine_are_not_answered_without_a_token(client: Client, scope: Scope) -> None:
    raw = json.dumps(good(scope)).encode()
    for host in ("evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil.example", ""):
        refused(client.send("POST", "/v0/ingest", raw, headers={**JSON, "host": host}), "wrong_host", status=421)
    for host in ("localhost", "localhost:1", "127.0.0.1:9", "[::1]:8787", "LOCALHOST"):
        assert client.send("POST", "/v0/ingest", raw, headers={**JSON, "host": host}).status == 200


def test_unknown_routes_and_methods(client: Client) -> None:
    refused(client.post("/v0/nothing", {}), "not_found", status=404)
    refused(client.get("/v0/ingest"), "method_not_allowed", status=405)
    refused(client.send("DELETE", "/v0/query"), "method_not_allowed", status=405)


def test_remember_names_the_bad_field(client: Client, scope: Scope) -> None:
    base = {"scope": scope.wire(), "body": "x", "createdBy": ACTOR}
    for change, path in (
        ({"body": " "}, "body"),
        ({"title": "a\nb"}, "title"),
        ({"title": "t" * 121}, "title"),
        ({"slug": "Upper"}, "slug"),
        ({"slug": "ok\n"}, "slug"),
        ({"topics": "x"}, "topics"),
        ({"topics": ["ok", ""]}, "topics[1]"),
        ({"pinned": "yes"}, "pinned"),
        ({"confidence": 1.01}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"validFrom": "2026-01-01T00:00:00"}, "validFrom"),
        ({"validFrom": "2026-02-01T00:00:00Z", "validTo": "2026-01-01T00:00:00Z"}, "validTo"),
        ({"unknown": 1}, "unknown"),
    ):
        refused(client.post("/v0/remember", {**base, **change}), "invalid_request", path)
