"""The memory index on a real graph: what is in it, for whom, and that it never shows half a commit.

Over HTTP: its hash is its ETag, an unchanged index answers 304, and every bad request names its field.
"""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

import memgraph_svc
from memgraph_svc.assemble.index_section import IndexService
from memgraph_svc.config import Settings
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope

MARA = Actor("mara", "user")


@pytest.fixture
def index(graph: Graph) -> IndexService:
    return IndexService(graph)


@pytest.fixture
def http(graph: Graph, service_settings: Settings, ingest: IngestService) -> FlaskClient:
    from memgraph_svc.api.contract import Services
    from memgraph_svc.api.factory import create

    class Ready:
        def gate(self) -> None: ...

    unused = cast("Any", None)
    served = Services(
        settings=service_settings,
        readiness=cast("Any", Ready()),
        secrets=Secrets(graph),
        ingest=ingest,
        query=unused,
        hydrate=unused,
        context=unused,
        index=IndexService(graph),
        feed=unused,
        cascade=unused,
        consolidate=unused,
        lifecycle=unused,
        jobs=unused,
        memories=unused,
    )
    return create(served).test_client()


def save(ingest: IngestService, scope: Scope, body: str, **more: Any) -> dict[str, Any]:
    return ingest.remember(scope, NoteDraft(body, MARA, **more))


def test_an_unknown_scope_has_an_empty_index(index: IndexService, scope: Scope) -> None:
    made = index.section(scope)
    assert made.text == memgraph_svc.render([], [])
    assert (made.note_count, made.pinned_count, made.budget_bytes) == (0, 0, 8_000)


def test_notes_stand_where_they_belong(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "Shoes off at the door.", slug="shoes", topics=("Home",), pinned=True, confidence=0.9)
    save(ingest, scope, "SECRET-BODY one", slug="tram", title="Tram pass", topics=("Travel", "Home"))
    save(ingest, scope, "SECRET-BODY two", slug="bike", title="Bike lock", topics=("TRAVEL",))
    save(ingest, scope, "SECRET-BODY three", slug="loose", title="Loose end")
    made = index.section(scope)
    assert (made.note_count, made.pinned_count) == (4, 1)
    text = re.sub(r"\(\d{4}-\d\d-\d\d\)", "(DATE)", made.text)
    assert text.split("\n", 2)[2] == (
        '<MEMORY[shoes] provenance="user:mara" confidence="0.9">\nShoes off at the door.\n</MEMORY[shoes]>\n\n'
        "## Travel\n- Bike lock (DATE)\n- Tram pass (DATE)\n\n## Other\n- Loose end (DATE)"
    )
    assert "SECRET-BODY" not in made.text


def test_only_the_live_version_of_a_slug_shows(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "Porto.", slug="home", title="Lives in Porto")
    before = index.section(scope)
    save(ingest, scope, "Ghent.", slug="home", title="Lives in Ghent")
    after = index.section(scope)
    assert "Lives in Porto" in before.text
    assert "Lives in Porto" not in after.text
    assert "Lives in Ghent" in after.text
    assert before.hash != after.hash
    assert after.note_count == 1


def test_nothing_but_a_note_changes_it(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    from memgraph_svc.ingest.episode import EpisodeDraft

    save(ingest, scope, "Ghent.", slug="home", title="Lives in Ghent", dedupe_key="k")
    once = index.section(scope)
    ingest.ingest(scope, [EpisodeDraft("text/plain", "It rains.", MARA, None, {})])
    save(ingest, scope, "Ghent.", slug="home", title="Lives in Ghent", dedupe_key="k")
    assert index.section(scope) == once


def test_agent_and_session_narrow_it(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    agent, session = replace(scope, agent_id="atlas"), replace(scope, agent_id="atlas", session_id="s1")
    save(ingest, scope, "everyone", title="For everyone")
    save(ingest, agent, "atlas", title="For atlas")
    save(ingest, session, "session", title="For the session")
    assert index.section(scope).note_count == 3
    assert index.section(agent).note_count == 2
    assert index.section(session).note_count == 1
    assert index.section(replace(scope, agent_id="other")).note_count == 0


def test_namespaces_never_meet(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "mine", title="Mine")
    assert index.section(replace(scope, namespace_id=scope.namespace_id + "x")).note_count == 0
    assert index.section(replace(scope, tenant_id=scope.tenant_id + "x")).note_count == 0


def test_a_long_pinned_body_is_cut_in_the_database_and_on_a_character(
    index: IndexService, ingest: IngestService, scope: Scope
) -> None:
    save(ingest, scope, "\U0001f600" * 3_000, slug="smile", title="Smile", pinned=True)
    for limit in (0, 1, 3, 4, 5, 7, 1_000):
        text = index.section(scope, pinned_body_bytes=limit).text
        assert 'cut="true"' in text
        assert text.count("\U0001f600") == limit // 4
        assert "\ufffd" not in text


def test_the_public_section_reads_the_same(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "Ghent.", title="Lives in Ghent")
    made = memgraph_svc.section(scope, graph)
    assert made == IndexService(graph).section(scope).wire()
    assert memgraph_svc.hash(made["text"]) == made["hash"]


def test_a_reader_never_sees_half_a_commit(index: IndexService, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "0", slug="counter", title="Counter 0")
    done = threading.Event()
    seen: list[list[str]] = []

    def read() -> None:
        while not done.is_set():
            seen.append(re.findall(r"Counter (\d+)", index.section(scope).text))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for at in range(1, 41):
        save(ingest, scope, str(at), slug="counter", title=f"Counter {at}")
    done.set()
    for reader in readers:
        reader.join()
    assert all(len(each) == 1 for each in seen)
    assert "Counter 40 (" in index.section(scope).text


# ------------------------------------------------------------------------------------------------------ over HTTP


def names(scope: Scope, **more: str) -> dict[str, str]:
    return {**cast("dict[str, str]", scope.wire()), **more}


def test_get_and_post_say_the_same(http: FlaskClient, ingest: IngestService, scope: Scope) -> None:
    save(ingest, scope, "Ghent.", slug="home", title="Lives in Ghent", pinned=True)
    got = http.get("/v0/index", query_string=names(scope, budgetTokens="300", pinnedBodyBytes="2"))
    sent = http.post("/v0/index", json={"scope": scope.wire(), "budgetTokens": 300, "pinnedBodyBytes": 2})
    assert got.status_code == sent.status_code == 200
    assert got.json == sent.json
    assert got.json is not None
    assert set(got.json) == {"text", "hash", "noteCount", "pinnedCount", "bytes", "budgetBytes"}
    assert got.json["budgetBytes"] == 1_200
    assert got.json["bytes"] == len(got.json["text"].encode())
    assert "\nGh\n</MEMORY[home]>" in got.json["text"]
    assert got.headers["ETag"] == f'"{got.json["hash"]}"'
    assert got.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("shape", ['"{}"', 'W/"{}"', '"other", "{}"', 'W/"x",W/"{}"', "*"])
def test_an_unchanged_index_answers_304(http: FlaskClient, scope: Scope, shape: str) -> None:
    first = http.get("/v0/index", query_string=names(scope))
    assert first.json is not None
    tag = shape.replace("{}", first.json["hash"])
    again = http.get("/v0/index", query_string=names(scope), headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_changed_index_is_sent_whole(http: FlaskClient, ingest: IngestService, scope: Scope) -> None:
    first = http.get("/v0/index", query_string=names(scope))
    save(ingest, scope, "Ghent.", title="Lives in Ghent")
    again = http.get("/v0/index", query_string=names(scope), headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert again.headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"tenantId": None}, "invalid_scope", "tenantId"),
        ({"namespaceId": " "}, "invalid_scope", "namespaceId"),
        ({"agentId": "a\nb"}, "invalid_scope", "agentId"),
        ({"budgetTokens": "many"}, "invalid_request", "budgetTokens"),
        ({"budgetTokens": "0"}, "invalid_request", "budgetTokens"),
        ({"budgetTokens": "1e3"}, "invalid_request", "budgetTokens"),
        ({"budgetTokens": "9999999999999999999"}, "invalid_request", "budgetTokens"),
        ({"pinnedBodyBytes": "-1"}, "invalid_request", "pinnedBodyBytes"),
        ({"surprise": "1"}, "invalid_request", "surprise"),
    ],
)
def test_a_bad_query_string_names_its_field(
    http: FlaskClient, scope: Scope, change: dict[str, str | None], code: str, path: str
) -> None:
    asked = {key: value for key, value in {**names(scope), **change}.items() if value is not None}
    answer = http.get("/v0/index", query_string=asked)
    assert answer.status_code == 400
    assert answer.json is not None
    assert (answer.json["code"], answer.json["details"]["path"]) == (code, path)


@pytest.mark.parametrize(
    ("change", "path"),
    [({"budgetTokens": "300"}, "budgetTokens"), ({"pinnedBodyBytes": 1.5}, "pinnedBodyBytes"), ({"x": 1}, "x")],
)
def test_a_bad_body_names_its_field(http: FlaskClient, scope: Scope, change: dict[str, Any], path: str) -> None:
    answer = http.post("/v0/index", json={"scope": scope.wire(), **change})
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["details"]["path"] == path
