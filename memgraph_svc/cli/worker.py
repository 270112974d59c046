"""memgraph-svc worker: the process that runs jobs, in the foreground."""

from __future__ import annotations

import signal
import time
from types import FrameType

import click
import structlog

from memgraph_svc import app
from memgraph_svc.cli.common import data_option, settings
from memgraph_svc.config import Settings
from memgraph_svc.embedded.connect import resolve
from memgraph_svc.errors.base import ServiceError

_AGAIN_S, _MOST_THREADS = 1.0, 64
_log = structlog.get_logger(__name__)


@click.command()
@click.option(
    "--threads",
    type=click.IntRange(1, _MOST_THREADS),
    metavar="N",
    help="Jobs it runs at once. Default MEMGRAPH_WORKER_THREADS, else 2.",
)
@data_option
def worker(threads: int | None, data: str | None) -> None:
    """Run jobs, in the foreground, on the Neo4j of NEO4J_URI or on the embedded one that runs.

    Run as many as you like, on as many machines as you like: each job is run by one of them at a time, and the jobs of
    a worker that is killed are taken over. Ctrl-C lets running jobs finish for 25 seconds and hands back the rest; a
    second Ctrl-C ends at once.

    \b
    Example:
      NEO4J_URI=bolt://db:7687 NEO4J_PASSWORD=… memgraph-svc worker --threads 4
    """
    found = resolve(settings(data, worker_threads=threads))
    app.configure_logs(found)
    made, asked = app.make_worker(found), list[int]()

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        made.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    said = ""
    while not asked and (problem := _problem(found)):
        if problem != said:
            _log.warning("worker_waits", reason=problem)
        said = problem
        time.sleep(_AGAIN_S)
    app.watch_retention(found)
    made.run()


def _problem(found: Settings) -> str:
    """Apply the schema; what is in the way, or nothing. Raises what no waiting can mend."""
    try:
        app.migrate(found)
    except ServiceError as problem:
        if not problem.retryable:
            raise
        return problem.message
    return ""
