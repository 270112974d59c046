"""Typed calls of ``cypher/assemble/index_*``."""

from __future__ import annotations

from datetime import UTC, datetime

from memgraph_svc.assemble.note import Note
from memgraph_svc.config import load
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph, Row
from memgraph_svc.graph.consistent import Reader, consistently
from memgraph_svc.model.scope import Scope


def index_notes(graph: Graph, scope: Scope, body_chars: int, most: int) -> list[Note]:
    """The live notes of a scope as they all stood at one moment; pinned ones come with their bodies."""

    def read(run: Reader) -> list[Row]:
        return run(
            query("assemble/index_notes"),
            scope_key=scope.key,
            tenant_id=scope.tenant_id,
            namespace_id=scope.namespace_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            body_chars=body_chars,
            most=most,
        )

    rows, _ = consistently(graph, scope.key, read)
    return [_note(row) for row in rows]


def connect() -> Graph:
    """The database of the environment, for callers outside the service.

    Raises ``ConfigError`` when none is named.
    """
    settings = load()
    if not settings.neo4j_uri:
        raise ConfigError("Set NEO4J_URI (and NEO4J_USERNAME, NEO4J_PASSWORD) to the database to read the index from.")
    return Graph(settings)


def _note(row: Row) -> Note:
    return Note(
        id=row["id"],
        slug=row["slug"],
        title=row["title"],
        topics=(row["topic"],) if row["topic"] else (),
        pinned=row["body"] is not None,
        body=row["body"] or "",
        confidence=row["confidence"],
        provenance=_provenance(row["author"] or "", row["maker"]),
        # A version never changes its text, so its date is the date it was made; updatedAt moves with its state.
        updated_at=None if row["madeAt"] is None else datetime.fromtimestamp(row["madeAt"], UTC),
        status=row["status"],
        stale=row["stale"],
    )


def _provenance(author: str, maker: str | None) -> str:
    """Whose word it is, such as ``user:mara``, and what made it of that word when something else did."""
    return f"{author} via {maker}" if maker and not author.endswith(f":{maker}") else author
