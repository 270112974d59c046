"""What one commit changes, as rows for the statements of ``cypher/write/``.

In: decisions of the stages. Out: rows. Nothing here reads or decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memgraph_svc.graph.client import lean
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import Kind, Ref, Status, state_labels, visibility

Row = dict[str, Any]

LINK_TYPES = (
    "derived_from",
    "supports",
    "contradicts",
    "supersedes",
    "mentions",
    "same_as",
    "corrects",
    "invalidates",
)


@dataclass(slots=True)
class ChangeSet:
    """Everything one transaction writes, in the order in which it is applied."""

    states: list[Row] = field(default_factory=list[Row])
    late_states: list[Row] = field(default_factory=list[Row])
    memories: dict[Kind, list[Row]] = field(default_factory=dict[Kind, list[Row]])
    topics: list[Row] = field(default_factory=list[Row])
    links: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])
    sessions: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    events: list[Row] = field(default_factory=list[Row])
    note_delta: int = 0
    notes_changed: bool = False

    def add_memory(self, kind: Kind, memory: Row, passages: list[Row], at: datetime, seq: int) -> None:
        """A new memory: its own row, its passages, and the first entry of its history."""
        change = {
            "seq": seq,
            "at": at,
            "status": memory["status"],
            "stale": bool(memory.get("stale")),
            "validTo": memory.get("validTo"),
            "pinned": memory.get("pinned"),
        }
        self.memories.setdefault(kind, []).append(
            {
                "memory": lean({**memory, "seq": seq, "createdAt": memory.get("createdAt") or at}),
                "labels": state_labels(Status(memory["status"]), stale=bool(memory.get("stale"))),
                "passages": passages,
                "change": lean(change),
            }
        )
        if memory.get("noteScope"):
            self.note_delta += 1
            self.notes_changed = True

    def supersede(self, memory_id: str, at: datetime, seq: int, valid_to: datetime | None, *, pinned: bool) -> None:
        """A live note that another replaces: it leaves its slug and the index, and keeps its text."""
        change = {"seq": seq, "at": at, "status": Status.SUPERSEDED.value, "stale": False, "pinned": pinned}
        # One made by this very commit gives up its slug before it is written, and its state changes after.
        made_here = self._pending(memory_id)
        for name in ("liveSlugKey", "noteScope") if made_here else ():
            made_here.pop(name, None)
        (self.late_states if made_here else self.states).append(
            {
                "id": memory_id,
                "set": lean({"status": Status.SUPERSEDED.value, "updatedAt": at, "validTo": valid_to}),
                "labels": state_labels(Status.SUPERSEDED),
                "visibility": visibility(Status.SUPERSEDED),
                "change": lean({**change, "validTo": valid_to}),
                "live": False,
            }
        )
        self.note_delta -= 1
        self.notes_changed = True

    def _pending(self, memory_id: str) -> Row:
        rows = (row["memory"] for some in self.memories.values() for row in some)
        none: Row = {}
        return next((memory for memory in rows if memory["id"] == memory_id), none)

    def add_link(self, link_type: str, source: str, target: str, link: Row) -> None:
        """A link from ``source`` to ``target``; a type beyond the core eight keeps its name as data."""
        core = link_type in LINK_TYPES
        row = {"from": source, "to": target, "link": lean(link if core else {**link, "linkType": link_type})}
        self.links.setdefault(link_type if core else "linked", []).append(row)

    def add_event(self, kind: str, ref: Ref, at: datetime, metadata: Row | None = None) -> None:
        """One lifecycle fact; it names memories and never holds their text."""
        self.events.append(
            lean(
                {
                    "type": kind,
                    "occurredAt": at,
                    "refId": ref.id,
                    "refType": ref.kind.value,
                    "agentId": ref.scope.agent_id,
                    "sessionId": ref.scope.session_id,
                    "metadataJson": dumps(metadata) if metadata else None,
                }
            )
        )
