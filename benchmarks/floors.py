"""What the database itself takes for the same work: raw Cypher over Bolt, nothing of the service in between.

In: prepared episodes. Out: calls to be timed. Everything that can be made ready before the clock starts is. Runs on the
same server as the service, under the same constraints and indexes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, LiteralString

import neo4j

from benchmarks import corpus
from benchmarks.stack import Stack
from memgraph_svc import clock
from memgraph_svc.graph.catalogue import Query, query
from memgraph_svc.graph.client import Graph, Row
from memgraph_svc.ingest.episode import EpisodeDraft, PreparedEpisode, prepare
from memgraph_svc.ingest.proposals import IngestProposal
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import Actor, Kind
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.view import View

Call = Callable[[], object]
Statement = tuple[LiteralString, dict[str, Any]]
_SECRET = b"benchmarks"
_MIRRORS = ("text", "kind", "visibility", "agentToken", "sessionToken")

# The least that is stored and found: the text, its key, and its words in the index.
_LEAST: LiteralString = """
UNWIND $rows AS row
CREATE (m:Memory:Episode)
SET m = row.memory
CREATE (m)-[:HAS_PASSAGE]->(p:Passage)
SET p = row.passage
"""
# All that the service leaves in the graph for an episode, in one statement. Times travel as text: the driver takes ten
# times longer to pack a datetime than the server takes to read one.
_SAME: LiteralString = """
UNWIND $rows AS row
CREATE (m:Memory:Episode)
SET m = row.memory, m.createdAt = datetime(row.memory.createdAt), m.occurredAt = datetime(row.memory.occurredAt)
CREATE (m)-[:CHANGED]->(c:Change)
SET c = row.change, c.at = datetime(row.change.at)
CREATE (m)-[:HAS_PASSAGE]->(p:Passage)
SET p = row.passage
CREATE (first:Event)
SET first = row.first, first.occurredAt = datetime(row.first.occurredAt)
CREATE (second:Event)
SET second = row.second, second.occurredAt = datetime(row.second.occurredAt)
"""


def scope_of(shape: dict[str, str]) -> Scope:
    """The scope that was sent as ``shape``."""
    return Scope(shape["tenantId"], shape["namespaceId"])


def draft(number: int, key: str) -> EpisodeDraft:
    """An episode of the corpus as the API hands it on."""
    raw = corpus.episode(number, key)
    actor = Actor(raw["createdBy"]["id"], raw["createdBy"]["kind"])
    return EpisodeDraft(raw["contentType"], raw["content"], actor, raw["dedupeKey"], raw["metadata"])


def prepared(scope: Scope, numbers: range, key: str) -> list[PreparedEpisode]:
    """Episodes ready to be stored."""
    return [prepare(scope, draft(number, key), _SECRET) for number in numbers]


def _nothing(*_: object, **__: object) -> list[Row]:
    """What a plain ingest asks of the graph while it decides."""
    return []


def _decided(scope: Scope, episodes: list[PreparedEpisode]) -> View:
    view = View(0, clock.now, None, _nothing)
    IngestProposal(scope, episodes).decide(view)
    return view


def least_rows(scope: Scope, numbers: range, key: str) -> list[Row]:
    """Rows for the least."""
    rows: list[Row] = []
    for each in prepared(scope, numbers, key):
        kept = {name: each.memory[name] for name in ("id", "content", "status", "dedupeHash")}
        mirrors = {name: each.passages[0][name] for name in _MIRRORS}
        rows.append(
            {
                "memory": {**kept, "scopeKey": scope.key},
                "passage": {**mirrors, "scopeKey": scope.key},
            }
        )
    return rows


def same_rows(scope: Scope, numbers: range, key: str) -> list[Row]:
    """Rows for all that the service stores, as its own code makes them; events are numbered by the episodes."""
    changes = _decided(scope, prepared(scope, numbers, key)).changes
    own = {"scopeKey": scope.key}
    events = [{**each, **own, "eventSeq": numbers.start * 2 + at} for at, each in enumerate(changes.events)]
    return [
        {
            "memory": _texted(row["memory"] | own),
            "change": _texted(row["change"] | own),
            "passage": row["passages"][0]["props"] | own,
            "first": _texted(events[2 * at]),
            "second": _texted(events[2 * at + 1]),
        }
        for at, row in enumerate(changes.memories[Kind.EPISODE])
    ]


def _texted(row: Row) -> Row:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


class Raw:
    """Statements over Bolt, as directly as the driver allows."""

    def __init__(self, stack: Stack) -> None:
        self._driver = stack.driver
        self._database = stack.settings.neo4j_database

    def store_least(self, rows: list[Row]) -> None:
        """One transaction with one statement."""
        self._store(_LEAST, rows)

    def store_same(self, rows: list[Row]) -> None:
        """One transaction with one statement."""
        self._store(_SAME, rows)

    def _store(self, text: LiteralString, rows: list[Row]) -> None:
        with self._driver.session(database=self._database) as session:
            session.run(text, rows=rows).consume()

    def replay(self, statements: list[Statement]) -> None:
        """Reads one after the other, all rows taken and not touched."""
        with self._driver.session(
            database=self._database, default_access_mode=neo4j.READ_ACCESS, fetch_size=-1
        ) as session:
            for text, params in statements:
                list(session.run(text, params))

    def store_one(self, scope: Scope, view: View, hashes: list[str]) -> None:
        """The statements of the service's own one-episode ingest, in one transaction."""
        names = {"scope_key": scope.key, "tenant_id": scope.tenant_id, "namespace_id": scope.namespace_id}
        asked = {"lane": "floor", "dedupe_hashes": hashes}
        asked |= {name: list[str]() for name in ("slug_keys", "session_ids", "claim_keys", "memory_ids")}
        with self._driver.session(database=self._database) as session, session.begin_transaction() as tx:
            tx.run(query("write/take_lock").text, {**names, "lane": "floor"}).consume()
            seq, head = list(next(iter(tx.run(query("write/read_head").text, {**names, **asked}))))[:2]
            rows = view.changes.memories[Kind.EPISODE]
            list(tx.run(query("write/put_episodes").text, scope_key=scope.key, rows=rows))
            list(tx.run(query("write/put_events").text, _ending(scope, view, seq, head)))
            tx.commit()


def _ending(scope: Scope, view: View, seq: int, head: Row) -> Row:
    first = head["eventSeq"]
    events = [{**event, "eventSeq": first + 1 + at} for at, event in enumerate(view.changes.events)]
    after = {"eventSeq": first + len(events), "clock": clock.now()}
    commit = {"commitId": clock.new_id("cm"), "seq": seq, "result": dumps([[0]])}
    return {"scope_key": scope.key, "head": after, "events": events, "lane": "floor", "commit": commit}


def one_episode(scope: Scope, number: int, key: str) -> tuple[View, list[str]]:
    """One episode decided, with the keys that its transaction asks for."""
    (episode,) = prepared(scope, range(number, number + 1), key)
    return _decided(scope, [episode]), [episode.dedupe_hash or ""]


class Recording(Graph):
    """A graph that keeps every read it runs, so that the same can be run again without the service."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(stack.settings)
        self.statements: list[Statement] = []

    def read(self, query: Query, /, **params: Any) -> list[Row]:
        """Run and keep one read."""
        self.statements.append((query.text, params))
        return super().read(query, **params)

    def chain(self, work: Callable[[Callable[..., list[Row]]], Any]) -> Any:
        """Run and keep several reads."""

        def kept(run: Callable[..., list[Row]]) -> Any:
            def each(query: Query, /, **params: Any) -> list[Row]:
                self.statements.append((query.text, params))
                return run(query, **params)

            return work(each)

        return super().chain(kept)

    def during(self, work: Call) -> list[Statement]:
        """The reads that one operation runs."""
        self.statements = []
        work()
        return self.statements
