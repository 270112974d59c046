"""The memory index of a scope.

In: a scope and how much may be shown. Out: the text, its hash and what it holds. The text is decided in ``render``;
what is a live note, where notes are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from memgraph_svc.assemble import index_store, render
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph


@dataclass(frozen=True, slots=True)
class Section:
    """A rendered index."""

    text: str
    hash: str
    note_count: int
    pinned_count: int
    budget_bytes: int

    def wire(self) -> dict[str, Any]:
        """The section as it is sent."""
        return {
            "text": self.text,
            "hash": self.hash,
            "noteCount": self.note_count,
            "pinnedCount": self.pinned_count,
            "bytes": len(self.text.encode()),
            "budgetBytes": self.budget_bytes,
        }


class IndexService:
    """Renders memory indexes."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def section(
        self,
        scope: Scope,
        budget_tokens: int = render.BUDGET_TOKENS,
        pinned_body_bytes: int = render.PINNED_BODY_BYTES,
    ) -> Section:
        """The index of one committed state of the scope; an empty scope has one too."""
        # One note more than is shown tells the renderer that there are more. A character is at least a byte, so one
        # character more than fits is enough to tell that a body was cut.
        notes = index_store.index_notes(self._graph, scope, pinned_body_bytes + 1, render.MAX_NOTES + 1)
        pinned = [note for note in notes if note.pinned]
        text = render.render(notes, pinned, budget_tokens, pinned_body_bytes)
        return Section(
            text=text,
            hash=render.hash(text),
            note_count=min(len(notes), render.MAX_NOTES),
            pinned_count=min(len(pinned), render.MAX_NOTES),
            budget_bytes=render.budget_bytes(budget_tokens),
        )


def section(
    scope: Scope,
    graph: Graph | None = None,
    budget_tokens: int = render.BUDGET_TOKENS,
    pinned_body_bytes: int = render.PINNED_BODY_BYTES,
) -> dict[str, Any]:
    """The memory index of a scope as ``{"text", "hash", …}``, read from ``graph`` or from the database of NEO4J_URI."""
    service = IndexService(graph if graph is not None else _environment())
    return service.section(scope, budget_tokens, pinned_body_bytes).wire()


@cache
def _environment() -> Graph:
    return index_store.connect()
