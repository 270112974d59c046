"""The only door to Neo4j, and the only module that imports its driver.

In: checked queries and parameters. Out: rows as plain dicts. Transient faults are tried again here until a deadline;
what remains becomes one of our errors. What a transaction does is decided by its caller.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import neo4j
import structlog
from neo4j import exceptions as failures
from neo4j.vector import Vector

from memgraph_svc import bookmarks
from memgraph_svc.config import Settings
from memgraph_svc.errors.availability import ConsistencyTimeout, CredentialsRefused, IndexMissing, Unavailable
from memgraph_svc.errors.base import Internal, ServiceError
from memgraph_svc.errors.request import InvalidBookmark
from memgraph_svc.graph.catalogue import Query

T = TypeVar("T")
Row = dict[str, Any]
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 1.0
_log = structlog.get_logger(__name__)


class Tx:
    """One open write transaction."""

    def __init__(self, inner: neo4j.Transaction) -> None:
        self._inner = inner

    def run(self, query: Query, /, **params: Any) -> list[Row]:
        """Run one statement and return all its rows."""
        return _rows(self._inner.run(query.text, params))


class Graph:
    """Reads and writes of one database; safe for many threads, and made anew in a forked child."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._driver: neo4j.Driver | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def read(self, query: Query, /, **params: Any) -> list[Row]:
        """Run one read in a transaction of its own; tried again over transient faults."""

        def once() -> list[Row]:
            with self._session(neo4j.READ_ACCESS) as session:
                return _rows(session.run(self._timed(query), params))

        return self._persist(once)

    def chain(self, work: Callable[[Callable[..., list[Row]]], T]) -> T:
        """Run several reads of which each waits until all that was committed before the one ahead ended is applied.

        One session hands the bookmark of each read to the next. Without it a read may see a commit by halves and yet
        find the same commit number before and after: a server applies a commit piece by piece, the number early, the
        indexes late.
        """

        def once() -> T:
            with self._session(neo4j.READ_ACCESS) as session:

                def run(query: Query, /, **params: Any) -> list[Row]:
                    return _rows(session.run(self._timed(query), params))

                return work(run)

        return self._persist(once)

    def execute(self, query: Query, /, **params: Any) -> list[Row]:
        """Run one idempotent write or schema statement in a transaction of its own; tried again like a read."""

        def once() -> list[Row]:
            with self._session(neo4j.WRITE_ACCESS) as session:
                return _rows(session.run(self._timed(query), params))

        return self._persist(once)

    def write(self, work: Callable[[Tx], T]) -> T:
        """Run ``work`` in one write transaction and commit it.

        ``work`` runs again after a transient fault, and also when the answer to the commit was lost: it must find out
        by itself whether it was done already (the write layer keeps a ``:Commit`` for that). Raises ``Unavailable``
        once the deadline is over; a first try that loses its connection later than that is made once more.
        """

        def once() -> T:
            with (
                self._session(neo4j.WRITE_ACCESS) as session,
                session.begin_transaction(timeout=self._settings.neo4j_timeout_s) as inner,
            ):
                result = work(Tx(inner))
                inner.commit()
                bookmarks.note(session.last_bookmarks().raw_values)
                return result

        return self._persist(once)

    def server_version(self) -> str:
        """The version the server reports when greeting, such as ``2026.08.1``."""

        def once() -> str:
            return self._live().get_server_info().agent.removeprefix("Neo4j/")

        return self._persist(once)

    def close(self) -> None:
        """Give all connections back."""
        with self._lock:
            if self._driver is not None and self._owner == os.getpid():
                self._driver.close()
            self._driver = None

    def _timed(self, query: Query) -> neo4j.Query:
        return neo4j.Query(query.text, timeout=self._settings.neo4j_timeout_s)

    def _session(self, access: str) -> neo4j.Session:
        return self._live().session(
            database=self._settings.neo4j_database,
            default_access_mode=access,
            fetch_size=-1,
            bookmarks=neo4j.Bookmarks.from_raw_values(awaited) if (awaited := bookmarks.awaited()) else None,
        )

    def _live(self) -> neo4j.Driver:
        # A driver used before a fork shares its sockets with the child and gives protocol errors in both.
        if self._driver is None or self._owner != os.getpid():
            with self._lock:
                if self._driver is None or self._owner != os.getpid():
                    self._driver, self._owner = self._connect(), os.getpid()
        return self._driver

    def _connect(self) -> neo4j.Driver:
        wanted = self._settings
        return neo4j.GraphDatabase.driver(
            wanted.neo4j_uri,
            auth=(wanted.neo4j_username, wanted.neo4j_password),
            max_connection_pool_size=wanted.neo4j_pool_size,
            connection_acquisition_timeout=wanted.neo4j_timeout_s,
            connection_timeout=5,
            liveness_check_timeout=30,
            keep_alive=True,
            notifications_min_severity="OFF",
            user_agent="memgraph-svc",
        )

    def _persist(self, once: Callable[[], T]) -> T:
        deadline, pause = time.monotonic() + self._settings.retry_s, _FIRST_PAUSE_S
        spare = self._settings.retry_s > 0
        while True:
            try:
                return once()
            except (failures.Neo4jError, failures.DriverError, OSError) as raised:
                fault = _root(raised)
                # The driver gives a silent connection two minutes, longer than most deadlines; a new one may answer.
                over = time.monotonic() + pause > deadline and not (spare and _lost(fault))
                if over or not _may_pass(fault):
                    raise _translated(fault) from fault
            spare = False
            time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311  spreading retries, nothing secret
            pause = min(pause * 2, _LONGEST_PAUSE_S)


def _rows(result: neo4j.Result) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, record.values(), strict=True)) for record in result]


def _root(fault: BaseException) -> Exception:
    # A statement that fails takes the earlier results of its transaction with it; what the driver then raises of those
    # hides the reason, such as a deadlock, behind it.
    while (
        isinstance(fault, failures.ResultFailedError) and (reason := fault.__cause__ or fault.__context__) is not None
    ):
        fault = reason
    return fault if isinstance(fault, Exception) else Internal()


def _may_pass(fault: Exception) -> bool:
    # IncompleteCommit says of itself that it cannot be retried; our writes can, since they look up their own commit.
    return _lost(fault) or (isinstance(fault, (failures.Neo4jError, failures.DriverError)) and fault.is_retryable())


def _lost(fault: Exception) -> bool:
    return isinstance(fault, (failures.ServiceUnavailable, failures.SessionExpired, OSError))


def _translated(fault: Exception) -> ServiceError:
    code = getattr(fault, "code", None) or ""
    text = str(fault).lower()
    if "no such fulltext schema index" in text or "no such index" in text or "indexnotfound" in code.lower():
        return IndexMissing()
    if isinstance(fault, failures.AuthError):
        return CredentialsRefused()
    if "bookmark" in code.lower():
        late = ConsistencyTimeout("The database has not caught up with the bookmark of the request; try again shortly.")
        return late if "timeout" in code.lower() else InvalidBookmark()
    if _may_pass(fault) or isinstance(fault, failures.ConfigurationError):
        return Unavailable()
    if code.startswith("Neo.ClientError.Transaction") or "General.OutOfDisk" in code or "ReadOnly" in code:
        return Unavailable("The database ended the transaction; try again, with less at once if it was large.")
    # The driver's own text may quote parameters, which are memory content: log the code, not the words.
    _log.error("database_fault", code=code, kind=type(fault).__name__)
    return Internal()


def chunks(items: list[T], size: int) -> Iterable[list[T]]:
    """Cut a list into runs of at most ``size``."""
    return (items[at : at + size] for at in range(0, len(items), size))


def lean(row: Mapping[str, Any]) -> Row:
    """A row as it is sent: without its absent values, and its times as text for ``datetime()`` to read.

    The driver packs a time of Python's in 78 µs, more than the rest of an episode takes.
    """
    return {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in row.items()
        if value is not None
    }


def vector(values: Sequence[float]) -> Vector:
    """A vector as it is sent: four bytes a number, where a list of numbers takes nine and is packed one by one."""
    return Vector.from_native(values, "f32")
