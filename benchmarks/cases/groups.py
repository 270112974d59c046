"""One-episode ingest from many clients on one namespace: through HTTP, grouped in process, and ungrouped in process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, cast

from benchmarks import corpus, floors, stats
from benchmarks.generator import NUMBER, Load, load
from benchmarks.plan import Plan
from benchmarks.results import Figure, Report, at_least
from benchmarks.stack import Gunicorn, Stack
from memgraph_svc import clock
from memgraph_svc.app import lanes
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.write.commit import commit_group
from memgraph_svc.write.lanes import Lanes
from memgraph_svc.write.view import Proposal

NAME, TITLE = "groups", "One-episode ingest on one namespace"
_GOAL, _JUDGED_AT = 5.0, 16
_ANSWER = 200  # bytes of an answer to a one-episode ingest
Rates = dict[str, float]


class Alone:
    """Every thread commits for itself: what writing would be without group commit."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def submit(self, proposal: Proposal) -> Any:
        """Commit one proposal in a transaction of its own."""
        lane = f"alone:{threading.get_ident()}"
        return commit_group(self._graph, clock.now, lane, clock.new_id("cm"), [proposal])[0]


def run(stack: Stack, plan: Plan) -> Report:
    """Episodes a second for each number of clients, grouped over ungrouped, HTTP over grouped, and the generator."""
    report = Report(NAME, TITLE)
    secrets = Secrets(stack.graph)
    grouped = IngestService(stack.graph, lanes(stack.graph, stack.settings), secrets)
    alone = IngestService(stack.graph, cast("Lanes", Alone(stack.graph)), secrets)
    with stack.api() as api, stack.trivial() as trivial, load() as clients:
        for count in plan.clients:
            rates = _in_turns(_variants(stack, clients, api, trivial, grouped, alone, count, plan), plan.windows)
            report.figures += _figures(count, rates)
        report.memory = {"API": api.rss(), **stack.weight()}
    return report


def _variants(
    stack: Stack,
    clients: Load,
    api: Gunicorn,
    trivial: Gunicorn,
    grouped: IngestService,
    alone: IngestService,
    count: int,
    plan: Plan,
) -> dict[str, Callable[[], float]]:
    body = _body(stack.scope(f"http{count}"))

    def http(port: int, path: str) -> Callable[[], float]:
        return lambda: clients.rate(port, path, body, count, plan.window_s)

    def inside(service: IngestService, name: str) -> Callable[[], float]:
        scope = stack.scope(f"{name}{count}")
        return lambda: _threads(service, scope, count, plan.window_s)

    return {
        "http": http(api.port, "/v0/ingest"),
        "grouped": inside(grouped, "grouped"),
        "alone": inside(alone, "alone"),
        "generator": http(trivial.port, f"/trivial/{_ANSWER}"),
    }


def _body(scope: dict[str, str]) -> dict[str, Any]:
    made = corpus.ingest_body(scope, range(1), "c")
    made["episodes"][0]["dedupeKey"] = f"c-{NUMBER}"
    return made


def _in_turns(variants: dict[str, Callable[[], float]], windows: int) -> Rates:
    found: dict[str, list[float]] = {name: [] for name in variants}
    for at in range(windows + 1):  # the first window warms up
        for name, rate in variants.items():
            value = rate()
            if at:
                found[name].append(value)
    return {name: stats.median(values) for name, values in found.items()}


def _threads(service: IngestService, shape: dict[str, str], count: int, seconds: float) -> float:
    scope, gate = floors.scope_of(shape), threading.Barrier(count)
    rates: list[float] = []
    errors: list[Exception] = []

    def client() -> None:
        key, done = clock.new_id("k"), 0
        gate.wait()
        began = time.perf_counter()
        try:
            while (passed := time.perf_counter() - began) < seconds or done == 0:
                service.ingest(scope, [floors.draft(done % 100, f"{key}-{done}")])
                done += 1
        except Exception as fault:  # noqa: BLE001  raised below, in the thread that waits
            errors.append(fault)
        else:
            rates.append(done / passed)

    threads = [threading.Thread(target=client) for _ in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if errors:
        raise errors[0]
    return sum(rates)


def _figures(count: int, rates: Rates) -> list[Figure]:
    who = f"{count} client" + ("s" if count > 1 else "")
    goal, met = at_least(_GOAL, stats.ratio(rates["grouped"], rates["alone"])) if count == _JUDGED_AT else ("", None)
    reach = f"the generator alone reaches {rates['generator']:,.0f}/s"
    return [
        Figure(
            f"{who}, grouped in process", rates["grouped"], "episodes/s", "each alone, in process", rates["alone"],
            goal, met,
        ),
        Figure(f"{who}, HTTP", rates["http"], "episodes/s", "grouped, in process", rates["grouped"], note=reach),
        Figure(f"{who}, HTTP", rates["http"], "episodes/s", "trivial route", rates["generator"]),
    ]  # fmt: skip
