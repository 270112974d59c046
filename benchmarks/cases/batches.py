"""Ingest in batches through HTTP, one client, against raw ``UNWIND`` into the same database."""

from __future__ import annotations

from benchmarks import corpus, floors, stats
from benchmarks.link import Link, request
from benchmarks.plan import Plan
from benchmarks.results import Figure, Report, at_least
from benchmarks.stack import Stack

NAME, TITLE = "batches", "Ingest in batches, one client"
_GOAL = 0.5


def run(stack: Stack, plan: Plan) -> Report:
    """Episodes a second for each size of batch, beside both floors."""
    report = Report(NAME, TITLE)
    with stack.api() as api, api.link() as link:
        for size, rounds in plan.batches.items():
            report.figures += _one_size(stack, link, size, rounds)
        report.memory = {"API": api.rss(), **stack.weight()}
    return report


def _one_size(stack: Stack, link: Link, size: int, rounds: int) -> list[Figure]:
    raw, sent = floors.Raw(stack), stack.scope("batch")
    least, same = (floors.scope_of(stack.scope(name)) for name in ("least", "same"))
    ranges = [range(at * size, (at + 1) * size) for at in range(rounds + 1)]
    bodies = iter([request("POST", "/v0/ingest", corpus.ingest_body(sent, each, "b")) for each in ranges])
    least_rows = iter([floors.least_rows(least, each, "b") for each in ranges])
    same_rows = iter([floors.same_rows(same, each, "b") for each in ranges])
    took = stats.in_turns(
        {
            "service": lambda: link.send(next(bodies)),
            "least": lambda: raw.store_least(next(least_rows)),
            "same": lambda: raw.store_same(next(same_rows)),
        },
        rounds,
    )
    rate = {name: size / stats.median(seconds) for name, seconds in took.items()}
    name = f"batches of {size:,}"
    goal, met = at_least(_GOAL, stats.ratio(rate["service"], rate["least"]))
    noise = f"quartiles ±{stats.spread(took['service']) / 2:.0%}"
    return [
        Figure(name, rate["service"], "episodes/s", "UNWIND, the least", rate["least"], goal, met, noise),
        Figure(name, rate["service"], "episodes/s", "UNWIND, the same graph", rate["same"]),
    ]
