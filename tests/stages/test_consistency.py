"""A strong read sees what was acknowledged before it, or says why not; it never lags in silence."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from memgraph_svc.assemble.awaiting import STRONG, Freshness, Wanted
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.assemble.store import Store
from memgraph_svc.derive.vectors import attach_all
from memgraph_svc.embed.local import LocalEmbedder
from memgraph_svc.errors.availability import ConsistencyTimeout, IndexTimeout
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import told
from tests.support.cypher import rows

MODEL = LocalEmbedder()
EVENTUAL, DOWNGRADED = Wanted(eventual=True), Wanted(allow_downgrade=True)


class Failing:
    """An embedder that fails on every text with that word."""

    name, dimension, floor = MODEL.name, MODEL.dimension, MODEL.floor

    def __init__(self, word: str) -> None:
        self.word = word

    def documents(self, texts: Sequence[str]) -> list[Any]:
        if any(self.word in each for each in texts):
            raise RuntimeError(self.word)
        return MODEL.documents(texts)

    def query(self, text: str) -> Any:
        return MODEL.query(text)


def fresh(patience_s: float = 1) -> Freshness:
    return Freshness(embeds=True, patience_s=patience_s)


@pytest.fixture
def write(graph: Graph, lanes: Lanes) -> Callable[..., IngestService]:
    """An ingest service with an embedder, which waits a while for the index."""

    def make(embedder: Any = MODEL, waiting: Freshness | None = None) -> IngestService:
        wait = waiting or fresh()
        indexed: Callable[[Scope], bool] = lambda scope: wait.caught_up(Store(graph), scope)  # noqa: E731
        return IngestService(graph, lanes, Secrets(graph), Vectors(embedder), indexed)

    return make


def put(service: IngestService, scope: Scope, *texts: str, indexed: bool = False) -> list[str]:
    drafts = [EpisodeDraft("text/plain", each, told.ME) for each in texts]
    return [each["ref"]["id"] for each in service.ingest(scope, drafts, indexed=indexed)]


def ask(
    graph: Graph, scope: Scope, wanted: Wanted, text: str = "movie", patience_s: float = 1
) -> tuple[set[str], list[str]]:
    """What is found, and what is said about it."""
    found = QueryService(graph, MODEL, fresh(patience_s)).search(scope, text, wanted=wanted)
    return {hit.ref.id for hit in found.hits}, [each.code for each in found.warnings]


def attach(graph: Graph, lanes: Lanes, scope: Scope, embedder: Any = MODEL) -> dict[str, Any]:
    """Do what the job does."""
    return attach_all(graph, lanes, embedder, scope, lambda _: None)


def jobs(graph: Graph, scope: Scope) -> list[str]:
    return [row["k"] for row in rows(graph, "MATCH (j:Job {scopeKey: $k}) RETURN j.kind AS k", k=scope.key)]


def test_indexed_writes_are_found_by_meaning_at_once(graph: Graph, write: Any, scope: Scope) -> None:
    (name,) = put(write(), scope, "We watched a film", indexed=True)
    assert ask(graph, scope, STRONG) == ({name}, [])
    assert jobs(graph, scope) == []


def test_a_strong_read_waits_for_what_was_accepted(graph: Graph, lanes: Lanes, write: Any, scope: Scope) -> None:
    (name,) = put(write(), scope, "We watched a film")
    assert jobs(graph, scope) == ["embed"]
    later = threading.Timer(0.3, attach, (graph, lanes, scope))
    later.start()
    assert ask(graph, scope, STRONG, patience_s=30) == ({name}, [])
    later.join()


def test_without_a_worker_a_strong_read_fails_and_can_be_tried_again(graph: Graph, write: Any, scope: Scope) -> None:
    put(write(), scope, "We watched a film")
    with pytest.raises(ConsistencyTimeout) as refused:
        ask(graph, scope, STRONG)
    assert (refused.value.code, refused.value.retryable) == ("consistency_timeout", True)


def test_a_downgrade_answers_from_the_words_and_says_so(graph: Graph, write: Any, scope: Scope) -> None:
    film, movie = put(write(), scope, "We watched a film", "The movie was long")
    found, said = ask(graph, scope, DOWNGRADED)
    assert (movie in found, film in found, said) == (True, False, ["eventual_consistency"])


def test_a_downgrade_that_was_not_needed_is_not_mentioned(graph: Graph, lanes: Lanes, write: Any, scope: Scope) -> None:
    (name,) = put(write(), scope, "We watched a film")
    attach(graph, lanes, scope)
    assert ask(graph, scope, DOWNGRADED) == ({name}, [])


def test_an_eventual_read_does_not_wait_and_says_that_it_lags_only_when_it_does(
    graph: Graph, lanes: Lanes, write: Any, scope: Scope
) -> None:
    (name,) = put(write(), scope, "We watched a film")
    # With so much patience a read that waited would not come back within the time limit of the test run.
    assert ask(graph, scope, EVENTUAL, patience_s=3_600) == (set(), ["eventual_consistency"])
    attach(graph, lanes, scope)
    assert ask(graph, scope, EVENTUAL, patience_s=3_600) == ({name}, [])


def test_a_strong_read_does_not_wait_for_what_is_written_after_it_began(
    graph: Graph, lanes: Lanes, write: Any, scope: Scope
) -> None:
    put(write(), scope, "We watched a film")
    head = Store(graph).index_lag(scope).head
    attach(graph, lanes, scope)
    put(write(), scope, "The movie was long")
    assert fresh(0).caught_up(Store(graph), scope, head)
    assert not fresh(0).caught_up(Store(graph), scope)


def test_without_an_embedder_nothing_lags(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    (name,) = put(ingest, scope, "The movie was long")
    assert jobs(graph, scope) == []
    found = QueryService(graph).search(scope, "movie", wanted=STRONG)
    assert ([hit.ref.id for hit in found.hits], list(found.warnings)) == ([name], [])


def test_a_failing_embedder_keeps_nothing_from_being_accepted(graph: Graph, write: Any, scope: Scope) -> None:
    (name,) = put(write(Failing("movie")), scope, "The movie was long")
    assert jobs(graph, scope) == ["embed"]
    assert ask(graph, scope, EVENTUAL)[0] == {name}
    assert told.events(graph, scope, "memory.indexed") == []


def test_indexed_is_not_acknowledged_while_the_embedder_fails_though_all_is_stored(
    graph: Graph, lanes: Lanes, write: Any, scope: Scope
) -> None:
    service = write(Failing("movie"), fresh(0.3))
    with pytest.raises(IndexTimeout) as refused:
        put(service, scope, "The movie was long", indexed=True)
    assert (refused.value.code, refused.value.retryable) == ("index_timeout", True)
    with pytest.raises(IndexTimeout):
        service.remember(scope, NoteDraft(body="My movie list", created_by=told.ME))
    assert len(ask(graph, scope, EVENTUAL)[0]) == 3
    attach(graph, lanes, scope)
    assert len(ask(graph, scope, STRONG)[0]) == 3


def test_indexed_is_acknowledged_once_a_worker_has_made_up_for_the_failure(
    graph: Graph, lanes: Lanes, write: Any, scope: Scope
) -> None:
    done = threading.Event()

    def work() -> None:
        while not done.wait(0.1):
            attach(graph, lanes, scope)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        (name,) = put(write(Failing("movie"), fresh(30)), scope, "The movie was long", indexed=True)
    finally:
        done.set()
        worker.join()
    assert [each[1] for each in told.events(graph, scope, "memory.indexed")] == [name]


def test_what_the_model_never_manages_is_found_by_its_words_and_told_of(
    graph: Graph, lanes: Lanes, write: Any, scope: Scope
) -> None:
    film, movie = put(write(), scope, "We watched a film", "The movie was long")
    assert attach(graph, lanes, scope, Failing("movie")) == {"passages": 2, "failed": 1}
    assert ask(graph, scope, STRONG) == ({film, movie}, ["partial_index"])
    assert attach(graph, lanes, scope) == {"passages": 0, "failed": 0}
