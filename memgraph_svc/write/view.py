"""What a group of writes sees while it decides: the namespace under its lock, as its own members change it.

In: one deciding read. Out: answers that already include the earlier members of the group, and times and places that never
run backwards. What to do with the answers is decided by each proposal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from memgraph_svc.clock import Clock
from memgraph_svc.graph.client import Row
from memgraph_svc.graph.consistent import Reader
from memgraph_svc.graph.records import instant
from memgraph_svc.model.scope import Scope
from memgraph_svc.write import known
from memgraph_svc.write.changes import ChangeSet
from memgraph_svc.write.known import Known, KnownEpisode

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Questions:
    """What a proposal must know before it decides."""

    dedupe_hashes: tuple[str, ...] = ()
    slug_keys: tuple[str, ...] = ()
    session_ids: tuple[str, ...] = ()
    claim_keys: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    # Answered inside the transaction by reads of its own: such a proposal shares no group.
    alone: bool = False


class Proposal(Protocol):
    """One request's wish to write."""

    @property
    def scope(self) -> Scope:
        """Where it writes."""
        ...

    @property
    def weight(self) -> int:
        """About how many bytes it writes; bounds how much shares a transaction."""
        ...

    def questions(self) -> Questions:
        """What it must know."""
        ...

    def decide(self, view: View) -> Any:
        """Add to ``view.changes`` and return an outcome of plain JSON values.

        Called again from the start when the transaction is tried again, so it must not touch anything else.
        """
        ...


@dataclass(slots=True)
class View:
    """The namespace as the next member of the group finds it."""

    seq: int
    clock: Clock
    latest: datetime | None
    read: Reader
    known: dict[str, KnownEpisode] = field(default_factory=dict[str, KnownEpisode])
    memories: dict[str, Known] = field(default_factory=dict[str, Known])
    notes: dict[str, Known] = field(default_factory=dict[str, Known])
    claims: dict[str, list[Known]] = field(default_factory=dict[str, "list[Known]"])
    changes: ChangeSet = field(default_factory=ChangeSet)

    @classmethod
    def of(cls, row: Row, clock: Clock, read: Reader) -> View:
        """The view that a deciding read gives; ``read`` runs further statements under the same lock."""
        made = cls(row["seq"], clock, instant(row["head"].get("clock")), read)
        made.known = {
            each["hash"]: KnownEpisode(each["id"], each["contentHash"], each["status"]) for each in row["known"]
        }
        for each in row["memories"]:
            if each["id"] not in made.memories:
                made.learn(known.read(each))
        return made

    def learn(self, memory: Known) -> None:
        """Take in a memory that was read, or that the group has just made."""
        self.memories[memory.id] = memory
        if memory.slug_key is not None and memory.live:
            self.notes[memory.slug_key] = memory
        if memory.claim_key is not None:
            self.claims.setdefault(memory.claim_key, []).append(memory)

    def tick(self) -> datetime:
        """The next instant of this namespace: now, or just after the latest one given out."""
        moment = self.clock()
        if self.latest is not None and moment <= self.latest:
            moment = self.latest + _TICK
        self.latest = moment
        return moment
