"""The schema is applied once, and a process that died over it holds nobody up for long."""

import time

from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.migrate import migrate
from tests.support.cypher import rows


def test_a_start_with_nothing_to_do_waits_for_nobody(graph: Graph) -> None:
    assert graph.execute(query("graph/schema_lock"), owner="a process that was killed", lease_s=3_600)
    try:
        assert migrate(graph, wait_s=5) == []
    finally:
        graph.execute(query("graph/schema_unlock"), owner="a process that was killed")


def test_a_lock_is_one_owner_s_until_its_lease_ends(graph: Graph) -> None:
    ask = query("graph/schema_lock")
    rows(graph, "MATCH (l:SchemaLock) REMOVE l.owner, l.until")
    assert graph.execute(ask, owner="a", lease_s=2)
    assert not graph.execute(ask, owner="b", lease_s=2)
    assert graph.execute(ask, owner="a", lease_s=1)
    time.sleep(1.2)
    assert graph.execute(ask, owner="b", lease_s=2)
    graph.execute(query("graph/schema_unlock"), owner="a")
    assert not graph.execute(ask, owner="a", lease_s=2)
    graph.execute(query("graph/schema_unlock"), owner="b")
