"""What the processes hold in memory, idle and after work."""

from __future__ import annotations

from urllib.parse import urlencode

from benchmarks.cases.latency import context_body, fill, query_body
from benchmarks.link import Link, request
from benchmarks.plan import Plan
from benchmarks.results import Figure, Report
from benchmarks.stack import Gunicorn, Stack

NAME, TITLE = "memory", "Resident memory"
Weights = dict[str, float]


def run(stack: Stack, plan: Plan) -> Report:
    """MiB of an API worker and of Neo4j before and after the load, beside a worker that serves the trivial route."""
    with stack.api() as api, stack.trivial() as trivial:
        for served in (api, trivial):
            _warm(served)
        floor, idle = max(trivial.workers()), _weigh(stack, api)
        with api.link() as link:
            _load(link, stack.scope("memory"), plan)
        busy = _weigh(stack, api)
    figures = [
        Figure("API worker, idle", idle["API worker"], "MiB", "worker of the trivial route", floor),
        Figure("API worker, after the load", busy["API worker"], "MiB", "idle", idle["API worker"]),
    ]
    if "Neo4j" in idle:
        limits = _limits(stack)
        figures += [
            Figure("Neo4j, before the load", idle["Neo4j"], "MiB", note="as earlier benchmarks of the run left it"),
            Figure("Neo4j, after the load", busy["Neo4j"], "MiB", "heap and page cache allowed", limits),
        ]
    return Report(NAME, TITLE, figures, {name: busy[name] for name in ("API", "Neo4j") if name in busy})


def _weigh(stack: Stack, api: Gunicorn) -> Weights:
    return {"API": api.rss(), "API worker": max(api.workers()), **stack.weight()}


def _warm(served: Gunicorn) -> None:
    for _ in range(8):  # so that every worker has answered
        with served.link() as link:
            link.send(request("GET", "/health/ready"))


def _load(link: Link, scope: dict[str, str], plan: Plan) -> None:
    fill(link, scope, plan.load_batches * 500, plan.notes)
    for at in range(plan.load_reads):
        link.send(request("POST", "/v0/query", query_body(scope, at)))
        link.send(request("POST", "/v0/assemble-context", context_body(scope, at)))
        link.send(request("GET", f"/v0/index?{urlencode(scope)}"))


def _limits(stack: Stack) -> float:
    assert stack.server is not None
    conf = (stack.server.home / "conf" / "neo4j.conf").read_text(encoding="utf-8")
    found = dict(line.split("=", 1) for line in conf.splitlines() if "=" in line)
    return float(sum(int(found[f"server.memory.{name}"][:-1]) for name in ("heap.max_size", "pagecache.size")))
