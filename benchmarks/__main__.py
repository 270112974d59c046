"""Measure the service against its floors: ``python -m benchmarks``, or ``make bench``.

In: which benchmarks, and how long. Out: a table, and the same as JSON. Starts its own database (or uses ``NEO4J_URI``)
and its own API processes, talks to loopback only, and stops all of it in the end.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console

from benchmarks import profiling, show
from benchmarks.cases import batches, groups, latency, memory, starts
from benchmarks.plan import FULL, QUICK, Plan
from benchmarks.results import Report
from benchmarks.stack import Stack, stack

CASES: dict[str, Callable[[Stack, Plan], Report]] = {
    each.NAME: each.run for each in (batches, groups, latency, starts, memory)
}
FIGURES = Path(__file__).with_name("figures.json")


def main(argv: list[str] | None = None) -> int:
    """Run what was asked for; 0 unless something could not be measured."""
    asked = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything started is stopped
    if asked.page:
        show.write_page(json.loads(FIGURES.read_text(encoding="utf-8")))
        return 0
    console = Console()
    with stack() as running:
        if asked.profile:
            profiling.run(running, asked.profile)
            return 0
        document = measure(running, QUICK if asked.quick else FULL, asked.only or list(CASES), console)
    # A part of the suite, or a quick look, does not replace the figures of the whole.
    target = asked.json or (None if asked.quick or asked.only else FIGURES)
    if target:
        target.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        console.print(f"Written to {target}.")
    return 0


def measure(running: Stack, plan: Plan, names: list[str], console: Console) -> dict[str, Any]:
    """Run benchmarks one after the other, show each, and return all as JSON values."""
    found: list[Report] = []
    for name in names:
        began = time.perf_counter()
        with console.status(f"measuring: {name}"):
            report = CASES[name](running, plan)
        report.seconds = time.perf_counter() - began
        show.terminal(console, report)
        found.append(report)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "quick": plan.quick,
        "machine": _machine(running),
        "benchmarks": [report.wire() for report in found],
    }


def _machine(running: Stack) -> dict[str, Any]:
    try:
        bolt = f"driver {version('neo4j')} with neo4j-rust-ext"
        version("neo4j-rust-ext")
    except PackageNotFoundError:
        bolt = f"driver {version('neo4j')} in plain Python"
    return {
        "cores": os.cpu_count() or 0,
        "memoryGiB": round(psutil.virtual_memory().total / 2**30),
        "system": platform.system(),
        "python": platform.python_version(),
        "neo4j": running.graph.server_version(),
        "bolt": bolt,
        "load": [round(each, 2) for each in psutil.getloadavg()],
    }


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the service against its floors.")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", type=_names, metavar="NAME,…", help=f"some of: {', '.join(CASES)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--page", action="store_true", help="write the figures of the last full run into the docs")
    parser.add_argument(
        "--profile", choices=list(profiling.OPERATIONS), help="profile one operation in process instead"
    )
    return parser.parse_args(argv)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in CASES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(CASES)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
