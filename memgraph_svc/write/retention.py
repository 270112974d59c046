"""Forget old events.

In: for how many days events are kept. Out: older ones deleted, some at a time, each batch under its namespace's lock. A
cursor that stands before the oldest kept event is refused as expired, never resumed somewhere else.
"""

from __future__ import annotations

import threading

import structlog

from memgraph_svc.errors.base import ServiceError
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph, Tx

_AT_ONCE, _NAMESPACES, _AGAIN_S = 5_000, 100, 600.0
_log = structlog.get_logger(__name__)


def drop_expired(graph: Graph, days: int, scope_key: str | None = None) -> int:
    """Delete every event older than ``days`` days, of one namespace or of all; how many were deleted.

    The newest event of each namespace stays.
    """
    total = 0
    while expired := graph.read(query("write/expired_namespaces"), scope_key=scope_key, days=days, most=_NAMESPACES):
        total += sum(_drop(graph, row["expired"], days) for row in expired)
    return total


def _drop(graph: Graph, scope_key: str, days: int) -> int:
    def batch(tx: Tx) -> int:
        tx.run(query("graph/hold_namespace"), scope_key=scope_key)
        return tx.run(query("write/drop_events"), scope_key=scope_key, days=days, most=_AT_ONCE)[0]["dropped"]

    total = 0
    while dropped := graph.write(batch):
        total += dropped
    return total


def watch(graph: Graph, days: int, stop: threading.Event) -> None:
    """Drop expired events every ten minutes until asked to stop; nothing when they are kept for ever."""
    while days and not stop.wait(_AGAIN_S):
        try:
            if dropped := drop_expired(graph, days):
                _log.info("events_dropped", count=dropped)
        except ServiceError as fault:
            _log.warning("retention_waits", code=fault.code)
