"""Answer queries.

In: a scope, a text and filters. Out: refs with score and reason, best first, never content. The search itself is in
``search.py``; how fresh an answer has to be, in ``awaiting.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memgraph_svc.assemble.awaiting import STRONG, Freshness, Wanted
from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.search import MOST, Found, Meaning, search
from memgraph_svc.assemble.store import Store
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder
    from memgraph_svc.graph.client import Graph

DEFAULT_LIMIT = 20


class QueryService:
    """Answers queries."""

    def __init__(self, graph: Graph, embedder: Embedder | None = None, fresh: Freshness | None = None) -> None:
        self._store = Store(graph)
        self._embedder = embedder
        self._fresh = fresh or Freshness(embeds=False, patience_s=0)

    def search(
        self,
        scope: Scope,
        text: str,
        filters: Filters | None = None,
        limit: int = DEFAULT_LIMIT,
        wanted: Wanted = STRONG,
    ) -> Found:
        """The memories that hold words of the text or come close to its meaning, best first; ties by id.

        The filters apply before the limit. Raises ``InvalidRequest`` for a blank text or a limit outside 1 to 1,000, and
        ``ConsistencyTimeout`` when a strong answer cannot be given in time and may not be downgraded.
        """
        if not text.strip():
            raise InvalidRequest("query: must not be blank", {"path": "query"})
        if not 1 <= limit <= MOST:
            raise InvalidRequest(f"limit: must be between 1 and {MOST}", {"path": "limit"})
        warnings = self._fresh.settle(self._store, scope, wanted)
        found = search(self._store, scope, text, filters or Filters(), limit, Meaning.of(self._embedder, text))
        return replace(found, warnings=warnings + found.warnings) if warnings else found
