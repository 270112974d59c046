"""The whole service on one machine: Neo4j, the API, the worker, and later whatever else belongs to it.

In: settings. Out: a running stack, or the end of one. At most one runs on a data folder. How its processes are watched
is decided in ``supervisor.py``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from memgraph_svc.config import Settings
from memgraph_svc.embedded import state
from memgraph_svc.embedded.ports import check_free, free_port
from memgraph_svc.embedded.processes import Child, kill_group
from memgraph_svc.embedded.server import Connection, EmbeddedServer
from memgraph_svc.embedded.state import StackState
from memgraph_svc.embedded.supervisor import Plan, Say, Supervisor
from memgraph_svc.errors.start import DataFolderBusy, StartError

_API = ("-m", "gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", "memgraph_svc.wsgi:app")
_WORKER = ("-m", "memgraph_svc.cli.main", "worker")
DRAIN_S, _KILLED_S = 35.0, 10.0


def children(settings: Settings, found: Connection, environ: Mapping[str, str]) -> list[Child]:
    """Every process beside Neo4j; a new one is one more entry."""
    env = child_environment(settings, found, environ)
    # The API first: the supervisor looks into its log, and ends it last.
    return [
        Child("api", (sys.executable, *_API), env, DRAIN_S),
        Child("worker", (sys.executable, *_WORKER), env, DRAIN_S),
    ]


def child_environment(settings: Settings, found: Connection, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child: ours, with what was decided at start."""
    decided = {
        "NEO4J_URI": found.uri,
        "NEO4J_USERNAME": found.username,
        "NEO4J_PASSWORD": found.password,
        "MEMGRAPH_DATA_DIR": settings.data_dir,
        "MEMGRAPH_HOST": settings.host,
        "MEMGRAPH_PORT": str(settings.port),
    }
    return {**environ, **decided}


def embedded_server(settings: Settings) -> EmbeddedServer:
    """The embedded server of the data folder, running or not."""
    return EmbeddedServer(
        Path(settings.data_dir),
        settings.bolt_port,
        settings.browser_port,
        settings.neo4j_heap_mb,
        settings.neo4j_pagecache_mb,
        Path(settings.cache_dir),
    )


def find(data_dir: Path) -> StackState | None:
    """The stack that runs on the data folder, or None."""
    found = state.read(data_dir)
    return found if found is not None and found.running() else None


def refuse_second(data_dir: Path) -> None:
    """Raise ``DataFolderBusy``, with its addresses, when a stack runs on the folder already."""
    if (found := find(data_dir)) is not None:
        where = f"{found.api_url} (docs at {found.api_url}/docs)"
        browser = f", Neo4j Browser at {found.browser_url}" if found.browser_url and found.browser_port else ""
        raise DataFolderBusy(
            f"A stack already runs on {data_dir}: {where}{browser}. Stop it with 'memgraph-svc down', or use another --data."
        )


def run(settings: Settings, say: Say, on_ready: Callable[[StackState], None]) -> None:
    """Run the stack in the foreground until a signal ends it; port 0 stands for a free one.

    Raises a ``StartError`` that says what is in the way.
    """
    data_dir = Path(settings.data_dir)
    refuse_second(data_dir)
    make_folders(data_dir)
    try:
        with FileLock(data_dir / "stack.lock", timeout=0):
            end_leftovers(data_dir)
            settings = pick_ports(settings)
            check_free(settings.port, "API", "--port or MEMGRAPH_PORT", settings.host.strip("[]"))
            state.keep_environment(data_dir, os.environ)
            Supervisor(_plan(settings), say).run(on_ready)
    except Timeout:
        raise DataFolderBusy(f"Another stack is being started on {data_dir}.") from None


def _plan(settings: Settings) -> Plan:
    given = None
    if settings.neo4j_uri:
        given = Connection(settings.neo4j_uri, settings.neo4j_username, settings.neo4j_password)
    return Plan(
        data_dir=Path(settings.data_dir),
        server=None if given else embedded_server(settings),
        connection=given,
        host=settings.host,
        port=settings.port,
        children=lambda found: children(settings, found, os.environ),
    )


def pick_ports(settings: Settings) -> Settings:
    """The settings with a free port of its own wherever 0 was asked for."""
    taken = {settings.port, settings.bolt_port, settings.browser_port}

    def pick(asked: int) -> int:
        while not asked:
            found = free_port()
            asked = 0 if found in taken else found
        taken.add(asked)
        return asked

    return replace(
        settings,
        port=pick(settings.port),
        bolt_port=pick(settings.bolt_port),
        browser_port=pick(settings.browser_port),
    )


def make_folders(data_dir: Path) -> None:
    """Make the data folder and that of its logs; raises ``StartError`` when that cannot be done."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data_dir / "logs").mkdir(mode=0o700, exist_ok=True)
    except OSError as cause:
        raise StartError(
            f"The data folder {data_dir} cannot be written: {cause.strerror}. Use another --data."
        ) from cause


def end_leftovers(data_dir: Path, drain_s: float = 0) -> bool:
    """End children whose supervisor was killed, and say whether there were any.

    With ``drain_s`` they may finish first what they do. A Neo4j left running stays: the next start takes it over.
    """
    found = state.read(data_dir)
    left = [] if found is None else [each for mark in found.children.values() if (each := mark.process())]
    for each in left:
        if drain_s:
            each.terminate()
            gone(each, drain_s)
        kill_group(each.pid)
        gone(each, _KILLED_S)
    return bool(left)


def gone(process: psutil.Process, timeout_s: float) -> bool:
    """Wait for the end of a process; whether it came in time."""
    try:
        process.wait(timeout_s)
    except psutil.TimeoutExpired:
        return False
    except psutil.Error:
        pass
    return True
