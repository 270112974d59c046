"""Two API processes and a worker, killed at random moments during mixed writes: what was acknowledged holds.

A short run by default; ``MEMGRAPH_TEST_ROUNDS=20`` makes it a campaign (``make chaos``).
"""

from __future__ import annotations

import http.client
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from memgraph_svc.graph.client import Graph
from memgraph_svc.model.scope import Scope
from tests.support.api import Api, free_port
from tests.support.cypher import rows

ROUNDS = int(os.environ.get("MEMGRAPH_TEST_ROUNDS", "4"))
USER = {"id": "u", "kind": "user"}
WORK = """
import sys
from memgraph_svc.config import load
from memgraph_svc.graph.client import Graph
from memgraph_svc.wiring import make_worker
settings = load()
make_worker(settings, Graph(settings), sys.argv[1]).run()
"""


@dataclass
class Told:
    """What the clients were told, and what they do not know for lack of an answer."""

    stored: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    slugs: dict[str, str] = field(default_factory=dict)
    jobs: set[str] = field(default_factory=set)
    guard: threading.Lock = field(default_factory=threading.Lock)


class Writer:
    """One client that does a bit of everything, and repeats what got no answer."""

    def __init__(self, name: str, apis: list[Api], scope: Scope, told: Told, end: float) -> None:
        self.name, self.apis, self.scope, self.told, self.end = name, apis, scope, told, end
        self.chance = random.Random(name)
        self.mine: list[dict[str, Any]] = []

    def run(self) -> None:
        at = 0
        while time.monotonic() < self.end:
            at += 1
            self.chance.choice([self.ingest, self.ingest, self.remember, self.delete, self.consolidate])(at)

    def send(self, path: str, shape: dict[str, Any], doubt: str | None = None) -> dict[str, Any] | None:
        give_up = self.end + 60
        while time.monotonic() < give_up:
            try:
                api = self.chance.choice(self.apis)
                answer = api.client.post(path, {"scope": self.scope.wire(), **shape}, timeout=40)
            except (OSError, http.client.HTTPException):
                if doubt is not None:
                    self.told.doubtful.add(doubt)
                time.sleep(0.05)
                continue
            if answer.status in (503, 504):
                time.sleep(0.05)
                continue
            assert answer.status == 200, answer.raw[:300]
            return answer.json
        return None

    def ingest(self, at: int) -> None:
        keys = [f"{self.name}-{at}-{each}" for each in range(2)]
        episodes = [
            {"contentType": "text/plain", "content": f"text of {key}", "dedupeKey": key, "createdBy": USER}
            for key in keys
        ]
        level = self.chance.choice(["accepted", "indexed"])
        answer = self.send("/v0/ingest", {"episodes": episodes, "consistency": level})
        if answer is None:
            return
        with self.told.guard:
            for key, result in zip(keys, answer["results"], strict=True):
                assert result["status"] in ("created", "deduplicated"), result
                self.told.stored[key] = result["ref"]["id"]
                self.mine.append(result["ref"])

    def remember(self, at: int) -> None:
        slug = f"{self.name.lower()}-{at % 3}"
        note: dict[str, Any] = {
            "body": f"note {at} of {self.name}",
            "createdBy": USER,
            "slug": slug,
            "dedupeKey": f"{slug}-{at}",
        }
        answer = self.send("/v0/remember", note)
        if answer is not None:
            self.told.slugs[slug] = note["body"]

    def delete(self, at: int) -> None:
        if not self.mine:
            return
        ref = self.mine.pop(self.chance.randrange(len(self.mine)))
        wish = {"refs": [ref], "reason": "chaos", "cascadePolicy": "tombstone_derived"}
        answer = self.send("/v0/tombstone", wish, doubt=ref["id"])
        if answer is None:
            self.told.doubtful.add(ref["id"])
        else:
            assert answer["results"][0]["status"] in ("tombstoned", "already_tombstoned"), answer
            self.told.deleted.add(ref["id"])

    def consolidate(self, at: int) -> None:
        answer = self.send("/v0/consolidate", {"trigger": "manual", "mode": "enqueue"})
        if answer is not None:
            self.told.jobs.add(answer["jobId"])


def test_what_was_acknowledged_holds_however_often_processes_are_killed(
    graph: Graph, api_env: dict[str, str], scope: Scope
) -> None:
    env = {**api_env, "MEMGRAPH_JOB_LEASE_S": "3"}
    apis = [Api(free_port(), env).start() for _ in range(2)]
    workers = [begin(env, scope)]
    told, chance = Told(), random.Random(20261201)
    end = time.monotonic() + ROUNDS * 2.5
    writers = [Writer(f"W{at}", apis, scope, told, end) for at in range(6)]
    try:
        with ThreadPoolExecutor(len(writers)) as pool:
            running = [pool.submit(each.run) for each in writers]
            for at in range(ROUNDS):
                time.sleep(chance.uniform(0.3, 1.2))
                if at % 3 == 2:
                    workers[0].kill()
                    workers.pop().wait()
                    workers.append(begin(env, scope))
                else:
                    apis[at % 2].kill()
                    apis[at % 2].start()
            for each in running:
                each.result()
        settle(graph, scope)
    finally:
        for each in workers:
            each.kill()
            each.wait()
        for each in apis:
            each.stop()
    check(graph, scope, told)


def begin(env: dict[str, str], scope: Scope) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORK, scope.key]
    return subprocess.Popen(command, env={**os.environ, **env}, stderr=subprocess.DEVNULL)


def settle(graph: Graph, scope: Scope) -> None:
    text = "MATCH (j:Job {scopeKey: $k}) WHERE j.status IN ['queued', 'running'] RETURN count(j) AS n"
    deadline = time.monotonic() + 120
    while rows(graph, text, k=scope.key)[0]["n"]:
        assert time.monotonic() < deadline, rows(
            graph, "MATCH (j:Job {scopeKey: $k}) RETURN j.status AS s, j.kind AS k, j.attempts AS a", k=scope.key
        )
        time.sleep(0.2)


def check(graph: Graph, scope: Scope, told: Told) -> None:
    kept = rows(graph, "MATCH (e:Episode {scopeKey: $k}) RETURN e.id AS id, e.status AS s, e.content AS c", k=scope.key)
    by_id = {row["id"]: row for row in kept}
    assert told.stored
    assert told.deleted
    for key, name in told.stored.items():
        assert name in by_id, f"{key} was acknowledged and is gone"
        if name in told.deleted:
            assert (by_id[name]["s"], by_id[name]["c"]) == ("tombstoned", None)
        elif name not in told.doubtful:
            assert (by_id[name]["s"], by_id[name]["c"]) == ("active", f"text of {key}")
    assert len(set(told.stored.values())) == len(told.stored), "two keys share an episode"
    texts = [row["c"] for row in kept if row["c"] is not None]
    assert len(texts) == len(set(texts)), "something was stored twice"
    check_events(graph, scope, told)
    check_notes(graph, scope, told)
    check_jobs(graph, scope, told)


def check_events(graph: Graph, scope: Scope, told: Told) -> None:
    events = rows(
        graph,
        "MATCH (e:Event {scopeKey: $k}) RETURN e.eventSeq AS n, e.type AS t, e.refId AS id ORDER BY n",
        k=scope.key,
    )
    assert [row["n"] for row in events] == list(range(1, len(events) + 1))
    gone = [row["id"] for row in events if row["t"] == "memory.tombstoned"]
    assert told.deleted <= set(gone)
    assert len(gone) == len(set(gone)), "a deletion is told twice"


def check_notes(graph: Graph, scope: Scope, told: Told) -> None:
    live = rows(
        graph,
        "MATCH (a:Atom {scopeKey: $k}) WHERE a.liveSlugKey IS NOT NULL RETURN a.slug AS slug, count(a) AS n",
        k=scope.key,
    )
    assert {row["slug"] for row in live} >= set(told.slugs)
    assert {row["n"] for row in live} == {1}
    counted = rows(
        graph,
        "MATCH (n:Namespace {scopeKey: $k}) RETURN n.noteCount AS said,"
        " COUNT { MATCH (m:Memory {noteScope: $k}) RETURN m } AS found",
        k=scope.key,
    )
    assert counted[0]["said"] == counted[0]["found"]
    quoting = rows(
        graph,
        "MATCH (c:Consolidation {scopeKey: $k})-[:DERIVED_FROM]->(s:Memory {status: 'tombstoned'})"
        " WHERE c.status <> 'tombstoned' RETURN count(c) AS n",
        k=scope.key,
    )
    assert quoting == [{"n": 0}], "a consolidation still tells what was deleted"


def check_jobs(graph: Graph, scope: Scope, told: Told) -> None:
    jobs = rows(graph, "MATCH (j:Job {scopeKey: $k}) RETURN j.id AS id, j.status AS s, j.errorJson AS e", k=scope.key)
    assert told.jobs <= {row["id"] for row in jobs}
    assert [row for row in jobs if row["s"] != "completed"] == []
    waiting = rows(graph, "MATCH (p:Passage {pendingScope: $k}) RETURN count(p) AS n", k=scope.key)
    assert waiting == [{"n": 0}]
