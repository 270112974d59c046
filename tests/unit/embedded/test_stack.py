"""What a stack is made of, what is written down about it, and who counts as running."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memgraph_svc.config import Settings
from memgraph_svc.embedded import control, stack, state
from memgraph_svc.embedded.connect import resolve
from memgraph_svc.embedded.processes import Child, Pauses, Running, rotate, tail
from memgraph_svc.embedded.server import Connection
from memgraph_svc.embedded.state import Mark, StackState
from memgraph_svc.errors.start import ConfigError, DataFolderBusy, StartError

FOUND = Connection("bolt://127.0.0.1:5", "neo4j", "secret-word")
DEAD = Mark(2**22 - 3, 1.0)


def made(supervisor: Mark, **more: object) -> StackState:
    return replace(StackState(supervisor, "127.0.0.1", 1, "bolt://127.0.0.1:2", True, 2, 3), **more)


def test_the_children_get_the_server_and_the_address() -> None:
    settings = Settings(host="127.0.0.1", port=4711, data_dir="/srv/memory")
    api, worker = stack.children(settings, FOUND, {"PATH": "/bin", "NEO4J_URI": "", "MEMGRAPH_API_TOKEN": "t"})
    assert api.name == "api"
    assert api.command == (
        *(sys.executable, "-m", "gunicorn", "-c", "python:memgraph_svc.gunicorn_conf"),
        "memgraph_svc.wsgi:app",
    )
    assert (worker.name, worker.command) == ("worker", (sys.executable, "-m", "memgraph_svc.cli.main", "worker"))
    assert worker.env == api.env
    assert api.env == {
        "PATH": "/bin",
        "MEMGRAPH_API_TOKEN": "t",
        "NEO4J_URI": FOUND.uri,
        "NEO4J_USERNAME": "neo4j",
        "NEO4J_PASSWORD": "secret-word",
        "MEMGRAPH_DATA_DIR": "/srv/memory",
        "MEMGRAPH_HOST": "127.0.0.1",
        "MEMGRAPH_PORT": "4711",
    }


def test_the_state_comes_back_as_written_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    written = made(Mark.of(os.getpid()), children={"api": DEAD}, ready=True)
    state.write(tmp_path, written)
    assert state.read(tmp_path) == written
    assert (tmp_path / "stack.json").stat().st_mode & 0o777 == 0o600
    assert stack.find(tmp_path) == written
    state.forget(tmp_path)
    assert state.read(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"supervisor": {"pid": 1}}'])
def test_a_state_that_cannot_be_read_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text(text)
    assert state.read(tmp_path) is None


def test_a_number_that_another_process_has_now_does_not_count(tmp_path: Path) -> None:
    mine = Mark.of(os.getpid())
    assert mine.process() is not None
    assert Mark(mine.pid, mine.created - 60).process() is None
    state.write(tmp_path, made(Mark(mine.pid, mine.created - 60)))
    assert stack.find(tmp_path) is None
    stack.refuse_second(tmp_path)


def test_a_process_that_nobody_waited_for_does_not_count() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    mark = Mark.of(child.pid)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert mark.process() is None
    child.communicate()


def test_a_second_stack_is_refused_with_the_addresses_of_the_first(tmp_path: Path) -> None:
    state.write(tmp_path, made(Mark.of(os.getpid())))
    with pytest.raises(DataFolderBusy, match=r"http://127\.0\.0\.1:1 .*http://127\.0\.0\.1:3/browser/"):
        stack.refuse_second(tmp_path)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::1", "http://[::1]:1"),
        ("[::]", "http://[::1]:1"),
        ("memory.local", "http://memory.local:1"),
    ],
)
def test_the_address_of_the_api(host: str, url: str) -> None:
    assert made(DEAD, host=host).api_url == url


def test_a_server_of_ones_own_has_no_browser() -> None:
    assert made(DEAD, embedded=False).browser_url == ""


def test_settings_of_the_start_outlive_the_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    state.keep_environment(
        tmp_path, {"MEMGRAPH_API_TOKEN": "t", "MEMGRAPH_CONFIG": "my.toml", "NEO4J_DATABASE": "d", "HOME": "/old"}
    )
    assert (tmp_path / "stack-env.json").stat().st_mode & 0o777 == 0o600
    assert state.start_environment(tmp_path, {"HOME": "/new", "MEMGRAPH_PORT": "1", "NEO4J_URI": "bolt://other"}) == {
        "HOME": "/new",
        "MEMGRAPH_API_TOKEN": "t",
        "MEMGRAPH_CONFIG": str(tmp_path / "my.toml"),
        "NEO4J_DATABASE": "d",
    }


def test_without_a_kept_environment_the_present_one_is_used(tmp_path: Path) -> None:
    assert state.start_environment(tmp_path, {"MEMGRAPH_PORT": "1"}) == {"MEMGRAPH_PORT": "1"}


def test_free_ports_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = iter([7000, 9000, 9000, 9001])
    monkeypatch.setattr(stack, "free_port", lambda: next(offered))
    picked = stack.pick_ports(Settings(port=7000, bolt_port=0, browser_port=0))
    assert (picked.port, picked.bolt_port, picked.browser_port) == (7000, 9000, 9001)


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="cannot be written"):
        stack.make_folders(tmp_path / "file" / "data")


def test_resolve_prefers_a_server_of_ones_own(tmp_path: Path) -> None:
    own = Settings(neo4j_uri="bolt://elsewhere:1", data_dir=str(tmp_path))
    assert resolve(own) is own
    with pytest.raises(ConfigError, match="memgraph-svc up"):
        resolve(replace(own, neo4j_uri=""))


def test_resolve_finds_the_running_server(tmp_path: Path) -> None:
    mine = Mark.of(os.getpid())
    (tmp_path / "neo4j").mkdir()
    noted = {"pid": mine.pid, "started": mine.created, "boltPort": 5, "httpPort": 6}
    (tmp_path / "neo4j" / "server.json").write_text(json.dumps(noted))
    (tmp_path / "neo4j-password").write_text("secret-word\n")
    found = resolve(Settings(data_dir=str(tmp_path)))
    assert (found.neo4j_uri, found.neo4j_username, found.neo4j_password) == (
        "bolt://127.0.0.1:5",
        "neo4j",
        "secret-word",
    )


def test_logs_are_moved_aside_and_three_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "api.log"
    for number in range(6):
        log.write_text(str(number))
        rotate(log)
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {
        "api.log.1": "5",
        "api.log.2": "4",
        "api.log.3": "3",
    }
    assert tail(log) == ""


def test_pauses_double_and_start_again_after_a_steady_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    pauses = Pauses()
    assert [pauses.take() for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    pauses.started()
    now[0] += 61
    assert pauses.take() == 0.5


def child(code: str, drain_s: float = 5) -> Child:
    return Child("api", (sys.executable, "-c", code), {"PATH": os.environ["PATH"]}, drain_s)


def test_a_child_is_logged_and_tells_how_it_ended(tmp_path: Path) -> None:
    running = Running(child("print('hello'); raise SystemExit(3)"), tmp_path)
    assert (running.ended(), running.mark) == ("", None)
    running.start()
    assert running._process is not None
    running._process.wait(20)
    assert running.ended() == "ended with exit code 3"
    assert tail(running.log_file) == "hello"
    assert running.mark is None


def test_a_child_that_does_not_listen_is_killed_with_all_it_started(tmp_path: Path) -> None:
    code = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid, flush=True)\n"
        "time.sleep(60)"
    )
    running = Running(child(code, drain_s=0.2), tmp_path)
    running.start()
    while not (line := tail(running.log_file)):
        pass
    grandchild = Mark.of(int(line))
    running.stop()
    assert running.ended() == "was ended by SIGKILL"
    for _ in range(200):
        if grandchild.process() is None:
            break
    assert grandchild.process() is None


def test_leftovers_of_a_killed_supervisor_are_ended(tmp_path: Path) -> None:
    running = Running(child("import time; time.sleep(60)"), tmp_path)
    running.start()
    mark = running.mark
    assert mark is not None
    state.write(tmp_path, made(DEAD, children={"api": mark}))
    assert control.down(Settings(data_dir=str(tmp_path)))
    assert mark.process() is None
    assert not control.down(Settings(data_dir=str(tmp_path)))
    running.kill()


def test_the_last_error_is_found_in_a_log(tmp_path: Path) -> None:
    log = tmp_path / "supervisor.log"
    log.write_text("12:00  Starting Neo4j\nerror: It ended.\nIts last words:\nhelp\n")
    assert control._last_error(log) == "It ended.\nIts last words:\nhelp"
    log.write_text("Traceback\n")
    assert "Traceback" in control._last_error(log)
