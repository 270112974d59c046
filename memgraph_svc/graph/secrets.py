"""Keys that all processes share, kept in the graph.

In: the name of a purpose. Out: a random key, made once and the same everywhere. What is signed with it is decided by its
user.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from memgraph_svc.graph.catalogue import query

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph


class Secrets:
    """The shared keys, read once per process."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, bytes] = {}

    def key(self, purpose: str) -> bytes:
        """The 256-bit key of one purpose; made by the first process that asks."""
        if purpose not in self._known:
            row = self._graph.execute(query("graph/secrets"), name=purpose, fresh=secrets.token_hex(32))[0]
            self._known[purpose] = bytes.fromhex(row["value"])
        return self._known[purpose]
