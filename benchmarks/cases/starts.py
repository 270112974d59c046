"""How long it takes until something answers: the embedded server and the API."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from pathlib import Path

from benchmarks import stats
from benchmarks.plan import Plan
from benchmarks.results import Figure, Report
from benchmarks.stack import Stack, clean, embedded, gunicorn
from memgraph_svc.config import load
from memgraph_svc.embedded import artifacts
from memgraph_svc.embedded.server import Connection, EmbeddedServer

NAME, TITLE = "starts", "Start until it answers"
_API, _TRIVIAL = "memgraph_svc.wsgi:app", "benchmarks.trivial:app"
_SETTLE_S = 2.0  # until every worker is through with the schema; a stop before that would leave its lock behind
Took = dict[str, list[float]]


def run(stack: Stack, plan: Plan) -> Report:
    """Seconds of each kind of start; the server's are of one of its own, whatever database the others use."""
    del stack
    artifacts.ensure(Path(load(clean(os.environ)).cache_dir))  # the download is not what is measured
    took: Took = defaultdict(list)
    for _ in range(plan.starts):
        with embedded() as server:
            _cycle(server, took)
    middle = {name: stats.median(seconds) for name, seconds in took.items()}
    warm = ("warm start", middle["warm"])
    plain = ("trivial route", middle["trivial"])
    return Report(
        NAME,
        TITLE,
        [
            Figure("Neo4j, first start on empty data", middle["first"], "s", *warm, note="files already fetched"),
            Figure("Neo4j, warm start", middle["warm"], "s"),
            Figure("Neo4j, start after kill -9", middle["killed"], "s", *warm),
            Figure("API, first start, applies the schema", middle["api first"], "s", *plain),
            Figure("API, later start", middle["api"], "s", *plain),
        ],
    )


def _cycle(server: EmbeddedServer, took: Took) -> None:
    took["first"].append(stats.timed(server.start))
    found = server.connection()
    took["api first"].append(_served(_API, found))
    took["trivial"].append(_served(_TRIVIAL, found))
    took["api"].append(_served(_API, found))
    server.stop()
    took["warm"].append(stats.timed(server.start))
    server.kill()
    took["killed"].append(stats.timed(server.start))


def _served(app: str, found: Connection) -> float:
    named = {"NEO4J_URI": found.uri, "NEO4J_USERNAME": found.username, "NEO4J_PASSWORD": found.password}

    with gunicorn(app, {**clean(os.environ), **named}) as served:
        time.sleep(_SETTLE_S)
        return served.ready_s
