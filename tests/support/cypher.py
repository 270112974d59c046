"""Look into the graph from a test, with Cypher of the test's own."""

from typing import Any

from memgraph_svc.graph.catalogue import Query
from memgraph_svc.graph.client import Graph


def rows(graph: Graph, text: str, **params: Any) -> list[dict[str, Any]]:
    """The rows of a statement."""
    made = Query("test", text, "", "write", "many", {}, {})  # type: ignore[arg-type]
    return graph.execute(made, **params)
