"""Ask the service about the demo's conversation.

In: an API and a loaded scope. Out: one query with the text of its hits, one assembled context, the memory index. How it
looks in a terminal is decided in ``cli/demo.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memgraph_svc.demo.client import Api

QUESTION = "When does the lease on Brabantdam start?"
TASK = "Dinner for Mara in Ghent: is there an allergy, such as hazelnuts? Coffee or tea?"
BUDGET = {"maxTokens": 300, "reservedTokens": 50}
_LIMIT = 5
Shape = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hit:
    """A found memory and its text."""

    score: float
    reason: str
    memory: Shape

    @property
    def kind(self) -> str:
        """Episode, atom or consolidation."""
        return str(self.memory["type"])

    @property
    def text(self) -> str:
        """Its content as text."""
        return str(self.memory.get("content") or "")

    @property
    def who(self) -> str:
        """Who said it."""
        metadata: Shape = self.memory.get("metadata") or {}
        created: Shape = self.memory.get("createdBy") or {}
        return str(metadata.get("speaker") or created.get("id") or "")

    @property
    def day(self) -> str:
        """The day it happened, else the day it was written."""
        metadata: Shape = self.memory.get("metadata") or {}
        return str(metadata.get("occurredAt") or self.memory.get("createdAt") or "")[:10]


@dataclass(frozen=True, slots=True)
class Tour:
    """Everything the demo shows after loading."""

    hits: list[Hit]
    missing: int
    context: Shape
    index: Shape

    def wire(self) -> Shape:
        """The same as JSON."""
        hits = [{"score": hit.score, "reason": hit.reason, "object": hit.memory} for hit in self.hits]
        return {
            "query": {"query": QUESTION, "hits": hits, "missing": self.missing},
            "context": self.context,
            "index": self.index,
        }


def tour(api: Api, scope: dict[str, str]) -> Tour:
    """Ask all three questions; raises ``DemoError`` when the API is away or refuses."""
    found: list[Shape] = api.post("/v0/query", {"scope": scope, "query": QUESTION, "limit": _LIMIT})["refs"]
    objects: list[Shape] = []
    if found:
        objects = api.post("/v0/hydrate", {"scope": scope, "refs": [each["ref"] for each in found]})["objects"]
    texts = {each["id"]: each for each in objects}
    hits = [
        Hit(each["score"], each.get("reason") or "", texts[each["ref"]["id"]])
        for each in found
        if each["ref"]["id"] in texts
    ]
    context = api.post("/v0/assemble-context", {"scope": scope, "task": TASK, "budget": BUDGET})["context"]
    index = api.get("/v0/index", **scope)
    return Tour(hits, len(found) - len(hits), context, index)
