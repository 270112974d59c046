"""Facts told by episodes, and what became of them in the graph."""

from __future__ import annotations

import json
from typing import Any

from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope
from tests.support.cypher import rows

ME = Actor("u1", "user")


def fact(value: Any, at: str | None = None, subject: str = "Ada", relation: str = "lives in", **more: Any) -> Any:
    """A single-valued fact."""
    dated = {} if at is None else {"asOf": at}
    return {"subject": subject, "relation": relation, "value": value, "cardinality": "one", **dated, **more}


def episode(*facts: Any, text: str | None = None, key: str | None = None, **metadata: Any) -> EpisodeDraft:
    """An episode that states facts."""
    content: dict[str, Any] = {"facts": list(facts)} if facts else {}
    if text is not None:
        content["text"] = text
    return EpisodeDraft("application/json", content, ME, key, metadata)


def tell(ingest: IngestService, scope: Scope, *episodes: EpisodeDraft) -> list[str]:
    """The ids of the episodes, told in one batch."""
    results = ingest.ingest(scope, list(episodes))
    assert {each["status"] for each in results} == {"created"}, results
    return [each["ref"]["id"] for each in results]


def claims(graph: Graph, scope: Scope) -> dict[Any, dict[str, Any]]:
    """The stored claims by their value."""
    found = rows(
        graph,
        "MATCH (a:Atom {scopeKey: $k}) WHERE a.claimKey IS NOT NULL "
        "RETURN a {.*, validFrom: toString(a.validFrom), validTo: toString(a.validTo), "
        "  sources: [(a)-[:DERIVED_FROM]->(e) | e.id], labels: labels(a)} AS a ORDER BY a.createdAt",
        k=scope.key,
    )
    made = [row["a"] for row in found]
    values = [json.loads(each["valueJson"]) for each in made]
    assert len(set(map(str, values))) == len(values), f"a value stands twice: {values}"
    return dict(zip(values, made, strict=True))


def atom(graph: Graph, scope: Scope, value: Any) -> str:
    """The id of the claim with that value."""
    return claims(graph, scope)[value]["id"]


def states(graph: Graph, scope: Scope) -> dict[Any, str]:
    """The status of every claim by its value."""
    return {value: each["status"] for value, each in claims(graph, scope).items()}


def status(graph: Graph, name: str) -> str | None:
    """How a memory stands: for an episode, in retrieval."""
    text = "MATCH (m:Memory {id: $id}) RETURN coalesce(m.standing, m.status) AS s"
    return rows(graph, text, id=name)[0]["s"]


def links(graph: Graph, scope: Scope, kind: str) -> list[tuple[str, str]]:
    """The living links of one type, from and to."""
    text = f"MATCH (a:Memory {{scopeKey: $k}})-[r:{kind} {{status: 'active'}}]->(b) RETURN a.id AS a, b.id AS b"
    return sorted((row["a"], row["b"]) for row in rows(graph, text, k=scope.key))


def events(graph: Graph, scope: Scope, *kinds: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Type, memory and metadata of the events in order; of some types, or of all."""
    text = "MATCH (e:Event {scopeKey: $k}) RETURN e.type AS t, e.refId AS id, e.metadataJson AS m ORDER BY e.eventSeq"
    found = [(row["t"], row["id"], json.loads(row["m"] or "{}")) for row in rows(graph, text, k=scope.key)]
    return [each for each in found if not kinds or each[0] in kinds]


def circles(graph: Graph, scope: Scope) -> set[str]:
    """The memories that replace themselves over others, or hang on one that does."""
    left = links(graph, scope, "SUPERSEDES")
    # What nothing replaces is on no circle; without it, what it replaces may be on none either.
    while free := {newer for newer, _ in left} - {older for _, older in left}:
        left = [pair for pair in left if pair[0] not in free]
    return {name for pair in left for name in pair}
