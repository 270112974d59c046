"""A real embedded server: it starts, refuses what it must, outlives its starter, and loses nothing in a crash."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from memgraph_svc.config import Settings
from memgraph_svc.embedded import conf
from memgraph_svc.embedded.ports import free_port
from memgraph_svc.embedded.server import Connection, EmbeddedServer
from memgraph_svc.errors.start import DataFolderBusy, PortTaken, StartError
from memgraph_svc.graph.client import Graph
from tests.support.cypher import rows

pytestmark = pytest.mark.xdist_group("embedded-server")
KEPT = "a-password-from-a-start-that-was-killed"

START = """
import sys
from pathlib import Path
from memgraph_svc.embedded.server import EmbeddedServer
EmbeddedServer(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), heap_mb=512, pagecache_mb=128).start()
print("started", flush=True)
if "stay" in sys.argv:
    sys.stdin.read()
"""


def make(folder: Path) -> EmbeddedServer:
    return EmbeddedServer(folder, free_port(), free_port(), heap_mb=512, pagecache_mb=128)


def ask(found: Connection, text: str, **params: object) -> list[dict[str, object]]:
    graph = Graph(Settings(neo4j_uri=found.uri, neo4j_username=found.username, neo4j_password=found.password))
    try:
        return rows(graph, text, **params)
    finally:
        graph.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embedded") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[EmbeddedServer]:
    """A server whose first start was killed after the password was written and before Neo4j was told."""
    data.mkdir(mode=0o700)
    (data / "neo4j-password").write_text(KEPT + "\n", encoding="utf-8")
    (data / "neo4j-password").chmod(0o600)
    made = make(data)
    yield made
    made.stop()


@pytest.fixture
def running(server: EmbeddedServer) -> Connection:
    """The server runs; started when the test before has ended it."""
    return server.connection() if server.pid() is not None else server.start()


def test_a_password_that_was_written_before_a_crash_is_applied(running: Connection) -> None:
    assert running.password == KEPT
    assert ask(running, "RETURN 1 AS one") == [{"one": 1}]


def test_the_first_password_of_every_neo4j_is_gone(running: Connection) -> None:
    graph = Graph(Settings(neo4j_uri=running.uri, neo4j_password="neo4j", retry_s=0))
    with pytest.raises(Exception, match="refuses our user name or password"):
        rows(graph, "RETURN 1 AS one")
    graph.close()


def test_it_listens_on_loopback_and_on_the_asked_ports_only(server: EmbeddedServer, running: Connection) -> None:
    pid = server.pid()
    assert pid is not None
    listening = {
        each.laddr for each in psutil.Process(pid).net_connections("inet") if each.status == psutil.CONN_LISTEN
    }
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    assert {address.port for address in listening} == {server.bolt_port, server.http_port}


def test_the_server_took_every_setting(server: EmbeddedServer, running: Connection) -> None:
    written = (server.home / "conf" / "neo4j.conf").read_text(encoding="utf-8").splitlines()
    wanted = dict(line.split("=", 1) for line in written if not line.startswith("internal."))
    shown = {
        str(row["name"]) for row in ask(running, "SHOW SETTINGS YIELD name, isExplicitlySet WHERE isExplicitlySet")
    }
    assert set(wanted) <= shown


def test_what_is_secret_is_the_owner_s_alone(server: EmbeddedServer, running: Connection) -> None:
    assert mode(server.password_file) == 0o600
    assert mode(server.home) == 0o700
    assert mode(server.data_dir) == 0o700
    found = [path for path in server.data_dir.rglob("*.log*") if running.password in path.read_text(errors="replace")]
    assert found == [], "no log holds the password"
    assert running.password not in json.dumps(server.state())


def test_ctrl_c_in_a_terminal_does_not_reach_it(server: EmbeddedServer, running: Connection) -> None:
    pid = server.pid()
    assert pid is not None
    assert os.getsid(pid) == pid
    assert os.getpgid(pid) != os.getpgid(0)


def test_a_second_server_on_the_folder_is_refused(server: EmbeddedServer, running: Connection) -> None:
    with pytest.raises(DataFolderBusy, match=rf"already runs on .* \(process {server.pid()}\)"):
        make(server.data_dir).start()
    assert ask(running, "RETURN 1 AS one") == [{"one": 1}], "and the first one is left alone"


def test_a_second_process_on_the_folder_is_refused(server: EmbeddedServer, running: Connection) -> None:
    command = [sys.executable, "-c", START, str(server.data_dir), str(free_port()), str(free_port())]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode != 0
    assert "DataFolderBusy" in ran.stderr


def test_a_taken_port_is_refused_with_its_holder(server: EmbeddedServer, running: Connection, tmp_path: Path) -> None:
    other = EmbeddedServer(tmp_path / "other", server.bolt_port, free_port())
    with pytest.raises(
        PortTaken,
        match=rf"Port {server.bolt_port} \(Bolt\) is taken by java \(process {server.pid()}\).*MEMGRAPH_BOLT_PORT",
    ):
        other.start()
    assert other.pid() is None
    assert not other.password_file.exists(), "nothing was begun"


def test_another_object_finds_the_running_server(server: EmbeddedServer, running: Connection) -> None:
    seen = EmbeddedServer(server.data_dir, 1, 2)
    assert seen.pid() == server.pid()
    assert seen.connection() == running


def test_what_was_committed_survives_a_kill(server: EmbeddedServer, running: Connection) -> None:
    pid = server.pid()
    ask(running, "CREATE (:Survivor {n: $n})", n=42)
    server.kill()
    assert server.pid() is None
    again = server.start()
    assert server.pid() != pid
    assert ask(again, "MATCH (s:Survivor) RETURN s.n AS n") == [{"n": 42}]


def test_a_server_that_hangs_is_stopped_by_force(server: EmbeddedServer, running: Connection) -> None:
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    assert server.stop(timeout_s=1)
    assert time.monotonic() - begun < 15
    assert not psutil.pid_exists(pid)


def test_a_process_that_took_over_the_number_is_not_the_server(server: EmbeddedServer, running: Connection) -> None:
    server.stop()
    file = server.home / "server.json"
    file.write_text(json.dumps({"pid": os.getpid(), "started": 0.0, "boltPort": 1, "httpPort": 2}), encoding="utf-8")
    assert server.pid() is None
    assert server.stop() is False
    assert server.start() == running


def test_it_outlives_a_starter_that_is_killed(server: EmbeddedServer, running: Connection) -> None:
    server.stop()
    command = [sys.executable, "-c", START, str(server.data_dir), str(server.bolt_port), str(server.http_port), "stay"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"started\n"
        starter.kill()
    assert ask(server.connection(), "RETURN 1 AS one") == [{"one": 1}]


def test_a_stop_is_clean_and_may_be_repeated(server: EmbeddedServer, running: Connection) -> None:
    log = server.home / "logs" / "debug.log"
    seen = log.stat().st_size
    begun = time.monotonic()
    assert server.stop() is True
    assert time.monotonic() - begun < 10, "nobody is connected: there is nothing to wait for"
    with log.open(encoding="utf-8", errors="replace") as lines:
        lines.seek(seen)
        assert 'Checkpoint triggered by \\"Database shutdown\\"' in lines.read()
    assert server.stop() is False
    assert server.pid() is None


def test_a_password_that_is_not_the_server_s_is_said_soon(server: EmbeddedServer, running: Connection) -> None:
    server.stop()
    server.password_file.write_text("something-else-altogether\n", encoding="utf-8")
    try:
        with pytest.raises(
            StartError, match=r"does not take the password in .*neo4j-password.*write the new one there"
        ):
            server.start()
        assert server.pid() is None, "nothing is left running"
    finally:
        server.password_file.write_text(KEPT + "\n", encoding="utf-8")


def test_a_server_that_cannot_start_says_why(
    server: EmbeddedServer, running: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also proves that the server is strict about settings: a name of ours that it does not know would end it."""
    server.stop()
    really = conf.text
    monkeypatch.setattr(conf, "text", lambda *given: really(*given) + "server.no_such_setting=1\n")
    with pytest.raises(StartError, match=r"(?s)ended while starting\. Its last words:.*server\.no_such_setting"):
        server.start()
    assert server.pid() is None


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    made = make(tmp_path)
    (made.home / "conf" / "neo4j.conf").mkdir(parents=True)
    with pytest.raises(StartError, match=r"cannot be used: .*neo4j\.conf"):
        made.start()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StartError, match=r"file/data cannot be written: Not a directory"):
        make(tmp_path / "file" / "data").start()


def test_a_disk_that_is_nearly_full_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 100 << 20})
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with pytest.raises(StartError, match=r"has 100 MB left, 500 are needed"):
        make(tmp_path).start()


def test_a_folder_without_a_server_has_no_connection(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="run 'memgraph-svc up'"):
        make(tmp_path).connection()
