"""Find memory by words.

In: a scope, a text and filters. Out: refs with score and reason, best first, never content. Which words are looked for
is decided in ``lexical.py``, what passes in ``filters.py``, and the order in ``scoring.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memgraph_svc.assemble import lexical, scoring
from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.notices import Warned
from memgraph_svc.assemble.store import Store, TooManyWords
from memgraph_svc.assemble.stored import Candidate
from memgraph_svc.errors import InvalidRequest
from memgraph_svc.model.memory import Ref
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph

DEFAULT_LIMIT = 20
MOST = 1_000
_FEWEST = 100  # passages looked at even for a small limit, so that ours and the index's ranking may differ
_STEPS_PLAIN = (2, 8)
_STEPS_FILTERED = (4, 16)


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found."""

    candidate: Candidate
    score: float
    reason: str
    rank: int
    matched: tuple[str, ...] = ()

    @property
    def ref(self) -> Ref:
        """Its ref."""
        return self.candidate.ref

    def wire(self, *, explain: bool = False) -> dict[str, Any]:
        """The entry of a query answer; stale memory carries its warning here."""
        shape: dict[str, Any] = {"ref": self.ref.wire(), "score": self.score, "reason": self.reason}
        if self.candidate.stale:
            shape["warnings"] = [Warned.stale([self.ref]).wire()]
        if explain:
            shape["explain"] = {"lexical": {"rank": self.rank, "score": self.score, "terms": list(self.matched)}}
        return shape


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a query, whether there are more, and what the caller should know."""

    hits: list[Hit] = field(default_factory=list[Hit])
    more: bool = False
    warnings: list[Warned] = field(default_factory=list[Warned])


class QueryService:
    """Answers queries."""

    def __init__(self, graph: Graph) -> None:
        self._store = Store(graph)

    def search(self, scope: Scope, text: str, filters: Filters | None = None, limit: int = DEFAULT_LIMIT) -> Found:
        """The memories that hold words of the text, best first; ties by id.

        The filters apply before the limit. Raises ``InvalidRequest`` for a blank text or a limit outside 1 to 1,000.
        """
        if not text.strip():
            raise InvalidRequest("query: must not be blank", {"path": "query"})
        if not 1 <= limit <= MOST:
            raise InvalidRequest(f"limit: must be between 1 and {MOST}", {"path": "limit"})
        return search(self._store, scope, text, filters or Filters(), limit)


def search(store: Store, scope: Scope, text: str, filters: Filters, limit: int, *, timed: bool = False) -> Found:
    """The search itself, on any store: by itself or inside a consistent read; ``timed`` asks for the hits' times."""
    wanted = lexical.wanted(text)
    if wanted is None or filters.impossible:
        return Found()
    while True:
        try:
            candidates, more = _gather(store, scope, wanted, filters, limit, timed=timed)
            break
        except TooManyWords:
            if len(wanted.clauses) == 1:
                return Found(warnings=[Warned.shortened()])
            wanted = wanted.halved()
    hits = _ranked(candidates, text)
    warnings = [Warned.shortened()] if wanted.shortened else []
    return Found(hits[:limit], more or len(hits) > limit, warnings)


def _gather(
    store: Store, scope: Scope, wanted: lexical.Wanted, filters: Filters, limit: int, *, timed: bool
) -> tuple[list[Candidate], bool]:
    lucene = lexical.lucene(wanted, scope, kinds=filters.kind_terms(), states=filters.state_terms())
    for factor in _STEPS_FILTERED if filters.beyond_index else _STEPS_PLAIN:
        fetch = max(_FEWEST, limit * factor)
        rows = store.search_passages(scope, lucene, fetch, filtered=filters.beyond_index or timed)
        kept = [row for row in rows if _passes(row, scope, filters)]
        if len(rows) < fetch or len({row.ref.id for row in kept}) > limit:
            return kept, len(rows) >= fetch
    return _scan(store, scope, lucene, filters, limit)


def _scan(store: Store, scope: Scope, lucene: str, filters: Filters, limit: int) -> tuple[list[Candidate], bool]:
    # The best passages were not enough: look at all of them, and fetch text only for those that count.
    best: dict[str, Candidate] = {}
    for row in store.scan_passages(scope, lucene):
        held = best.get(row.ref.id)
        if (held is None or row.score > held.score) and _passes(row, scope, filters):
            best[row.ref.id] = row
    kept = sorted(best.values(), key=lambda row: (-row.score, row.ref.id))
    more = len(kept) > limit
    kept = kept[: max(_FEWEST, limit * 2)]
    texts = store.passage_texts(scope, [(row.ref.id, row.position) for row in kept])
    return [replace(row, text=texts.get((row.ref.id, row.position), "")) for row in kept], more


def _passes(row: Candidate, scope: Scope, filters: Filters) -> bool:
    # The passage's copy of the state let it in; the memory itself decides.
    if not filters.admits_state(row.status, stale=row.stale):
        return False
    if not scope.admits(row.ref.scope.agent_id, row.ref.scope.session_id):
        return False
    return row.times is None or not filters.beyond_index or filters.admits(row.times, row.metadata or {})


def _ranked(candidates: list[Candidate], text: str) -> list[Hit]:
    written = scoring.query_terms(text)
    scores = scoring.rank(list(written), [candidate.text for candidate in candidates])
    best: dict[str, tuple[Candidate, scoring.Score]] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        held = best.get(candidate.ref.id)
        if held is None or (score.value, -candidate.position) > (held[1].value, -held[0].position):
            best[candidate.ref.id] = (candidate, score)
    order = sorted(best.values(), key=lambda pair: (-pair[1].value, pair[0].ref.id))
    return [
        Hit(
            candidate,
            score.value,
            scoring.reason(score, written),
            at + 1,
            tuple(written[term] for term in score.matched),
        )
        for at, (candidate, score) in enumerate(order)
    ]
