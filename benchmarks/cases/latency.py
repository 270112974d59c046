"""How long one request takes, one client with keep-alive, beside a trivial route plus the raw Bolt calls it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from benchmarks import corpus, floors, stats
from benchmarks.link import Link, request
from benchmarks.plan import Plan
from benchmarks.results import Figure, Report, at_most
from benchmarks.stack import Stack
from memgraph_svc.assemble.asked import from_body
from memgraph_svc.assemble.context import ContextService
from memgraph_svc.assemble.index_section import IndexService
from memgraph_svc.assemble.query import QueryService

NAME, TITLE = "latency", "One request, one client"
_BATCH = 500
_TEXTS = 25  # different questions; each is asked several times
_BUDGET = {"maxTokens": 2_000}
_INDEX_GOAL = 1.3
Shape = dict[str, str]


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of request, and the Bolt calls that it needs; both move on to the next with every call."""

    name: str
    requests: Iterator[bytes]
    bolt: Callable[[], object]
    goal: float | None = None


def run(stack: Stack, plan: Plan) -> Report:
    """p50 and p95 of each operation for each size of namespace."""
    report = Report(NAME, TITLE)
    with ExitStack() as kept:
        api, trivial = kept.enter_context(stack.api()), kept.enter_context(stack.trivial())
        link, floor = kept.enter_context(api.link()), kept.enter_context(trivial.link())
        for size in plan.namespaces:
            scope = stack.scope(f"of{size}")
            fill(link, scope, size, plan.notes)
            for operation in _operations(stack, scope, plan):
                report.figures += _measure(link, floor, operation, size, plan.calls)
        report.memory = {"API": api.rss(), "trivial route": trivial.rss(), **stack.weight()}
    return report


def fill(link: Link, scope: Shape, episodes: int, notes: int) -> None:
    """Put that much into a namespace."""
    for start in range(0, episodes, _BATCH):
        numbers = range(start, min(start + _BATCH, episodes))
        link.send(request("POST", "/v0/ingest", corpus.ingest_body(scope, numbers, "fill", "indexed")))
    for number in range(notes):
        link.send(request("POST", "/v0/remember", corpus.note_body(scope, number)))


def query_body(scope: Shape, number: int) -> dict[str, Any]:
    """A question."""
    return {"scope": scope, "query": corpus.question(number)}


def context_body(scope: Shape, number: int) -> dict[str, Any]:
    """A task with a usual budget."""
    return {"scope": scope, "task": corpus.question(number), "budget": _BUDGET}


def _operations(stack: Stack, shape: Shape, plan: Plan) -> list[Operation]:
    scope, graph, raw = floors.scope_of(shape), floors.Recording(stack), floors.Raw(stack)
    query, context, index = QueryService(graph), ContextService(graph), IndexService(graph)
    asks = [from_body({**context_body(shape, at), "scope": scope}) for at in range(_TEXTS)]
    needed = {
        "query": [graph.during(lambda at=at: query.search(scope, corpus.question(at))) for at in range(_TEXTS)],
        "context": [graph.during(lambda ask=ask: context.assemble(ask)) for ask in asks],
        "index": [graph.during(lambda: index.section(scope))],
    }
    graph.close()
    sent = {
        "query": [request("POST", "/v0/query", query_body(shape, at)) for at in range(_TEXTS)],
        "context": [request("POST", "/v0/assemble-context", context_body(shape, at)) for at in range(_TEXTS)],
        "index": [request("GET", f"/v0/index?{urlencode(shape)}")],
    }
    reads = [
        Operation(name, _again(sent[name]), _replayed(raw, needed[name]), _INDEX_GOAL if name == "index" else None)
        for name in sent
    ]
    return [*reads, _ingest(stack, shape, raw, plan)]


def _ingest(stack: Stack, shape: Shape, raw: floors.Raw, plan: Plan) -> Operation:
    # The floor writes into a namespace of its own, so that the two do not share counters.
    scope, numbers = floors.scope_of(stack.scope("floor")), range(plan.calls + 5)
    bodies = [
        request("POST", "/v0/ingest", corpus.ingest_body(shape, range(at, at + 1), "one", "indexed")) for at in numbers
    ]
    decided = iter([floors.one_episode(scope, at, "one") for at in numbers])
    return Operation("ingest", iter(bodies), lambda: raw.store_one(scope, *next(decided)))


def _again(items: list[bytes]) -> Iterator[bytes]:
    while True:
        yield from items


def _replayed(raw: floors.Raw, needed: list[list[floors.Statement]]) -> Callable[[], object]:
    at = 0

    def call() -> None:
        nonlocal at
        raw.replay(needed[at % len(needed)])
        at += 1

    return call


def _measure(link: Link, floor: Link, operation: Operation, size: int, calls: int) -> list[Figure]:
    first = next(operation.requests)
    plain = _plain(first, len(link.send(first)))
    took = stats.in_turns(
        {
            "service": lambda: link.send(next(operation.requests)),
            "trivial": lambda: floor.send(plain),
            "bolt": operation.bolt,
        },
        calls,
        warm=2,
    )
    sums = [trivial + bolt for trivial, bolt in zip(took["trivial"], took["bolt"], strict=True)]
    figures: list[Figure] = []
    for label, share in (("p50", 0.5), ("p95", 0.95)):
        value, least = (stats.percentile(each, share) * 1_000 for each in (took["service"], sums))
        goal, met = ("", None) if operation.goal is None or label != "p50" else at_most(operation.goal, value / least)
        parts = " + ".join(f"{stats.percentile(took[each], share) * 1_000:.2f}" for each in ("trivial", "bolt"))
        name = f"{operation.name}, {size:,} episodes, {label}"
        figures.append(Figure(name, value, "ms", "trivial route + Bolt calls", least, goal, met, f"floor: {parts}"))
    return figures


def _plain(sent: bytes, answered: int) -> bytes:
    # The same request to the trivial route, which answers as many bytes.
    method, _, rest = sent.partition(b" ")
    _, _, rest = rest.partition(b" ")
    return method + f" /trivial/{answered} ".encode() + rest
