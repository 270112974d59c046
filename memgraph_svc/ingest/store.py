"""Typed calls of ``cypher/ingest/``."""

from __future__ import annotations

from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph, Row


def notes_of_episode(graph: Graph, scope_key: str, episode_id: str) -> list[Row]:
    """The notes that rest on an episode, first made first."""
    rows = graph.read(query("ingest/notes_of_episode"), scope_key=scope_key, id=episode_id)
    return [row["memory"] for row in rows]
