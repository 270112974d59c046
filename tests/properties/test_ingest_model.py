"""Any history of batches gives what a dictionary would: a key keeps its first content, and a replay changes nothing."""

import secrets
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from tests.support.cypher import rows

KEYS = st.none() | st.sampled_from(["a", "b", "c"])
CONTENTS = st.sampled_from(["x", "y", {"n": 1, "m": [None]}, {"m": [None], "n": 1.0}, {"n": 2}])
EPISODES = st.tuples(KEYS, CONTENTS, st.sampled_from([None, "s1", "s2"]))
HISTORIES = st.lists(st.lists(EPISODES, min_size=1, max_size=4), min_size=1, max_size=5)


def draft(key: str | None, content: Any, session: str | None) -> EpisodeDraft:
    metadata = {} if session is None else {"session": session}
    return EpisodeDraft("text/plain", content, Actor("u", "user"), key, metadata)


def expected(model: dict[str, tuple[str, Any]], key: str | None, content: Any) -> str:
    if key is None or key not in model:
        return "created"
    return "deduplicated" if model[key][1] == content else "rejected"


@settings(max_examples=30)
@given(HISTORIES)
def test_keys_behave_like_a_dictionary(graph: Graph, ingest: IngestService, history: list[list[Any]]) -> None:
    scope = Scope("t-" + secrets.token_hex(8), "n")
    model: dict[str, tuple[str, Any]] = {}
    created: list[str] = []
    for batch in [*history, history[0]]:  # the first batch comes again, as from a client that got no answer
        results = ingest.ingest(scope, [draft(*each) for each in batch])
        for (key, content, _), result in zip(batch, results, strict=True):
            assert result["status"] == expected(model, key, content)
            if result["status"] == "created":
                created.append(result["ref"]["id"])
                if key is not None:
                    model[key] = (result["ref"]["id"], content)
            elif key is not None:
                assert result["ref"]["id"] == model[key][0]
    check_graph(graph, scope, created)


def check_graph(graph: Graph, scope: Scope, created: list[str]) -> None:
    stored = rows(graph, "MATCH (e:Episode {scopeKey: $k}) RETURN e.id AS id ORDER BY e.createdAt", k=scope.key)
    assert [row["id"] for row in stored] == created
    events = rows(
        graph,
        "MATCH (e:Event {scopeKey: $k}) RETURN e.eventSeq AS n, e.refId AS id, e.type AS t ORDER BY n",
        k=scope.key,
    )
    assert [row["n"] for row in events] == list(range(1, len(events) + 1))
    assert [row["id"] for row in events if row["t"] == "episode.ingested"] == created
    sessions = rows(
        graph,
        "MATCH (s:Session {scopeKey: $k}) RETURN count { (s)<-[:IN_SESSION]-() } AS n,"
        " count { (s)<-[:IN_SESSION]-()-[:NEXT]->() } AS steps, s.lastEpisodeId AS last",
        k=scope.key,
    )
    assert all(row["steps"] == row["n"] - 1 and row["last"] in created for row in sessions)
