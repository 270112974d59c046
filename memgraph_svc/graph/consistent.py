"""Reads of several statements that see one state of a namespace.

In: a function that reads. Out: its result, of which no part is older or newer than another. A statement sees whatever
is committed while it runs, so several of them may see a commit by halves; the namespace's commit number tells.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import structlog

from memgraph_svc.graph.catalogue import Query, query
from memgraph_svc.graph.client import Graph, Row, Tx

T = TypeVar("T")
TRIES = 4  # the first, and three more
_PAUSE_S = 0.005
_log = structlog.get_logger(__name__)


class Reader(Protocol):
    """Runs one statement and returns all its rows."""

    def __call__(self, query: Query, /, **params: Any) -> list[Row]:
        """The rows of one statement."""
        ...


def consistently(graph: Graph, scope_key: str, read: Callable[[Reader], T]) -> tuple[T, int]:
    """Run ``read`` until no commit came between its statements; its result and the commit number it belongs to.

    ``read`` may run several times. After four tries in a busy namespace it runs once more under the namespace's write
    lock, where nothing can come between.
    """
    for attempt in range(TRIES):
        before, result, after = graph.chain(lambda run: (_seq(run, scope_key), read(run), _seq(run, scope_key)))
        if after == before:
            return result, before
        time.sleep(_PAUSE_S * attempt)
    _log.info("read_under_lock", scope_key=scope_key)

    def held(tx: Tx) -> tuple[T, int]:
        tx.run(query("graph/hold_namespace"), scope_key=scope_key)
        return read(tx.run), _seq(tx.run, scope_key)

    return graph.write(held)


def _seq(run: Reader, scope_key: str) -> int:
    rows = run(query("graph/namespace_seq"), scope_key=scope_key)
    return rows[0]["seq"] if rows else 0
