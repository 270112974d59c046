"""Find memory by words and, where there is a meaning, by meaning.

In: a scope, a text and filters. Out: hits, best first. Which words are looked for is decided in ``lexical.py``, what passes
in ``filters.py``, the order in ``scoring.py`` and ``fusion.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memgraph_svc.assemble import fusion, lexical, scoring
from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.notices import Warned
from memgraph_svc.assemble.store import Store, TooManyWords
from memgraph_svc.assemble.stored import Candidate
from memgraph_svc.model.memory import Ref
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder

MOST = 1_000
_FEWEST = 100  # passages looked at even for a small limit, so that ours and the index's ranking may differ
_STEPS_PLAIN = (2, 8)
_STEPS_FILTERED = (4, 16)


@dataclass(frozen=True, slots=True)
class Place:
    """What one arm of the search says of a hit."""

    rank: int
    score: float
    terms: tuple[str, ...] | None = None

    def wire(self) -> dict[str, Any]:
        """The place as it is explained."""
        shape: dict[str, Any] = {"rank": self.rank, "score": self.score}
        return shape if self.terms is None else {**shape, "terms": list(self.terms)}


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found, by words, by meaning or by both."""

    candidate: Candidate
    score: float
    reason: str
    words: Place | None = None
    meaning: Place | None = None

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
            arms = {"lexical": self.words, "vector": self.meaning}
            shape["explain"] = {arm: place.wire() for arm, place in arms.items() if place is not None}
        return shape


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a query, whether there are more, and what the caller should know."""

    hits: list[Hit] = field(default_factory=list[Hit])
    more: bool = False
    warnings: list[Warned] = field(default_factory=list[Warned])


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text means to an embedder: its vector, and the cosine below which nothing matches it."""

    vector: Sequence[float]
    floor: float

    @classmethod
    def of(cls, embedder: Embedder | None, text: str) -> Meaning | None:
        """The meaning of a text; None without an embedder, and for a text that says nothing to it."""
        vector = None if embedder is None else embedder.query(text)
        return None if embedder is None or vector is None else cls(vector, embedder.floor)


def search(
    store: Store,
    scope: Scope,
    text: str,
    filters: Filters,
    limit: int,
    meaning: Meaning | None = None,
    *,
    timed: bool = False,
) -> Found:
    """The search itself, on any store: by itself or inside a consistent read; ``timed`` asks for the hits' times."""
    wanted = lexical.wanted(text)
    if wanted is None or filters.impossible:
        return Found()  # nothing but signs and stop words has no meaning either, whatever an embedder says
    near: list[Candidate] = []
    more_near = False
    if meaning is not None:
        near, more_near = _near(store, scope, meaning, filters, limit, timed=timed)
    candidates, more, shortened = _worded(store, scope, wanted, filters, limit, timed=timed)
    hits = _ranked(candidates, near, text, 0.0 if meaning is None else meaning.floor)
    return Found(hits[:limit], more or more_near or len(hits) > limit, [Warned.shortened()] if shortened else [])


def _worded(
    store: Store, scope: Scope, wanted: lexical.Wanted, filters: Filters, limit: int, *, timed: bool
) -> tuple[list[Candidate], bool, bool]:
    while True:
        try:
            return *_gather(store, scope, wanted, filters, limit, timed=timed), wanted.shortened
        except TooManyWords:
            if len(wanted.clauses) == 1:
                return [], False, True
            wanted = wanted.halved()


def _near(
    store: Store, scope: Scope, meaning: Meaning, filters: Filters, limit: int, *, timed: bool
) -> tuple[list[Candidate], bool]:
    # One row tells a memory's cosine: that of its nearest passage, which comes first.
    best: dict[str, Candidate] = {}
    cut = False
    for factor in _STEPS_FILTERED if filters.beyond_index else _STEPS_PLAIN:
        fetch = max(_FEWEST, limit * factor)
        rows = store.search_vectors(
            scope,
            meaning.vector,
            meaning.floor,
            fetch,
            states=filters.state_terms(),
            kinds=filters.kind_terms(),
            filtered=filters.beyond_index or timed,
        )
        best = {}
        for row in rows:
            if _passes(row, scope, filters):
                best.setdefault(row.ref.id, row)
        cut = len(rows) >= fetch
        if not cut or len(best) > limit:
            break
    return list(best.values()), cut


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


def _ranked(candidates: list[Candidate], near: list[Candidate], text: str, floor: float) -> list[Hit]:
    written = scoring.query_terms(text)
    worded = _best(candidates, scoring.rank(list(written), [candidate.text for candidate in candidates]))
    close = {candidate.ref.id: candidate for candidate in near}
    order = fusion.fuse(
        {name: score.value for name, (_, score) in worded.items()},
        {name: candidate.score for name, candidate in close.items()},
        floor,
    )
    made: list[Hit] = []
    for each in order:
        candidate, score = worded.get(each.id) or (close[each.id], None)
        terms = None if score is None else tuple(written[term] for term in score.matched)
        made.append(
            Hit(
                candidate,
                each.score,
                scoring.reason(score, written, near=each.near_rank is not None),
                None if score is None or each.word_rank is None else Place(each.word_rank, score.value, terms),
                None if each.near_rank is None else Place(each.near_rank, round(close[each.id].score, 6)),
            )
        )
    return made


def _best(candidates: list[Candidate], scores: Iterable[scoring.Score]) -> dict[str, tuple[Candidate, scoring.Score]]:
    best: dict[str, tuple[Candidate, scoring.Score]] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        held = best.get(candidate.ref.id)
        if held is None or (score.value, -candidate.position) > (held[1].value, -held[0].position):
            best[candidate.ref.id] = (candidate, score)
    return best
