"""What is measured: a Neo4j, and gunicorns in front of it, all on loopback and all stopped in the end.

In: settings of the environment. Out: running processes and what they weigh. Nothing here measures time but the start.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString

import neo4j
import psutil

from benchmarks.link import Link, RequestFailed, request
from memgraph_svc.config import Settings, load
from memgraph_svc.embedded.ports import free_port
from memgraph_svc.embedded.server import EmbeddedServer
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.migrate import migrate
from memgraph_svc.model.scope import Scope

_READY_S = 90
_MIB = 1024 * 1024
_API, _TRIVIAL = "memgraph_svc.wsgi:app", "benchmarks.trivial:app"
_ROOT = Path(__file__).resolve().parents[1]
_FORGET: tuple[LiteralString, ...] = (
    """
    UNWIND $keys AS key
    MATCH (m:Memory) WHERE m.scopeKey = key AND m.id IS NOT NULL
    CALL (m) { OPTIONAL MATCH (m)-[:HAS_PASSAGE|CHANGED]->(x) DETACH DELETE m, x } IN TRANSACTIONS OF 1000 ROWS
    """,
    """
    UNWIND $keys AS key
    MATCH (e:Event) WHERE e.scopeKey = key AND e.eventSeq >= 0
    CALL (e) { DETACH DELETE e } IN TRANSACTIONS OF 1000 ROWS
    """,
    "UNWIND $keys AS key MATCH (x:Topic|Commit|Session|Job|DeletionReceipt {scopeKey: key}) DETACH DELETE x",
    "UNWIND $keys AS key MATCH (n:Namespace {scopeKey: key}) DETACH DELETE n",
)


@dataclass(slots=True)
class Gunicorn:
    """One gunicorn with its workers, under the settings that the service ships with."""

    process: subprocess.Popen[bytes]
    port: int
    ready_s: float = 0.0

    def link(self) -> Link:
        """A connection to it."""
        return Link(self.port)

    def rss(self) -> float:
        """What all its processes hold in memory, in MiB."""
        return rss(self.process.pid)

    def workers(self) -> list[float]:
        """What each worker holds in memory, in MiB."""
        with suppress(psutil.Error):
            return [each.memory_info().rss / _MIB for each in psutil.Process(self.process.pid).children()]
        return []

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            for each in psutil.Process(self.process.pid).children(recursive=True):
                each.kill()
            self.process.kill()
            self.process.wait()


@dataclass(slots=True)
class Stack:
    """A database with the schema applied, and a namespace nobody else uses."""

    settings: Settings
    graph: Graph
    driver: neo4j.Driver
    server: EmbeddedServer | None = None
    tenant: str = field(default_factory=lambda: f"bench-{secrets.token_hex(4)}")
    keys: list[str] = field(default_factory=list[str])

    def env(self) -> dict[str, str]:
        """The environment of a process that is to use this database."""
        own = {
            "NEO4J_URI": self.settings.neo4j_uri,
            "NEO4J_USERNAME": self.settings.neo4j_username,
            "NEO4J_PASSWORD": self.settings.neo4j_password,
            "NEO4J_DATABASE": self.settings.neo4j_database,
        }
        return {**clean(os.environ), **own}

    @contextmanager
    def api(self) -> Generator[Gunicorn]:
        """The service, ready."""
        with gunicorn(_API, self.env()) as served:
            yield served

    @contextmanager
    def trivial(self) -> Generator[Gunicorn]:
        """The floor of HTTP, ready."""
        with gunicorn(_TRIVIAL, self.env()) as served:
            yield served

    def scope(self, name: str) -> dict[str, str]:
        """A namespace of this run, as it is sent."""
        made = Scope(self.tenant, f"{name}-{secrets.token_hex(3)}")
        self.keys.append(made.key)
        return made.wire()

    def weight(self) -> dict[str, float]:
        """What the database holds in memory, in MiB; nothing when it is not ours to look at."""
        pid = self.server.pid() if self.server else None
        return {} if pid is None else {"Neo4j": rss(pid)}


@contextmanager
def stack() -> Generator[Stack]:
    """The database of ``NEO4J_URI``, else an embedded one of our own in a temporary folder."""
    if os.environ.get("NEO4J_URI"):
        settings = load(clean(os.environ))
        with _connected(settings, None) as made:
            yield made
        return
    with embedded() as server:
        found = server.start()
        named = {"NEO4J_URI": found.uri, "NEO4J_USERNAME": found.username, "NEO4J_PASSWORD": found.password}
        with _connected(load({**clean(os.environ), **named}), server) as made:
            yield made


@contextmanager
def embedded() -> Generator[EmbeddedServer]:
    """A server of our own on free ports, not started yet; stopped and forgotten in the end."""
    folder = Path(tempfile.mkdtemp(prefix="memgraph-bench-"))
    cache = os.environ.get("MEMGRAPH_CACHE_DIR")
    server = EmbeddedServer(folder, free_port(), free_port(), cache_dir=Path(cache) if cache else None)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _connected(settings: Settings, server: EmbeddedServer | None) -> Generator[Stack]:
    graph = Graph(settings)
    auth = (settings.neo4j_username, settings.neo4j_password)
    try:
        migrate(graph)
        with neo4j.GraphDatabase.driver(settings.neo4j_uri, auth=auth, notifications_min_severity="OFF") as driver:
            made = Stack(settings, graph, driver, server)
            try:
                yield made
            finally:
                if server is None:
                    _forget(made)
    finally:
        graph.close()


def _forget(made: Stack) -> None:
    # Somebody else's database: what this run put there goes again. The schema stays, it is the service's.
    for text in _FORGET:
        with made.driver.session(database=made.settings.neo4j_database) as session:
            session.run(text, keys=made.keys).consume()


@contextmanager
def gunicorn(app: str, env: Mapping[str, str]) -> Generator[Gunicorn]:
    """A gunicorn that serves ``app``, ready; raises ``RequestFailed`` when it does not get ready."""
    port, began = free_port(), time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", app],
        env={**env, "MEMGRAPH_HOST": "127.0.0.1", "MEMGRAPH_PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
    )
    served = Gunicorn(process, port)
    try:
        wait_ready(served)
        served.ready_s = time.perf_counter() - began
        yield served
    finally:
        served.stop()


def wait_ready(served: Gunicorn) -> None:
    """Ask until it is ready; raises ``RequestFailed`` when it ends or takes too long."""
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        if served.process.poll() is not None:
            break
        with suppress(OSError, RequestFailed), Link(served.port, timeout_s=5) as link:
            link.send(request("GET", "/health/ready"))
            return
        time.sleep(0.02)
    raise RequestFailed(f"nothing became ready on port {served.port}")


def clean(env: Mapping[str, str]) -> dict[str, str]:
    """The environment without settings of the service: the shipped ones are measured."""
    return {key: value for key, value in env.items() if not key.startswith("MEMGRAPH_") or key == "MEMGRAPH_CACHE_DIR"}


def rss(pid: int) -> float:
    """What a process and its children hold in memory, in MiB; shared pages count for each."""
    try:
        first = psutil.Process(pid)
        return sum(each.memory_info().rss for each in (first, *first.children(recursive=True))) / _MIB
    except psutil.Error:
        return 0.0
