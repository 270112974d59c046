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
from memgraph_svc.assemble.awaiting import Freshness
from memgraph_svc.assemble.hydrate import same_space, unique, visible
from memgraph_svc.assemble.notices import Warned
from memgraph_svc.assemble.search import MOST, Found, Meaning, search
from memgraph_svc.assemble.store import Store
from memgraph_svc.assemble.stored import StoredMemory
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.model.content import readable
from memgraph_svc.model.memory import Kind, Ref, Status

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder
    from memgraph_svc.graph.client import Graph

_FEWEST = 50
_SPARE_SHARE = 10
_USUAL_TOKENS = 20  # so many candidates usually fill the room; more are read when they do not
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

    ref: Ref
    content: Any
    score: float
    reason: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """What one consistent read found: what may go in, what does, and everything stored of that."""

    entries: list[_Entry]
    chosen: budget.Plan
    held: dict[str, StoredMemory]
    missing: list[Ref]
    unread: list[Ref]
    more: bool
    warnings: list[Warned]


class ContextService:
    """Answers assemble-context."""

    def __init__(
        self,
        graph: Graph,
        now: Callable[[], datetime] = clock.now,
        embedder: Embedder | None = None,
        fresh: Freshness | None = None,
    ) -> None:
        self._store = Store(graph)
        self._now = now
        self._embedder = embedder
        self._fresh = fresh or Freshness(embeds=False, patience_s=0)

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
        lag = self._fresh.settle(self._store, asked.scope, asked.fresh)
        meaning = Meaning.of(self._embedder, asked.task)
        state = self._store.consistently(asked.scope, lambda store: _read(store, asked, meaning))
        placed = [(state.entries[piece.offer], piece) for piece in state.chosen.pieces]
        segments = [_segment(entry, state.held[entry.ref.id], piece) for entry, piece in placed]
        truncated = state.chosen.truncated or state.more
        return Context(
            asked,
            segments,
            state.chosen.tokens,
            truncated,
            _warnings(asked, state, lag, truncated=truncated),
            self._now(),
        )


def _read(store: Store, asked: Asked, meaning: Meaning | None) -> _State:
    required, missing = _required(store, asked)
    limit = min(MOST, max(_FEWEST, asked.room // _USUAL_TOKENS))
    terms = frozenset(scoring.query_terms(asked.task))
    while True:
        found = search(store, asked.scope, asked.task, asked.filters, limit, meaning, timed=asked.prefer_recency)
        entries, unread, large = _entries(store, asked, found, required)
        offers = [budget.Offer(readable(entry.content), entry.required) for entry in entries]
        chosen = budget.plan(offers, asked.room, asked.most, terms)
        full = asked.most is not None and len(chosen.pieces) >= asked.most
        # The last tokens are not worth another look at the whole namespace.
        filled = asked.room - chosen.tokens < max(budget.SHORTEST_EXCERPT, asked.room // _SPARE_SHARE)
        if full or filled or not found.more or limit >= MOST:
            break
        limit = min(MOST, limit * 3)  # room is left and there is more to read
    held = store.memories_by_id(asked.scope, [entries[piece.offer].ref.id for piece in chosen.pieces])
    missing += [entries[at].ref for at in chosen.omitted]
    return _State(entries, chosen, held, missing, unread, found.more or large, found.warnings)


def _required(store: Store, asked: Asked) -> tuple[list[_Entry], list[Ref]]:
    inside = {ref for ref in asked.required if ref.kind is not Kind.LINK and same_space(asked.scope, ref)}
    held = store.memories_by_id(asked.scope, unique(ref.id for ref in asked.required if ref in inside))
    entries: dict[str, _Entry] = {}
    missing: list[Ref] = []
    for ref in dict.fromkeys(asked.required):
        memory = held.get(ref.id) if ref in inside else None
        if memory is None or not visible(asked.scope, ref, memory) or not _allowed(asked, memory):
            missing.append(ref)
        else:
            entries.setdefault(
                ref.id, _Entry(memory.ref, memory.content, 0.0, "Required by the request.", required=True)
            )
    return list(entries.values()), missing


def _allowed(asked: Asked, memory: StoredMemory) -> bool:
    return memory.ref.id not in asked.excluded and asked.filters.admits_state(memory.status, stale=memory.stale)


def _entries(
    store: Store, asked: Asked, found: Found, required: Sequence[_Entry]
) -> tuple[list[_Entry], list[Ref], bool]:
    scores = {hit.ref.id: hit.score for hit in found.hits}
    first = [replace(entry, score=scores.get(entry.ref.id, entry.score)) for entry in required]
    taken = {entry.ref.id for entry in required} | asked.excluded
    hits = [hit for hit in found.hits if hit.ref.id not in taken]
    skipped = {hit.ref.id for hit in [hit for hit in hits if hit.candidate.token_count > asked.room][_LARGE:]}
    hits = [hit for hit in hits if hit.ref.id not in skipped]
    contents = store.contents_by_id(asked.scope, [hit.ref.id for hit in hits])
    order = ordering.order(
        [ordering.Worth(hit.score, hit.ref.id, hit.candidate.times, hit.candidate.confidence) for hit in hits],
        recency=asked.prefer_recency,
        confidence=asked.prefer_confidence,
    )
    ranked = [hits[at] for at in order]
    entries = [_Entry(hit.ref, contents[hit.ref.id], hit.score, hit.reason) for hit in ranked if hit.ref.id in contents]
    return first + entries, [hit.ref for hit in ranked if hit.ref.id not in contents], bool(skipped)


def _segment(entry: _Entry, memory: StoredMemory, piece: budget.Piece) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ref": memory.ref.wire(),
        "content": readable(entry.content)[piece.start : piece.end],
        "score": entry.score,
        "reason": entry.reason,
        "provenance": shape.provenance(memory),
    }
    if memory.occurred_at is not None:
        made["occurredAt"] = memory.occurred_at
    return made


def _warnings(asked: Asked, state: _State, lag: list[Warned], *, truncated: bool) -> list[Warned]:
    inside = [state.held[state.entries[piece.offer].ref.id] for piece in state.chosen.pieces]

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
        Warned.eventual() if asked.fresh.eventual else None,
    ]
    said = [warning for warning in made if warning is not None]
    codes = {warning.code for warning in said}
    return said + [warning for warning in lag if warning.code not in codes] + state.warnings
