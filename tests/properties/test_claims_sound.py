"""Whatever is told, in whatever order: succession has no circles, and a dispute has two sides that are both asserted."""

import secrets
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.scope import Scope
from tests.support import told
from tests.support.cypher import rows

WORDS = st.sampled_from(["supersedes", "supersededBy", "contradicts"])
TIMES = st.none() | st.integers(2000, 2008).map(lambda year: f"{year}-01-01")
# The value, its time, its end, what it says of the memories told before (counted from the latest).
TOLD = st.tuples(
    st.none() | st.sampled_from(["Oslo", "Rome", "Bonn", "Lyon"]),
    TIMES,
    st.sampled_from([None, None, "2005-06-01", "2030-01-01"]),
    st.dictionaries(WORDS, st.lists(st.integers(0, 5), min_size=1, max_size=2), max_size=2),
)


def known(graph: Graph, scope: Scope) -> list[str]:
    """Every memory, the latest first."""
    text = "MATCH (m:Memory {scopeKey: $k}) RETURN m.id AS id ORDER BY m.createdAt DESC"
    return [row["id"] for row in rows(graph, text, k=scope.key)]


@settings(max_examples=25)
@given(st.lists(st.lists(TOLD, min_size=1, max_size=3), min_size=1, max_size=5))
def test_lines_stay_lines_and_disputes_have_two_sides(
    graph: Graph, ingest: IngestService, history: list[list[Any]]
) -> None:
    scope = Scope("t-" + secrets.token_hex(8), "n")
    for batch in history:
        before = known(graph, scope)
        episodes = []
        for value, at, end, said in batch:
            named: dict[str, Any] = {
                word: [before[n] for n in places if n < len(before)] for word, places in said.items()
            }
            facts = [] if value is None else [told.fact(value, at, validTo=end)]
            episodes.append(told.episode(*facts, text="x", **named))
        told.tell(ingest, scope, *episodes)
        assert told.circles(graph, scope) == set()
        assert lonely(graph, scope) == []
        assert stray(graph, scope) == []


def lonely(graph: Graph, scope: Scope) -> list[Any]:
    """Disputed claims against which nobody stands any more."""
    text = """
        MATCH (m:Memory {scopeKey: $k, status: 'disputed'})
        WHERE NOT EXISTS {
          MATCH (m)-[:CONTRADICTS {status: 'active'}]-(o)
          WHERE o.status IN ['active', 'disputed'] AND o.standing IS NULL
        }
        RETURN m.id AS id
    """
    return rows(graph, text, k=scope.key)


def stray(graph: Graph, scope: Scope) -> list[Any]:
    """Superseded memories that nothing replaces, and current ones that something does."""
    text = """
        MATCH (m:Memory {scopeKey: $k})
        WITH m, coalesce(m.standing, m.status) = 'superseded' AS gone,
          EXISTS { (m)<-[:SUPERSEDES {status: 'active'}]-() } AS replaced
        WHERE m:Atom AND gone <> replaced OR m:Episode AND replaced AND NOT gone
        RETURN m.id AS id, m.content AS content, gone, replaced
    """
    return rows(graph, text, k=scope.key)
