"""Assemble the working context of a task.

In: a scope, a task, a budget. Out: sourced pieces of memory, never over the budget, and what the caller should know
about them. In order: required memory, candidates, authority and lifecycle, rank, budget, warnings. Nothing is stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memgraph_svc import clock
from memgraph_svc.assemble import budget, ordering, scoring, shape
from memgraph_svc.assemble.asked import Asked
from memgraph_svc.assemble.hydrate import same_space, unique, visible
from memgraph_svc.assemble.notices import Warned
from memgraph_svc.assemble.query import MOST, Found, search
from memgraph_svc.assemble.store import Store
from memgraph_svc.assemble.stored import StoredMemory
from memgraph_svc.errors import InvalidRequest
from memgraph_svc.model.content import readable
from memgraph_svc.model.memory import Kind, Ref, Status

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph

_FEWEST = 50
_USUAL_TOKENS = 12  # a memory rarely costs less, so this many candidates are enough to fill the room
_LARGE = 8  # memories larger than the whole room of which an excerpt is considered


@dataclass(frozen=True, slots=True)
class Context:
    """A working context, ready to be sent."""

    asked: Asked
    segments: list[dict[str, Any]]
    tokens: int
    truncated: bool
    warnings: list[Warned]
    at: datetime

    def wire(self) -> dict[str, Any]:
        """The context as it is sent; its hash covers the segments and nothing that changes by itself."""
        text = json.dumps(self.segments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return {
            "scope": self.asked.scope.wire(),
            "task": self.asked.task,
            "budget": dict(self.asked.budget),
            "segments": self.segments,
            "tokenEstimate": self.tokens,
            "truncated": self.truncated,
            "warnings": [warning.wire() for warning in self.warnings],
            "generatedAt": self.at.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z",
            "contextHash": hashlib.sha256(text.encode()).hexdigest()[:16],
        }


@dataclass(frozen=True, slots=True)
class _Entry:
    """A memory that may go in, and why."""

    memory: StoredMemory
    score: float
    reason: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """What one consistent read found."""

    entries: list[_Entry]
    chosen: budget.Plan
    missing: list[Ref]
    unread: list[Ref]
    more: bool
    warnings: list[Warned]


class ContextService:
    """Answers assemble-context."""

    def __init__(self, graph: Graph, now: Callable[[], datetime] = clock.now) -> None:
        self._store = Store(graph)
        self._now = now

    def assemble(self, asked: Asked) -> Context:
        """The context of a task, read from one state of the namespace.

        Equal requests on equal memory give equal segments, byte for byte. Raises ``InvalidRequest`` for a blank task or
        a budget with no room.
        """
        if not asked.task.strip():
            raise InvalidRequest("task: must not be blank", {"path": "task"})
        if asked.room < 1:
            raise InvalidRequest(
                "budget.reservedTokens: leaves no room of maxTokens", {"path": "budget.reservedTokens"}
            )
        state = self._store.consistently(asked.scope, lambda store: _read(store, asked))
        segments = [_segment(state.entries[piece.offer], piece) for piece in state.chosen.pieces]
        truncated = state.chosen.truncated or state.more
        return Context(
            asked, segments, state.chosen.tokens, truncated, _warnings(asked, state, truncated=truncated), self._now()
        )


def _read(store: Store, asked: Asked) -> _State:
    required, missing = _required(store, asked)
    limit = min(MOST, max(_FEWEST, asked.room // _USUAL_TOKENS))
    terms = frozenset(scoring.query_terms(asked.task))
    while True:
        found = search(store, asked.scope, asked.task, asked.filters, limit)
        entries, unread, large = _entries(store, asked, found, required)
        offers = [budget.Offer(readable(entry.memory.content), entry.required) for entry in entries]
        chosen = budget.plan(offers, asked.room, asked.most, terms)
        full = asked.most is not None and len(chosen.pieces) >= asked.most
        if full or not found.more or limit >= MOST or asked.room - chosen.tokens < budget.SHORTEST_EXCERPT:
            break
        limit = min(MOST, limit * 4)  # room is left and there is more to read
    missing += [entries[at].memory.ref for at in chosen.omitted]
    return _State(entries, chosen, missing, unread, found.more or large, found.warnings)


def _required(store: Store, asked: Asked) -> tuple[list[_Entry], list[Ref]]:
    held = store.memories_by_id(
        asked.scope,
        unique(ref.id for ref in asked.required if ref.kind is not Kind.LINK and same_space(asked.scope, ref)),
    )
    entries: list[_Entry] = []
    missing: list[Ref] = []
    for ref in dict.fromkeys(asked.required):
        memory = held.get(ref.id) if same_space(asked.scope, ref) else None
        if memory is None or not visible(asked.scope, ref, memory) or not _allowed(asked, memory):
            missing.append(ref)
        elif all(entry.memory.ref.id != ref.id for entry in entries):
            entries.append(_Entry(memory, 0.0, "Required by the request.", required=True))
    return entries, missing


def _allowed(asked: Asked, memory: StoredMemory) -> bool:
    return memory.ref.id not in asked.excluded and asked.filters.admits_state(memory.status, stale=memory.stale)


def _entries(
    store: Store, asked: Asked, found: Found, required: Sequence[_Entry]
) -> tuple[list[_Entry], list[Ref], bool]:
    scores = {hit.ref.id: hit for hit in found.hits}
    first = [
        replace(entry, score=scores[entry.memory.ref.id].score) if entry.memory.ref.id in scores else entry
        for entry in required
    ]
    taken = {entry.memory.ref.id for entry in required} | asked.excluded
    hits = [hit for hit in found.hits if hit.ref.id not in taken]
    large = [hit.ref.id for hit in hits if hit.candidate.token_count > asked.room]
    skipped = set(large[_LARGE:])
    hits = [hit for hit in hits if hit.ref.id not in skipped]
    held = store.memories_by_id(asked.scope, [hit.ref.id for hit in hits])
    unread = [hit.ref for hit in hits if hit.ref.id not in held]
    entries = [
        _Entry(held[hit.ref.id], hit.score, hit.reason)
        for hit in hits
        if hit.ref.id in held and _allowed(asked, held[hit.ref.id])
    ]
    order = ordering.order(
        [
            ordering.Worth(entry.score, entry.memory.ref.id, entry.memory.times, entry.memory.confidence)
            for entry in entries
        ],
        recency=asked.prefer_recency,
        confidence=asked.prefer_confidence,
    )
    return first + [entries[at] for at in order], unread, bool(skipped)


def _segment(entry: _Entry, piece: budget.Piece) -> dict[str, Any]:
    memory = entry.memory
    made: dict[str, Any] = {
        "ref": memory.ref.wire(),
        "content": readable(memory.content)[piece.start : piece.end],
        "score": entry.score,
        "reason": entry.reason,
        "provenance": shape.provenance(memory),
    }
    occurred = memory.occurred_at or (memory.created_at if memory.ref.kind is Kind.EPISODE else None)
    if occurred is not None:
        made["occurredAt"] = occurred
    return made


def _warnings(asked: Asked, state: _State, *, truncated: bool) -> list[Warned]:
    inside = [state.entries[piece.offer].memory for piece in state.chosen.pieces]

    def refs(*picked: Callable[[StoredMemory], bool]) -> list[Ref]:
        return [memory.ref for memory in inside if any(pick(memory) for pick in picked)]

    stale = refs(lambda memory: memory.stale, lambda memory: memory.source_gone)
    disputed = refs(lambda memory: memory.status is Status.DISPUTED, lambda memory: memory.disputed_claims)
    superseded = refs(lambda memory: memory.status is Status.SUPERSEDED, lambda memory: memory.superseded_claims)
    made = [
        Warned.empty() if not inside else None,
        Warned.truncated() if truncated else None,
        Warned.omitted(state.missing) if state.missing else None,
        Warned.stale(stale) if stale else None,
        Warned.disputed(disputed) if disputed else None,
        Warned.superseded(superseded) if superseded else None,
        Warned.partial(state.unread) if state.unread else None,
        Warned.eventual() if asked.eventual else None,
    ]
    return [warning for warning in made if warning is not None] + state.warnings
