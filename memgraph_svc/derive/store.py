"""Typed calls of ``cypher/derive/``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memgraph_svc.derive import extractor
from memgraph_svc.derive.merge import Told
from memgraph_svc.derive.windows import Held, Place
from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.consistent import consistently
from memgraph_svc.model.content import readable

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph, Row
    from memgraph_svc.graph.consistent import Reader
    from memgraph_svc.model.scope import Scope


def pending_passages(graph: Graph, scope_key: str, most: int) -> list[Row]:
    """Passages of a namespace that wait for their vectors."""
    return graph.read(query("derive/pending_passages"), scope_key=scope_key, most=most)


def layout(
    graph: Graph, scope: Scope, base: str, after: str | None, before: str | None
) -> tuple[list[Place], list[Held]]:
    """The episodes that no full and fresh consolidation covers, and the consolidations that live; one state of both."""

    def read(run: Reader) -> tuple[list[Row], list[Held]]:
        episodes = run(
            query("derive/uncovered_episodes"),
            scope_key=scope.key,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            base_key=base,
            after=after,
            before=before,
        )
        return episodes, living(run, scope.key, base)

    episodes, held = consistently(graph, scope.key, read)[0]
    return [Place(row["id"], row["at"], row["grouping"]) for row in episodes], held


def window_texts(graph: Graph, scope_key: str, ids: Sequence[str]) -> list[Told]:
    """What the episodes say, in the order of the ids; one that is gone is left out."""
    rows = graph.read(query("derive/window_texts"), scope_key=scope_key, ids=list(ids))
    found = {row["id"]: _told(row) for row in rows}
    return [found[name] for name in ids if name in found]


def window_states(read: Reader, scope_key: str, ids: Sequence[str]) -> dict[str, list[str]]:
    """Those of the episodes that still stand, each with its claims that are in dispute."""
    rows = read(query("derive/window_states"), scope_key=scope_key, ids=list(ids))
    return {row["id"]: row["disputed"] for row in rows}


def living(read: Reader, scope_key: str, base: str) -> list[Held]:
    """The consolidations that live in one line."""
    rows = read(query("derive/live_consolidations"), scope_key=scope_key, base_key=base)
    return [
        Held(row["id"], row["grouping"], row["from"], row["to"], row["closed"], row["stale"], row["sourcesHash"])
        for row in rows
    ]


def _told(row: dict[str, Any]) -> Told:
    kept = row["memory"]
    return Told(
        id=row["id"],
        content=records.content_of(kept),
        metadata=records.metadata_of(kept),
        date=(records.stamp(kept["occurredAt"]) or "")[:10],
        disputed=tuple((each["id"], each["text"]) for each in row["disputed"]),
    )


def episodes_to_extract(graph: Graph, scope_key: str, ids: Sequence[str]) -> list[tuple[Scope, extractor.Told]]:
    """The episodes as extractors read them, each with its scope, in the order of the ids; one that is gone is left out."""
    rows = graph.read(query("derive/episodes_to_extract"), scope_key=scope_key, ids=list(ids))
    found = {row["id"]: (records.scope_of(row["memory"]), _readable(row)) for row in rows}
    return [found[name] for name in ids if name in found]


def _readable(row: Row) -> extractor.Told:
    kept = row["memory"]
    content, metadata = records.content_of(kept), records.metadata_of(kept)
    at, speaker = records.instant(kept["occurredAt"]), metadata.get("speaker")
    assert at is not None, "the query gives every episode a time"  # noqa: S101
    return extractor.Told(
        id=row["id"],
        text=readable(content),
        content=content,
        content_type=kept["contentType"],
        speaker=speaker if isinstance(speaker, str) and speaker.strip() else None,
        occurred_at=at,
        session=row["session"],
        metadata=metadata,
    )
