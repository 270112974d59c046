"""The composition root: settings become a client, the client becomes services, the services an application.

The only wiring. Nothing here touches the network before the first request or command.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import structlog

from memgraph_svc.config import Settings, is_loopback, load
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.graph.catalogue import load as load_queries
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.migrate import migrate as apply_schema
from memgraph_svc.write.lanes import Lanes

if TYPE_CHECKING:
    from flask import Flask

    from memgraph_svc.jobs.worker import Worker

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def create_app(settings: Settings | None = None) -> Flask:
    """The API, with its readiness watch running; what gunicorn calls once in each process, after the fork."""
    from memgraph_svc.api.factory import create  # noqa: PLC0415  commands that need no Flask start faster
    from memgraph_svc.wiring import make_services  # noqa: PLC0415

    settings = settings or load()
    check_exposure(settings)
    configure_logs(settings)
    load_queries()
    served = make_services(settings, Graph(settings))
    app = create(served)
    served.readiness.start()
    return app


def make_worker(settings: Settings) -> Worker:
    """A worker of every kind of job this version knows."""
    from memgraph_svc import wiring  # noqa: PLC0415

    return wiring.make_worker(settings, Graph(settings))


def watch_retention(settings: Settings) -> None:
    """Drop old events in the background, for as long as the process lives; does nothing when they are kept for ever."""
    from memgraph_svc.write.retention import watch  # noqa: PLC0415

    if settings.event_retention_days:
        graph, never = Graph(settings), threading.Event()
        threading.Thread(
            target=watch, args=(graph, settings.event_retention_days, never), name="retention", daemon=True
        ).start()


def lanes(graph: Graph, settings: Settings) -> Lanes:
    """The write lanes of this process."""
    from memgraph_svc import wiring  # noqa: PLC0415

    return wiring.make_lanes(graph, settings)


def migrate(settings: Settings) -> list[str]:
    """Apply the schema; the names of the files that were new."""
    graph = Graph(settings)
    try:
        return apply_schema(graph)
    finally:
        graph.close()


def import_fixtures(settings: Settings, document: dict[str, Any]) -> int:
    """Load objects exactly as given, for suites only; how many were loaded.

    Raises ``ConfigError`` unless ``MEMGRAPH_ALLOW_FIXTURES`` is set, and ``InvalidRequest`` for a document that is not
    one of fixtures.
    """
    from memgraph_svc.ingest.fixtures import load_fixtures  # noqa: PLC0415  never needed in production

    if not settings.allow_fixtures:
        raise ConfigError("Fixtures are for tests: set MEMGRAPH_ALLOW_FIXTURES=1 to load them.")
    graph = Graph(settings)
    try:
        return load_fixtures(lanes(graph, settings), document)
    finally:
        graph.close()


def check_exposure(settings: Settings) -> None:
    """Refuse to listen beyond this machine without a token; raises ``ConfigError``."""
    if not settings.api_token and not is_loopback(settings.host):
        raise ConfigError(
            f"MEMGRAPH_HOST={settings.host} can be reached from other machines: set MEMGRAPH_API_TOKEN, or listen "
            "on 127.0.0.1."
        )


def configure_logs(settings: Settings) -> None:
    """One JSON object a line on standard error; never the content of a memory."""
    level = _LEVELS.get(settings.log_level.lower())
    if level is None:
        raise ConfigError(f"MEMGRAPH_LOG_LEVEL: '{settings.log_level}' is none of {', '.join(_LEVELS)}")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
