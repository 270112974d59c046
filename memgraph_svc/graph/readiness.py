"""Whether this process can serve: schema applied, indexes online, database there.

In: the database, looked at by one background thread. Out: a state that requests and health checks read without waiting.
"""

from __future__ import annotations

import threading
from typing import Any

import structlog

from memgraph_svc.errors.availability import IndexMissing, NotReady
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.migrate import migrate, report

_LOOK_AGAIN_S, _TRY_AGAIN_S, _PATIENCE_S = 5.0, 1.0, 10.0
_log = structlog.get_logger(__name__)


class Readiness:
    """Applies the schema at start, then keeps an eye on it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._problem: ServiceError | None = NotReady()
        self._prepared = threading.Event()
        self._stop = threading.Event()

    def start(self) -> None:
        """Begin in the background; requests are refused as not ready until it is done."""
        threading.Thread(target=self._watch, name="readiness", daemon=True).start()

    def stop(self) -> None:
        """End the background thread."""
        self._stop.set()

    def gate(self) -> None:
        """Wait a little while the schema is being applied, then refuse; raises the reason.

        One process of several may be ready before the others, so a request that comes early is kept for some seconds. A
        database that goes away later is not refused here: the request itself finds out, and may be lucky.
        """
        if self._prepared.is_set():
            return
        patient = isinstance(self._problem, NotReady)
        if not self._prepared.wait(_PATIENCE_S if patient else 0) and self._problem is not None:
            raise self._problem

    def search(self) -> None:
        """Refuse what promises to be searchable while a search index is missing; raises ``IndexMissing``."""
        if isinstance(self._problem, IndexMissing):
            self._inspect()  # it may have been built again since the last look
        if isinstance(self._problem, IndexMissing):
            raise self._problem

    def check(self) -> dict[str, Any]:
        """Look now; the server's version when all is well. Raises what is wrong."""
        if self._prepared.is_set():
            self._graph.read(query("graph/ping"))
            self._inspect()
        if self._problem is not None:
            raise self._problem
        return {"neo4j": self._graph.server_version()}

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                if self._prepared.is_set():
                    self._inspect()
                else:
                    applied = migrate(self._graph)
                    self._problem = None
                    self._prepared.set()
                    _log.info("ready", applied=applied)
            except ServiceError as problem:
                if self._problem is None or self._problem.message != problem.message:
                    _log.warning("not_ready", code=problem.code, reason=problem.message)
                self._problem = problem
            except Exception as fault:  # noqa: BLE001  a background loop outlives whatever happens
                _log.error("readiness_fault", kind=type(fault).__name__)
            self._stop.wait(_LOOK_AGAIN_S if self._prepared.is_set() else _TRY_AGAIN_S)

    def _inspect(self) -> None:
        found = report(self._graph)
        if found.ready:
            self._problem = None
        elif found.missing or found.failed:
            names = found.missing + found.failed
            self._problem = IndexMissing(
                f"Missing in the database: {', '.join(names)}. Run 'memgraph-svc migrate' to build it again.",
                {"missing": found.missing, "failed": found.failed},
            )
        else:
            self._problem = NotReady(details={"building": found.building})
