"""The whole stack as an operator drives it: up, kills of every kind, restart, down; and nothing left running after."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from memgraph_svc.embedded import state
from memgraph_svc.embedded.ports import free_port
from memgraph_svc.embedded.state import Mark
from tests.support.api import Client

pytestmark = pytest.mark.alone

TOKEN = "t" * 40
FREE = ("--port", "0", "--bolt-port", "0", "--browser-port", "0")
SCOPE = {"tenantId": "t", "namespaceId": "n"}


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return {**kept, "MEMGRAPH_NEO4J_HEAP_MB": "512", "MEMGRAPH_NEO4J_PAGECACHE_MB": "128", **more}


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "memgraph_svc.cli.main", *args]


class Stack:
    """One data folder, and what runs on it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.seen: set[Mark] = set()

    def run(self, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*args, "--data", str(self.data)),
            check=False,
            env=environment(**env),
            capture_output=True,
            text=True,
            timeout=150,
        )

    def up(self) -> Stack:
        """Running after this, whatever the test before has left."""
        if state.read(self.data) is None:
            made = self.run("up", "--detach", *FREE, MEMGRAPH_API_TOKEN=TOKEN)
            assert made.returncode == 0, made.stderr
        self.look()
        return self

    def look(self) -> dict[str, Any]:
        """What runs now; every process is remembered."""
        found = json.loads(self.run("status", "--json").stdout)
        numbers = [*found.get("processes", {}).values(), found["neo4j"].get("pid")]
        for number in numbers:
            if number is not None:
                self.seen.add(Mark.of(number))
        return found

    def client(self, token: str = TOKEN) -> Client:
        noted = state.read(self.data)
        assert noted is not None
        return Client(noted.api_url, {"authorization": f"Bearer {token}"} if token else {})

    def left(self) -> list[Mark]:
        """Processes of this folder that still run."""
        return [mark for mark in self.seen if mark.process()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    made = Stack(tmp_path_factory.mktemp("stack"))
    yield made
    done = made.run("down")
    assert done.returncode == 0, done.stderr
    assert made.left() == []
    assert made.run("down").stdout.startswith("Nothing runs on")


@pytest.fixture
def stack(folder: Stack) -> Stack:
    return folder.up()


def note(client: Client, key: str) -> Any:
    episode = {
        "contentType": "text/plain",
        "content": f"The spare key number {key} lies under the blue pot.",
        "dedupeKey": key,
        "createdBy": {"id": "u", "kind": "user"},
    }
    answer = client.post("/v0/ingest", {"scope": SCOPE, "episodes": [episode]})
    assert answer.status == 200, answer.raw
    return answer.json["results"][0]


def until(what: Any, seconds: float = 40) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.2)
    return found


def is_ready(client: Client) -> bool:
    try:
        return client.get("/health/ready", timeout=5).status == 200
    except OSError:
        return False


def test_it_serves_and_says_where(stack: Stack) -> None:
    assert stack.client().get("/health/ready").status == 200
    assert stack.client(token="").post("/v0/query", {"scope": SCOPE, "query": "key"}).status == 401
    found = stack.look()
    assert found["running"]
    assert found["api"]["ready"]
    assert found["api"]["url"] == stack.client().base
    assert set(found["processes"]) == {"supervisor", "api", "worker"}
    for name in ("stack.json", "stack-env.json", "neo4j-password"):
        assert (stack.data / name).stat().st_mode & 0o777 == 0o600
    password = (stack.data / "neo4j-password").read_text().strip()
    told = [(stack.data / "stack.json").read_text(), stack.run("status").stdout]
    told += [each.read_text() for each in (stack.data / "logs").iterdir()]
    assert not any(password in each or TOKEN in each for each in told)


def test_a_second_up_is_refused_with_the_addresses(stack: Stack) -> None:
    for how in ([], ["--detach"]):
        made = stack.run("up", *how, *FREE)
        assert made.returncode == 2
        assert made.stderr.startswith("error: A stack already runs on")
        assert stack.client().base in made.stderr
        assert "/browser/" in made.stderr


def test_restart_hard_keeps_data_ports_and_token(stack: Stack) -> None:
    before, noted, stored = stack.look(), state.read(stack.data), note(stack.client(), "hard")
    made = stack.run("restart", "--hard", MEMGRAPH_API_TOKEN="another", MEMGRAPH_PORT="1")
    assert made.returncode == 0, made.stderr
    after, again = stack.look(), state.read(stack.data)
    assert noted is not None
    assert again is not None
    assert (again.host, again.port, again.bolt_port, again.browser_port) == (
        *(noted.host, noted.port),
        *(noted.bolt_port, noted.browser_port),
    )
    assert not set(before["processes"].values()) & set(after["processes"].values())
    assert before["neo4j"]["pid"] != after["neo4j"]["pid"]
    assert stack.client(token="").post("/v0/query", {"scope": SCOPE, "query": "key"}).status == 401
    repeated = note(stack.client(), "hard")
    assert (repeated["status"], repeated["ref"]) == ("deduplicated", stored["ref"])


def test_a_killed_api_comes_back(stack: Stack) -> None:
    stored, killed = note(stack.client(), "api"), stack.look()["processes"]["api"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: stack.look()["processes"].get("api", killed) != killed)
    until(lambda: is_ready(stack.client()))
    assert note(stack.client(), "api")["ref"] == stored["ref"]
    assert "api was ended by SIGKILL; starting it again in" in (stack.data / "logs" / "supervisor.log").read_text()


def test_a_killed_worker_comes_back(stack: Stack) -> None:
    killed = stack.look()["processes"]["worker"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: stack.look()["processes"].get("worker", killed) != killed)
    assert "worker was ended by SIGKILL; starting it again in" in (stack.data / "logs" / "supervisor.log").read_text()


def test_a_killed_neo4j_comes_back_on_its_ports(stack: Stack) -> None:
    stored, before = note(stack.client(), "neo4j"), stack.look()["neo4j"]
    os.kill(before["pid"], signal.SIGKILL)
    after = until(lambda: (now := stack.look()["neo4j"])["pid"] not in {None, before["pid"]} and now)
    assert (after["uri"], after["browser"]) == (before["uri"], before["browser"])
    until(lambda: is_ready(stack.client()))
    assert note(stack.client(), "neo4j")["ref"] == stored["ref"]


def test_what_a_killed_supervisor_leaves_is_taken_over(stack: Stack) -> None:
    before = stack.look()
    os.kill(before["processes"]["supervisor"], signal.SIGKILL)
    until(lambda: not stack.look()["running"])
    made = stack.run("up", "--detach", *FREE, MEMGRAPH_API_TOKEN=TOKEN)
    assert made.returncode == 0, made.stderr
    after = stack.look()
    assert (after["neo4j"]["pid"], after["neo4j"]["uri"]) == (before["neo4j"]["pid"], before["neo4j"]["uri"])
    assert not psutil.pid_exists(before["processes"]["api"])


def test_ctrl_c_ends_all_in_good_order(stack: Stack) -> None:
    assert stack.run("down").stdout == "Stopped.\n"
    assert stack.left() == []
    # A Neo4j that was started on its own joins the stack.
    made = stack.run("neo4j", "start", "--bolt-port", "0", "--browser-port", "0")
    assert made.returncode == 0, made.stderr
    process = subprocess.Popen(
        command("up", "--data", str(stack.data), "--port", str(free_port())),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: (noted := state.read(stack.data)) and noted.ready)
    stack.look()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=90)
    assert process.returncode == 0, err
    assert "/docs" in out
    assert "Traceback" not in err
    assert stack.left() == []
    assert state.read(stack.data) is None


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        made = Stack(tmp_path).run("up", "--detach", "--port", port, "--bolt-port", "0", "--browser-port", "0")
    assert made.returncode == 2
    assert made.stderr.startswith("error: ")
    for word in (port, "--port", "MEMGRAPH_PORT", f"process {os.getpid()}"):
        assert word in made.stderr


OLD = """
import http.server, os
class Old(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"code": "database_too_old", "message": "The Neo4j server is too old.", "retryable": false}'
        self.send_response(503)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.HTTPServer(("127.0.0.1", int(os.environ["MEMGRAPH_PORT"])), Old).serve_forever()
"""
SUPERVISE = """
import os, sys
from pathlib import Path
from memgraph_svc.embedded.processes import Child
from memgraph_svc.embedded.server import Connection
from memgraph_svc.embedded.supervisor import Plan, Supervisor
from memgraph_svc.errors.base import ServiceError
child = Child("api", (sys.executable, "-c", os.environ["CODE"]), os.environ, 5)
plan = Plan(Path(sys.argv[1]), None, Connection("bolt://x", "neo4j", ""), "127.0.0.1", int(sys.argv[2]), lambda _: [child])
try:
    Supervisor(plan, print).run(print)
except ServiceError as error:
    print(error.code, error.message)
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (OLD, "start_failed The Neo4j server is too old."),
        (
            "print('no such module'); raise SystemExit(3)",
            "The api ended with exit code 3. Its last words:\nno such module",
        ),
    ],
)
def test_an_api_that_cannot_serve_stops_all_and_says_why(code: str, said: str, tmp_path: Path) -> None:
    port = free_port()
    made = subprocess.run(
        [sys.executable, "-c", SUPERVISE, str(tmp_path), str(port)],
        check=False,
        env={**os.environ, "CODE": code, "MEMGRAPH_PORT": str(port)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said in made.stdout, made.stderr
    assert state.read(tmp_path) is None
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
