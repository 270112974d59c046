"""The demo against the real API: it loads once, shows four things, and says what to do when it cannot."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

import memgraph_svc
from memgraph_svc.cli.demo import demo
from memgraph_svc.demo.load import conversation
from memgraph_svc.demo.tour import BUDGET, QUESTION
from memgraph_svc.model.scope import Scope
from tests.support.api import Api, Client, free_port


def run(*args: str) -> Result:
    return CliRunner().invoke(demo, args)


def into(client: Client, scope: Scope) -> list[str]:
    return ["--url", client.base, "--tenant", scope.tenant_id, "--namespace", scope.namespace_id]


def test_the_conversation_holds_what_later_chapters_need() -> None:
    told = conversation()
    assert 55 <= len(told.turns) <= 70
    assert len(told.sessions) == 6
    assert [turn["turn"] for turn in told.turns] == list(range(1, len(told.turns) + 1))
    assert sorted(turn["at"] for turn in told.turns) == [turn["at"] for turn in told.turns]
    assert {turn["speaker"] for turn in told.turns} == {"Mara", "Idris", "Atlas"}
    slugs = Counter(note["slug"] for note in told.notes)
    assert 8 <= len(slugs) <= 12
    assert [slug for slug, count in slugs.items() if count == 2] == ["home"]
    assert len({note["slug"] for note in told.notes if note.get("pinned")}) == 2
    assert len({note["topics"][0] for note in told.notes}) >= 4


def test_it_loads_asks_and_shows_as_json(client: Client, scope: Scope) -> None:
    made = run(*into(client, scope), "--json")
    assert made.exit_code == 0, made.output
    shown: dict[str, Any] = json.loads(made.stdout)
    told = conversation()
    assert shown["loaded"]["newTurns"] == len(told.turns)
    assert shown["loaded"]["newNotes"] == len(told.notes)
    assert shown["query"]["query"] == QUESTION
    assert shown["query"]["missing"] == 0
    assert any("15 June" in hit["object"]["content"] for hit in shown["query"]["hits"])
    context = shown["context"]
    assert 0 < context["tokenEstimate"] <= BUDGET["maxTokens"] - BUDGET["reservedTokens"]
    assert all(segment["provenance"] for segment in context["segments"])
    index = shown["index"]
    assert index["hash"] == memgraph_svc.hash(index["text"])
    assert (index["noteCount"], index["pinnedCount"]) == (11, 2)
    assert "Lives in Porto" not in index["text"]
    assert "Brabantdam 84" in index["text"]


def test_a_second_run_stores_nothing_twice(client: Client, scope: Scope) -> None:
    first = json.loads(run(*into(client, scope), "--json").stdout)
    again = json.loads(run(*into(client, scope), "--json").stdout)
    assert (again["loaded"]["newTurns"], again["loaded"]["newNotes"]) == (0, 0)
    assert again["index"] == first["index"]
    assert "all of it was here already" in run(*into(client, scope)).output


def test_a_pipe_gets_plain_text(client: Client, scope: Scope) -> None:
    made = run(*into(client, scope))
    assert made.exit_code == 0, made.output
    assert "\x1b" not in made.output
    for part in ("64 turns in 6 sessions", QUESTION, "of 250 tokens", "of 8,000 bytes", "<MEMORY[home] ", "/docs"):
        assert part in made.output
    assert max(map(len, made.output.splitlines())) <= 100


def test_a_terminal_gets_colour(client: Client, scope: Scope) -> None:
    ours, theirs = pty.openpty()
    program = "from memgraph_svc.cli.demo import demo; demo()"
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"}
    with subprocess.Popen([sys.executable, "-c", program, *into(client, scope)], stdout=theirs, env=env) as running:
        os.close(theirs)
        shown = b"".join(_drain(ours))
        assert running.wait() == 0
    os.close(ours)
    assert b"\x1b[1m" in shown
    assert b"</MEMORY[home]>" in shown


def _drain(handle: int) -> Iterator[bytes]:
    while True:
        try:
            some = os.read(handle, 65_536)
        except OSError:  # the other end has closed
            return
        if not some:
            return
        yield some


def test_fresh_takes_a_new_namespace_each_time(client: Client, scope: Scope) -> None:
    made = [json.loads(run(*into(client, scope), "--fresh", "--json").stdout) for _ in range(2)]
    names = {each["scope"]["namespaceId"] for each in made}
    assert len(names) == 2
    assert all(name.startswith(scope.namespace_id + "-") for name in names)
    assert all(each["loaded"]["newTurns"] == 64 for each in made)


def test_without_a_service_it_says_how_to_start_one() -> None:
    made = run("--url", f"http://127.0.0.1:{free_port()}")
    assert made.exit_code == 1
    assert "memgraph-svc up" in made.output
    assert "Traceback" not in made.output


@pytest.mark.parametrize("url", ["ftp://x", "http://", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    made = run("--url", url)
    assert made.exit_code == 1
    assert "is not an address" in made.output


def test_a_refused_scope_shows_the_reason(client: Client) -> None:
    made = run("--url", client.base, "--tenant", "a\x01b")
    assert made.exit_code == 1
    assert "invalid_scope" in made.output


def test_other_content_under_its_keys_is_reported(client: Client, scope: Scope) -> None:
    episode = {"contentType": "text/plain", "content": "mine", "createdBy": {"id": "u", "kind": "user"}}
    body = {"scope": scope.wire(), "episodes": [{**episode, "dedupeKey": "demo/turn/001"}]}
    assert client.post("/v0/ingest", body).status == 200
    made = run(*into(client, scope))
    assert made.exit_code == 1
    assert "--fresh" in made.output


def test_a_token_is_asked_for_and_used(api_env: dict[str, str], scope: Scope) -> None:
    guarded = Api(free_port(), {**api_env, "MEMGRAPH_API_TOKEN": "secret-of-the-test"}).start()
    try:
        refused = run(*into(guarded.client, scope))
        assert refused.exit_code == 1
        assert "--token" in refused.output
        assert run(*into(guarded.client, scope), "--token", "secret-of-the-test", "--json").exit_code == 0
    finally:
        guarded.stop()


class _Page(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(int(self.path.strip("/").split("/")[0]))
        self.send_header("content-length", "6")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  its name in the standard library
        """Quiet."""


@pytest.mark.parametrize(("status", "said"), [(200, "is not a memory service"), (500, "500 http_error")])
def test_another_service_at_the_address_is_noticed(status: int, said: str) -> None:
    with HTTPServer(("127.0.0.1", 0), _Page) as page:
        Thread(target=page.serve_forever, daemon=True).start()
        made = run("--url", f"http://127.0.0.1:{page.server_port}/{status}")
        page.shutdown()
    assert made.exit_code == 1
    assert said in made.output
