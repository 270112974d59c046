"""Two API processes, killed at random moments while clients write: nothing acknowledged is lost, nothing is doubled."""

import http.client
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from memgraph_svc.graph.client import Graph
from memgraph_svc.model.scope import Scope
from tests.support.api import Api, free_port
from tests.support.cypher import rows

ACTOR = {"id": "u", "kind": "user"}
ROUNDS = int(os.environ.get("MEMGRAPH_TEST_ROUNDS", "3"))


@dataclass
class History:
    """What the clients were told."""

    acknowledged: dict[str, tuple[str, str]] = field(default_factory=dict)
    doubts: set[str] = field(default_factory=set)
    guard: threading.Lock = field(default_factory=threading.Lock)


def write_until(end: float, api: Api, scope: Scope, writer: str, history: History) -> None:
    n = 0
    while time.monotonic() < end:
        keys = [f"{writer}-{n}-{at}" for at in range(3)]
        n += 1
        episodes = [
            {"contentType": "text/plain", "content": f"text of {key}", "dedupeKey": key, "createdBy": ACTOR}
            for key in keys
        ]
        while True:  # a client that got no answer sends the same again, as the keys make safe
            try:
                answer = api.client.post("/v0/ingest", {"scope": scope.wire(), "episodes": episodes}, timeout=30)
            except (OSError, http.client.HTTPException):
                history.doubts.update(keys)
                time.sleep(0.1)
                if time.monotonic() > end + 30:
                    return
                continue
            if answer.status == 503:
                time.sleep(0.1)
                continue
            assert answer.status == 200, answer.raw[:200]
            with history.guard:
                for key, result in zip(keys, answer.json["results"], strict=True):
                    history.acknowledged[key] = (result["ref"]["id"], result["status"])
            break


def test_kill_minus_nine_of_both_apis_loses_nothing_acknowledged(
    graph: Graph, api_env: dict[str, str], scope: Scope
) -> None:
    apis = [Api(free_port(), api_env).start() for _ in range(2)]
    history, chance = History(), random.Random(20261201)
    end = time.monotonic() + ROUNDS * 3
    try:
        with ThreadPoolExecutor(8) as pool:
            writers = [pool.submit(write_until, end, apis[at % 2], scope, f"w{at}", history) for at in range(8)]
            for at in range(ROUNDS):
                time.sleep(chance.uniform(0.5, 1.5))
                apis[at % 2].kill()
                apis[at % 2].start()
            for each in writers:
                each.result()
    finally:
        for each in apis:
            each.stop()
    check(graph, scope, history)


def check(graph: Graph, scope: Scope, history: History) -> None:
    stored = rows(graph, "MATCH (e:Episode {scopeKey: $k}) RETURN e.dedupeKey AS key, e.id AS id", k=scope.key)
    by_key: dict[str, list[Any]] = {}
    for row in stored:
        by_key.setdefault(row["key"], []).append(row["id"])
    assert history.acknowledged
    assert {key: [ref] for key, (ref, _) in history.acknowledged.items()} == by_key
    assert {status for _, status in history.acknowledged.values()} <= {"created", "deduplicated"}
    # A replay is only heard of where a first answer was lost.
    assert {key for key, (_, status) in history.acknowledged.items() if status == "deduplicated"} <= history.doubts
    events = rows(
        graph, "MATCH (e:Event {scopeKey: $k}) RETURN e.eventSeq AS n, e.refId AS id, e.type AS t", k=scope.key
    )
    assert sorted(each["n"] for each in events) == list(range(1, len(events) + 1))
    assert sorted(e["id"] for e in events if e["t"] == "episode.ingested") == sorted(row["id"] for row in stored)
    whole = rows(
        graph,
        "MATCH (e:Episode {scopeKey: $k}) RETURN count(e) AS n, count { (e)-[:HAS_PASSAGE]->() } AS p,"
        " count { (e)-[:CHANGED]->() } AS c",
        k=scope.key,
    )
    assert whole == [{"n": len(stored), "p": 1, "c": 1}]
