"""Where the time of one operation goes: the whole application in process, under a profiler.

In: the name of an operation. Out: the head of its profile. What waits for the database shows as time in the socket.
"""

from __future__ import annotations

import cProfile
import importlib.util
import io
import json
import pstats
import time
from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask

from benchmarks import corpus
from benchmarks.cases.latency import context_body, query_body
from benchmarks.stack import Stack
from memgraph_svc.app import create_app

_EPISODES, _BATCH, _CALLS, _HEAD = 2_000, 1_000, 300, 30
Body = dict[str, Any]
Operation = tuple[str, Callable[[dict[str, str], int], Body], int]

OPERATIONS: dict[str, Operation] = {
    "ingest": ("/v0/ingest", lambda scope, at: corpus.ingest_body(scope, range(at, at + 1), "p"), _CALLS),
    "batch": ("/v0/ingest", lambda scope, at: corpus.ingest_body(scope, range(at * 1_000, at * 1_000 + 1_000), "b"), 8),
    "query": ("/v0/query", query_body, _CALLS),
    "context": ("/v0/assemble-context", context_body, _CALLS),
}


def run(stack: Stack, name: str) -> None:
    """Profile one operation on a namespace of 2,000 episodes and print the head."""
    app, scope = create_app(stack.settings), stack.scope("profile")
    for start in range(0, _EPISODES, _BATCH):
        call(app, "/v0/ingest", corpus.ingest_body(scope, range(start, start + _BATCH), "fill", "indexed"))
    path, make, count = OPERATIONS[name]
    bodies = [json.dumps(make(scope, at)).encode() for at in range(count)]
    calls = iter(bodies)
    for _ in range(min(20, count // 4)):  # plans are made, caches are filled
        send(app, path, next(calls))
    rest = list(calls)
    began = time.perf_counter()
    text = _sampled(app, path, rest) if importlib.util.find_spec("pyinstrument") else _traced(app, path, rest)
    print(text)
    print(f"{(time.perf_counter() - began) / len(rest) * 1_000:.2f} ms a call, profiler included")


def call(app: Flask, path: str, body: Body) -> bytes:
    """One request with a JSON body."""
    return send(app, path, json.dumps(body).encode())


def send(app: Flask, path: str, raw: bytes) -> bytes:
    """One request, without a server; raises ``RuntimeError`` unless the status is 200."""
    said: list[str] = []

    def start(status: str, *_: Any) -> Callable[[bytes], None]:
        said.append(status)
        return lambda _: None

    answer: Iterator[bytes] = app.wsgi_app(_environ(path, raw), start)  # pyright: ignore[reportAssignmentType, reportArgumentType]
    whole = b"".join(answer)
    if not said[0].startswith("200"):
        raise RuntimeError(f"{path}: {said[0]} {whole[:300]!r}")
    return whole


def _environ(path: str, raw: bytes) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(raw)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(raw),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _traced(app: Flask, path: str, bodies: list[bytes]) -> str:
    profile = cProfile.Profile()
    profile.enable()
    for raw in bodies:
        send(app, path, raw)
    profile.disable()
    out = io.StringIO()
    stats = pstats.Stats(profile, stream=out).strip_dirs()
    stats.sort_stats("cumulative").print_stats(_HEAD)
    stats.sort_stats("tottime").print_stats(_HEAD)
    return out.getvalue()


def _sampled(app: Flask, path: str, bodies: list[bytes]) -> str:
    pyinstrument = importlib.import_module("pyinstrument")
    profiler = pyinstrument.Profiler(interval=0.0005)
    with profiler:
        for raw in bodies:
            send(app, path, raw)
    return profiler.output_text(unicode=True, color=False, show_all=False)
