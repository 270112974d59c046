"""Workers as processes: one that is killed in the middle of a job leaves it to another; one that is asked ends in order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memgraph_svc.graph.client import Graph
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.model.scope import Scope
from tests.support.jobs import put, stored

WORK = """
import signal, sys, time
from memgraph_svc.config import load
from memgraph_svc.graph.client import Graph
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.jobs.worker import Worker

def sleep(job, beat):
    for at in range(job.payload["steps"]):
        beat({"done": at})
        time.sleep(0.1)
    return {"by": sys.argv[1], "fence": job.fence}

worker = Worker(JobStore(Graph(load())), {"sleep": sleep}, owner=sys.argv[1], lease_s=2, grace_s=1, scope_key=sys.argv[2])
signal.signal(signal.SIGTERM, lambda *_: worker.stop())
worker.run()
"""


def until(what: Callable[[], Any], seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)
    return found


@pytest.fixture
def start(graph: Graph, api_env: dict[str, str], scope: Scope) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(owner: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", WORK, owner, scope.key]
        started.append(subprocess.Popen(command, env={**os.environ, **api_env}, stderr=subprocess.DEVNULL))
        return started[-1]

    yield begin
    for each in started:
        each.kill()
        each.wait()


def test_the_job_of_a_killed_worker_is_finished_by_another(
    graph: Graph, scope: Scope, start: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    name = put(graph, scope, kind="sleep", payload={"steps": 20})
    first = start("first")
    until(lambda: stored(graph, name)["status"] == "running")
    time.sleep(0.5)
    first.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    start("second")
    until(lambda: stored(graph, name)["status"] == "completed")
    after = stored(graph, name)
    assert (after["attempts"], after["resultJson"]) == (2, '{"by":"second","fence":2}')
    assert time.monotonic() - killed < 15


def test_a_worker_that_sleeps_through_its_lease_cannot_end_the_job(
    graph: Graph, scope: Scope, start: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    name = put(graph, scope, kind="sleep", payload={"steps": 15})
    first = start("first")
    until(lambda: stored(graph, name)["status"] == "running")
    first.send_signal(signal.SIGSTOP)
    start("second")
    until(lambda: stored(graph, name)["status"] == "completed")
    ended = stored(graph, name)
    first.send_signal(signal.SIGCONT)
    time.sleep(3)
    assert stored(graph, name) | {"lockedBy": ""} == ended | {"lockedBy": ""}
    assert ended["resultJson"] == '{"by":"second","fence":2}'


def test_a_worker_that_is_asked_hands_back_and_ends(
    graph: Graph, scope: Scope, start: Callable[[str], subprocess.Popen[bytes]]
) -> None:
    name = put(graph, scope, kind="sleep", payload={"steps": 600})
    first = start("first")
    until(lambda: stored(graph, name)["status"] == "running")
    first.terminate()
    assert first.wait(20) == 0
    after = stored(graph, name)
    assert (after["status"], after["attempts"]) == ("queued", 0)
    assert JobStore(graph).claim("w", 30, scope.key) is not None


def test_the_command_waits_for_its_database_and_ends_when_asked() -> None:
    env = {**os.environ, "NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "x", "MEMGRAPH_RETRY_S": "0"}
    command = [sys.executable, "-m", "memgraph_svc.cli.main", "worker", "--threads", "1"]
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE)
    time.sleep(3)
    assert process.poll() is None
    process.terminate()
    _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    # Said once, not at every look.
    assert [json.loads(line)["event"] for line in said.splitlines()] == ["worker_waits"]
