"""Typed calls of ``cypher/lifecycle/``, made inside an open transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.write.changes import LINK_TYPES

if TYPE_CHECKING:
    from memgraph_svc.graph.consistent import Reader


def succession(read: Reader, scope_key: str, start: str, ids: Sequence[str]) -> set[str]:
    """Which of ``ids`` the memory ``start`` already replaces, directly or over others."""
    rows = read(query("lifecycle/succession"), scope_key=scope_key, start=start, ids=list(ids))
    return {row["id"] for row in rows}


def provenance(read: Reader, scope_key: str, start: str, ids: Sequence[str]) -> set[str]:
    """Which of ``ids`` the memory ``start`` already rests on, directly or over others."""
    rows = read(query("lifecycle/provenance"), scope_key=scope_key, start=start, ids=list(ids))
    return {row["id"] for row in rows}


def link_between(read: Reader, scope_key: str, link_type: str, from_id: str, to_id: str) -> dict[str, Any] | None:
    """A living link of that type between the two, as it is stored, or None."""
    core = link_type in LINK_TYPES
    rows = read(
        query("lifecycle/link_between"),
        scope_key=scope_key,
        kind=link_type.upper() if core else "LINKED",
        link_type=None if core else link_type,
        from_id=from_id,
        to_id=to_id,
    )
    if not rows:
        return None
    row = rows[0]["link"]
    return {**row, "createdAt": records.stamp(row["createdAt"]), "metadata": records.metadata_of(row)}


def stamp(moment: Any) -> str | None:
    """A time as it is sent."""
    return records.stamp(moment)
