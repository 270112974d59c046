"""Two hundred writers over two API processes, and readers that follow: no event is missing, doubled or out of order."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from memgraph_svc.model.scope import Scope
from tests.support.api import Api, free_port

WRITERS, EACH, READERS = 200, 2, 4
USER = {"id": "u", "kind": "user"}


def write(api: Api, scope: Scope, name: int) -> list[str]:
    made: list[str] = []
    for at in range(EACH):
        episodes = [{"contentType": "text/plain", "content": f"writer {name} says {at}", "createdBy": USER}]
        answer = api.client.post("/v0/ingest", {"scope": scope.wire(), "episodes": episodes}, timeout=120)
        assert answer.status == 200, answer.raw[:200]
        made.append(answer.json["results"][0]["ref"]["id"])
    return made


def follow(api: Api, scope: Scope, done: threading.Event) -> list[dict[str, Any]]:
    """Page through the events until the writers are done and a page comes back empty."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        ended = done.is_set()
        shape = {"scope": scope.wire()} | ({"cursor": cursor} if cursor else {})
        answer = api.client.post("/v0/subscribe", shape, timeout=120)
        assert answer.status == 200, answer.raw[:200]
        found.extend(answer.json)
        cursor = answer.headers["memory-next-cursor"]
        if ended and not answer.json:
            return found


def test_two_hundred_writers_leave_no_gap_for_any_reader(api_env: dict[str, str], scope: Scope) -> None:
    apis = [Api(free_port(), api_env).start() for _ in range(2)]
    done = threading.Event()
    try:
        with ThreadPoolExecutor(WRITERS) as writing, ThreadPoolExecutor(READERS) as reading:
            readers = [reading.submit(follow, apis[at % 2], scope, done) for at in range(READERS)]
            writers = [writing.submit(write, apis[at % 2], scope, at) for at in range(WRITERS)]
            made = [name for each in writers for name in each.result()]
            done.set()
            seen = [each.result() for each in readers]
    finally:
        done.set()
        for each in apis:
            each.stop()
    assert len(set(made)) == WRITERS * EACH
    for events in seen:
        ingested = [event["ref"]["id"] for event in events if event["type"] == "episode.ingested"]
        assert sorted(ingested) == sorted(made)
        times = [event["occurredAt"] for event in events]
        assert times == sorted(times)
        assert len({event["cursor"] for event in events}) == len(events)
    order = [[event["ref"]["id"] for event in events] for events in seen]
    assert all(each == order[0] for each in order)
