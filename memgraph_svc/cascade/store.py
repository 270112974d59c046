"""Typed calls of ``cypher/cascade/``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from memgraph_svc.cascade.plan import Reached, Source
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.consistent import consistently
from memgraph_svc.write import known
from memgraph_svc.write.known import Known

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph, Row
    from memgraph_svc.graph.consistent import Reader

T = TypeVar("T")
DEEPEST = 64


def reach(read: Reader, scope_key: str, ids: Sequence[str], steps: int) -> list[Reached]:
    """Everything made from the memories in at most ``steps`` steps (1 to 65), each once, nearest first."""
    rows = read(query("cascade/reach").filled(bound=steps), scope_key=scope_key, ids=list(ids)) if ids else []
    return [Reached(known.read(row["memory"]), row["depth"], row["memory"]["groupKey"]) for row in rows]


def sources(read: Reader, scope_key: str, ids: Sequence[str]) -> list[Source]:
    """What each of the memories was made from."""
    rows = read(query("cascade/sources"), scope_key=scope_key, ids=list(ids)) if ids else []
    return [Source(row["id"], row["source"], row["alive"]) for row in rows]


def named(read: Reader, scope_key: str, ids: Sequence[str]) -> dict[str, Known]:
    """The memories of those ids, deleted ones as well."""
    rows = read(query("cascade/named"), scope_key=scope_key, ids=list(ids)) if ids else []
    return {row["memory"]["id"]: known.read(row["memory"]) for row in rows}


def links(read: Reader, scope_key: str, ids: Sequence[str]) -> dict[str, Row]:
    """The links of those ids, deleted ones as well."""
    rows = read(query("cascade/links"), scope_key=scope_key, ids=list(ids)) if ids else []
    return {row["id"]: row for row in rows}


def receipts(graph: Graph, scope_key: str, **asked: Any) -> list[Row]:
    """Receipts of a namespace, newest first."""
    return graph.read(query("cascade/receipts"), scope_key=scope_key, **asked)


def one_state(graph: Graph, scope_key: str, read: Callable[[Reader], T]) -> T:
    """Run several reads that see one state of the namespace."""
    return consistently(graph, scope_key, read)[0]
