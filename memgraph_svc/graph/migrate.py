"""Bring the schema up to date, and tell whether the service can work.

In: the files of ``cypher/schema/``. Out: constraints and indexes, applied in order by one process while others wait, and
a report of what is missing. When to serve requests is decided by the API.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import time
from dataclasses import dataclass, field
from importlib.metadata import version

import structlog

from memgraph_svc.errors.availability import NotReady
from memgraph_svc.errors.start import DatabaseTooOld
from memgraph_svc.graph.catalogue import Query, load, query
from memgraph_svc.graph.client import Graph

OLDEST = (2026, 2)
_LEASE_S = 15  # a process that is killed while it holds the lock keeps others waiting for so long
_COMMIT_LIFE_S = 86_400
_CREATED = re.compile(r"CREATE\s+(?:CONSTRAINT|(?:\w+\s+)?INDEX)\s+(\w+)", re.IGNORECASE)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SchemaReport:
    """What the database lacks; ready when it lacks nothing."""

    missing: list[str] = field(default_factory=list[str])
    building: list[str] = field(default_factory=list[str])
    failed: list[str] = field(default_factory=list[str])

    @property
    def ready(self) -> bool:
        """Whether every declared index is online."""
        return not (self.missing or self.building or self.failed)


def migrate(graph: Graph, *, wait_s: float = 300) -> list[str]:
    """Apply every schema file and wait until all indexes are online; the names of those that were new or missing.

    Safe when several processes start at once, and safe to repeat: a dropped index is built again. Raises
    ``DatabaseTooOld`` before anything is written, and ``NotReady`` when the indexes are not online in time.
    """
    check_version(graph.server_version())
    steps, deadline, before = schema_steps(), time.monotonic() + wait_s, report(graph)
    if before.ready and not _unknown(graph, steps):
        graph.execute(query("graph/sweep_commits"), older_than_s=_COMMIT_LIFE_S)
        return []  # the usual start: nothing to do, hence nobody to wait for
    owner = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"
    for step in steps[:2]:  # the lock itself rests on these two constraints
        graph.execute(step)
    _acquire(graph, owner, deadline)
    try:
        fresh = _unknown(graph, steps)
        for step in steps:
            _acquire(graph, owner, deadline)  # asking again renews the lease
            graph.execute(step)
        for step in fresh:
            graph.execute(
                query("graph/schema_record"), name=step.name, digest=_digest(step), version=version("memgraph-svc")
            )
        graph.execute(query("graph/sweep_commits"), older_than_s=_COMMIT_LIFE_S)
    finally:
        graph.execute(query("graph/schema_unlock"), owner=owner)
    _await_online(graph, deadline)
    return [step.name for step in steps if step in fresh or _index_name(step) in before.missing]


def schema_steps() -> list[Query]:
    """The schema files in the order in which they are applied."""
    return [made for _, made in sorted(load().items()) if made.mode == "schema"]


def report(graph: Graph) -> SchemaReport:
    """Compare the declared indexes with those of the database."""
    states = {row["name"]: row["state"] for row in graph.read(query("graph/schema_state"))}
    found = SchemaReport()
    for step in schema_steps():
        name = _index_name(step)
        state = states.get(name)
        if state is None:
            found.missing.append(name)
        elif state == "FAILED":
            found.failed.append(name)
        elif state != "ONLINE":
            found.building.append(name)
    return found


def check_version(reported: str) -> None:
    """Refuse a server without filtered vector search; raises ``DatabaseTooOld``."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", reported)[:2])
    if numbers < OLDEST:
        oldest = f"{OLDEST[0]}.{OLDEST[1]:02d}"
        raise DatabaseTooOld(
            f"Neo4j {reported} is too old: {oldest} or later is needed. Point NEO4J_URI to a newer server, or unset it "
            "to use the embedded one.",
            {"found": reported, "needed": oldest},
        )


def _index_name(step: Query) -> str:
    match = _CREATED.search(step.text)
    return match[1] if match else step.name


def _unknown(graph: Graph, steps: list[Query]) -> list[Query]:
    known = {row["name"]: row["digest"] for row in graph.read(query("graph/schema_steps"))}
    return [step for step in steps if known.get(step.name) != _digest(step)]


def _acquire(graph: Graph, owner: str, deadline: float) -> None:
    while not graph.execute(query("graph/schema_lock"), owner=owner, lease_s=_LEASE_S):
        if time.monotonic() > deadline:
            raise NotReady("Another process is still applying the schema; try again shortly.")
        time.sleep(0.2)


def _await_online(graph: Graph, deadline: float) -> None:
    while not (state := report(graph)).ready:
        if state.failed or time.monotonic() > deadline:
            _log.error("schema_not_online", missing=state.missing, building=state.building, failed=state.failed)
            raise NotReady(details={"missing": state.missing, "building": state.building, "failed": state.failed})
        time.sleep(0.2)


def _digest(step: Query) -> str:
    return hashlib.sha256(step.text.encode()).hexdigest()
