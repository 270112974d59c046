"""Faults that a hostile client once found, each with its whole kind."""

import json
import socket
import time
from typing import Any

import pytest

from memgraph_svc.model.scope import Scope
from tests.support.api import Answer, Api, Client, free_port

ACTOR = {"id": "u", "kind": "user"}
JSON = {"content-type": "application/json"}
HEAD = b"POST /v0/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def store(client: Client, scope: Scope, content: Any, **more: Any) -> Answer:
    episode = {"contentType": "text/plain", "content": content, "createdBy": ACTOR, **more}
    return client.post("/v0/ingest", {"scope": scope.wire(), "episodes": [episode]})


def find(client: Client, scope: Scope, text: str) -> list[str]:
    answer = client.post("/v0/query", {"scope": scope.wire(), "query": text})
    assert answer.status == 200, answer.raw[:200]
    return [hit["ref"]["id"] for hit in answer.json["refs"]]


def raw_request(client: Client, request: bytes, wait: float = 30) -> bytes:
    with socket.create_connection(("127.0.0.1", int(client.base.rsplit(":", 1)[1])), timeout=wait) as link:
        link.sendall(request)
        received = b""
        while chunk := link.recv(65_536):
            received += chunk
            if b"\r\n\r\n" in received and b"}" in received:
                break
        return received


@pytest.mark.parametrize(
    "moment",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59.999999-14:00",
        "2026-01-01T00:00:00+20:00",
        "2026-01-01T00:00:00-18:30",
        "2026-01-01T00:00:00+01:00:00.5",
        "0099-05-01T00:00:00Z",
    ],
)
def test_no_time_poisons_a_note(client: Client, scope: Scope, moment: str) -> None:
    note = {"scope": scope.wire(), "body": "Alice likes tea", "slug": "p", "validFrom": moment, "createdBy": ACTOR}
    saved = client.post("/v0/remember", note)
    assert saved.status in (200, 400), saved.raw
    if saved.status == 400:
        assert saved.json["details"]["path"] == "validFrom"
        return
    assert client.post("/v0/remember", {**note, "body": "Alice likes coffee"}).status == 200
    task = {
        "scope": scope.wire(),
        "task": "Alice",
        "budget": {"maxTokens": 100},
        "constraints": {"preferRecency": True},
    }
    assert client.post("/v0/assemble-context", task).json["context"]["segments"]
    asked = {"scope": scope.wire(), "query": "Alice", "filters": {"asOf": "2026-01-01T00:00:00Z"}}
    assert client.post("/v0/query", asked).status == 200
    hydrate = {"scope": scope.wire(), "refs": [saved.json["ref"]], "details": True}
    shown = client.post("/v0/hydrate", hydrate).json["objects"][0]["validFrom"]
    assert len(shown.split("-")[0]) == 4


@pytest.mark.parametrize("moment", ["0099-05-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-14:00"])
def test_odd_event_times_are_kept_as_data(client: Client, scope: Scope, moment: str) -> None:
    (made,) = store(client, scope, "x", metadata={"occurredAt": moment}).json["results"]
    (thing,) = client.post("/v0/hydrate", {"scope": scope.wire(), "refs": [made["ref"]], "details": True}).json[
        "objects"
    ]
    assert thing["metadata"]["occurredAt"] == moment
    assert len(thing["occurredAt"].split("-")[0]) == 4


@pytest.mark.parametrize("session", ["x" * 9_000, "x" * 40_000, "a\u0000b", " ", 7, True, None, ["s"], {"a": 1}])
def test_any_session_in_metadata_is_stored(client: Client, scope: Scope, session: Any) -> None:
    body = {
        "scope": scope.wire(),
        "episodes": [
            {"contentType": "text/plain", "content": text, "createdBy": ACTOR, "metadata": {"session": session}}
            for text in ("one", "two")
        ],
    }
    assert [each["status"] for each in client.post("/v0/ingest", body).json["results"]] == ["created", "created"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\u200e world", ["hello", "world"]),
        ("\u202eabc\u202c", ["abc"]),
        ("soft\u00adware joined\u2060word bom\ufeffmark", ["software", "soft\u00adware", "joinedword", "bommark"]),
        ("\u05e9\u05dc\u05d5\u05dd\u200f", ["\u05e9\u05dc\u05d5\u05dd"]),
        (
            "call __init__ or _private, trailing_ and get_user_name",
            ["__init__", "init", "_private", "trailing_", "user"],
        ),
        ("I don\u2019t know", ["don't", "don\u2019t"]),
        ("we don't know", ["don't", "don\u2019t"]),
        ("edit src/main.py and erp.lookup", ["main.py", "main", "lookup"]),
    ],
)
def test_words_are_found_by_themselves(client: Client, scope: Scope, text: str, words: list[str]) -> None:
    (made,) = store(client, scope, text).json["results"]
    store(client, scope, "another memory altogether")
    for word in words:
        assert find(client, scope, word) == [made["ref"]["id"]], word


def test_small_bodies_cost_little(client: Client, scope: Scope) -> None:
    # Each took many seconds once, and far more for a body of twice the size; the test's own limit of time would end it.
    names = ",".join(f'"n{at}":1' for at in range(60_000))
    twice = client.send("POST", "/v0/query", f'{{{names},"z":1,"z":2}}'.encode(), headers=JSON, timeout=20)
    assert (twice.status, twice.json["details"]["path"]) == (400, "z")
    for text in ("a" * 1_000_000, "Go. " * 100_000):
        assert store(client, scope, text).status == 200
    task = " ".join(f"word{at}" for at in range(20_000)) + " go"
    for words, most in ((task, 1_000), ("go", 90_000)):
        body = {"scope": scope.wire(), "task": words, "budget": {"maxTokens": most}}
        assert client.post("/v0/assemble-context", body, timeout=30).status == 200


def test_a_chunked_body_is_read_whole_or_refused(client: Client, scope: Scope) -> None:
    head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    body = json.dumps({"scope": scope.wire(), "query": "x"}).encode()
    fine = raw_request(client, head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
    assert fine.startswith(b"HTTP/1.1 200")
    broken = raw_request(client, head + b"zz\r\n")
    assert broken.startswith(b"HTTP/1.1 400")
    assert b"invalid_request" in broken


def test_a_client_that_pauses_in_its_body_gives_its_thread_back(graph: Any, api_env: dict[str, str]) -> None:
    api = Api(free_port(), {**api_env, "MEMGRAPH_READ_TIMEOUT_S": "1", "MEMGRAPH_API_THREADS": "2"}).start()
    head = (
        b"POST /v0/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    held = [socket.create_connection(("127.0.0.1", api.port)) for _ in range(4)]
    try:
        for link in held:
            link.sendall(head)
        time.sleep(0.3)
        assert api.client.get("/health/live", timeout=15).status == 200
    finally:
        for link in held:
            link.close()
        api.stop()
