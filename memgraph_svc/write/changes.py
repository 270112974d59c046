"""What one commit changes, as rows for the statements of ``cypher/write/``.

In: decisions of the stages. Out: rows. Nothing here reads or decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memgraph_svc.clock import new_id
from memgraph_svc.errors.work import ProvenanceRequired
from memgraph_svc.graph.client import Row, lean, vector
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import PREFIX, Actor, Kind, Ref, Status, state_labels
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known

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
    link_ends: list[Row] = field(default_factory=list[Row])
    sessions: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    erasures: list[Row] = field(default_factory=list[Row])
    receipts: list[Row] = field(default_factory=list[Row])
    vectors: list[Row] = field(default_factory=list[Row])
    # Memories whose state changed: the episodes they were made from may stand differently now.
    unsettled: dict[str, None] = field(default_factory=dict[str, None])
    # Memories that left a dispute: whoever stood against them may be free now.
    undisputed: dict[str, None] = field(default_factory=dict[str, None])
    events: list[Row] = field(default_factory=list[Row])
    jobs: list[Row] = field(default_factory=list[Row])
    job_ends: list[Row] = field(default_factory=list[Row])
    as_given: bool = False
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
                "passages": [_passage(each, seq) for each in passages],
                "change": lean(change),
            }
        )
        if memory.get("noteScope"):
            self.note_delta += 1
            self.notes_changed = True

    def set_state(self, memory: Known, at: datetime, seq: int) -> None:
        """Store the state of a memory as it stands now, and add it to its history.

        A superseded note leaves its slug and the index, and keeps its text.
        """
        was_note = memory.live
        if memory.status not in (Status.ACTIVE, Status.DISPUTED):
            memory.live = False
            if was_note:
                self.note_delta -= 1
        row = memory.state(at, seq)
        row = {**row, "set": lean(row["set"]), "change": lean(row["change"])}
        if memory.made_here:
            # One made by this very commit gives up its slug before it is written, and its state changes after.
            pending = self._pending(memory.id)
            for name in () if memory.live else ("liveSlugKey", "liveGroupKey", "noteScope"):
                pending.pop(name, None)
        (self.late_states if memory.made_here else self.states).append(row)
        self.notes_changed = self.notes_changed or was_note
        if memory.ref.kind is Kind.ATOM:
            self.unsettled[memory.id] = None

    def _pending(self, memory_id: str) -> Row:
        rows = (row["memory"] for some in self.memories.values() for row in some)
        none: Row = {}
        return next((memory for memory in rows if memory["id"] == memory_id), none)

    def add_link(self, link_type: str, source: str, target: str, link: Row) -> None:
        """A link from ``source`` to ``target``; a type beyond the core eight keeps its name as data."""
        core = link_type in LINK_TYPES
        row = {"from": source, "to": target, "link": lean(link if core else {**link, "linkType": link_type})}
        self.links.setdefault(link_type if core else "linked", []).append(row)

    def require_provenance(self) -> None:
        """Refuse derived memory that names no source; raises ``ProvenanceRequired``, and nothing is written."""
        sourced = {row["from"] for row in self.links.get("derived_from", ())}
        derived = (
            row["memory"]["id"] for kind in (Kind.ATOM, Kind.CONSOLIDATION) for row in self.memories.get(kind, ())
        )
        if not self.as_given and any(name not in sourced for name in derived):
            raise ProvenanceRequired("Derived memory must name its sources; nothing was written.")

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

    def add_job_event(self, kind: str, job_id: str, scope: Scope, at: datetime, metadata: Row | None = None) -> None:
        """One fact about a job."""
        self.events.append(
            lean(
                {
                    "type": kind,
                    "occurredAt": at,
                    "jobId": job_id,
                    "agentId": scope.agent_id,
                    "sessionId": scope.session_id,
                    "metadataJson": dumps(metadata) if metadata else None,
                }
            )
        )


def link_row(scope: Scope, actor: Actor, at: datetime, seq: int, *, position: int | None = None) -> Row:
    """What every new link carries; a new id for each."""
    return {
        "id": new_id(PREFIX[Kind.LINK]),
        "status": Status.ACTIVE.value,
        "createdAt": at,
        "createdById": actor.id,
        "createdByKind": actor.kind,
        "agentId": scope.agent_id,
        "sessionId": scope.session_id,
        "seq": seq,
        "knownFrom": at,
        "position": position,
    }


def _passage(given: Row, seq: int) -> Row:
    # A vector travels beside the other properties: the store keeps it as a list of numbers and must be told to.
    props = {name: value for name, value in given.items() if name != "vector"}
    if "pendingScope" in props:
        props["pendingSeq"] = seq
    numbers = given.get("vector")
    return {"props": props, "vector": None if numbers is None else vector(numbers)}
