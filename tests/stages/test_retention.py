"""Old events go when they are told to, and whoever stood before them hears of it."""

import pytest

from memgraph_svc.errors.request import InvalidCursor
from memgraph_svc.feed.service import FeedService
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.retention import drop_expired
from tests.support.cypher import rows


def put(ingest: IngestService, scope: Scope, count: int) -> None:
    ingest.ingest(scope, [EpisodeDraft("text/plain", f"text {at}", Actor("u", "user")) for at in range(count)])


def age(graph: Graph, scope: Scope, up_to: int, days: int) -> None:
    text = (
        "MATCH (e:Event {scopeKey: $k}) WHERE e.eventSeq <= $n SET e.occurredAt = e.occurredAt - duration({days: $d})"
    )
    rows(graph, text + " RETURN count(e) AS n", k=scope.key, n=up_to, d=days)


def test_old_events_go_and_a_cursor_before_them_is_refused(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    feed = FeedService(graph, Secrets(graph))
    put(ingest, scope, 3)
    before = feed.read(scope).events
    early, last = before[0]["cursor"], before[-1]["cursor"]
    put(ingest, scope, 2)
    age(graph, scope, up_to=6, days=40)
    assert drop_expired(graph, 30, scope.key) == 6
    assert drop_expired(graph, 30, scope.key) == 0
    assert [each["type"] for each in feed.read(scope).events] == ["episode.ingested", "memory.indexed"] * 2
    assert len(feed.read(scope, last).events) == 4  # it stood at the edge: nothing was lost to it
    with pytest.raises(InvalidCursor) as refused:
        feed.read(scope, early)
    assert refused.value.details == {"reason": "expired"}


def test_the_newest_event_stays_so_that_a_namespace_never_begins_anew(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    put(ingest, scope, 2)
    age(graph, scope, up_to=4, days=400)
    assert drop_expired(graph, 30, scope.key) == 3
    assert drop_expired(graph, 30, scope.key) == 0
    put(ingest, scope, 1)
    numbers = rows(graph, "MATCH (e:Event {scopeKey: $k}) RETURN e.eventSeq AS n ORDER BY n", k=scope.key)
    assert [row["n"] for row in numbers] == [4, 5, 6]
