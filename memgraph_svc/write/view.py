"""What a group of writes sees while it decides: the namespace under its lock, as its own members change it.

In: one deciding read. Out: answers that already include the earlier members of the group, and times and places that never
run backwards. What to do with the answers is decided by each proposal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from memgraph_svc.clock import Clock
from memgraph_svc.graph.records import instant
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.changes import ChangeSet, Row

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Questions:
    """What a proposal must know before it decides."""

    dedupe_hashes: tuple[str, ...] = ()
    slug_keys: tuple[str, ...] = ()
    session_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownEpisode:
    """The episode that already holds a dedupe key."""

    id: str
    content_hash: str | None
    status: str


@dataclass(frozen=True, slots=True)
class LiveNote:
    """The live version of a slug."""

    id: str
    content_hash: str | None
    pinned: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    agent_id: str | None = None
    session_id: str | None = None
    sources: int = 1


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
    known: dict[str, KnownEpisode] = field(default_factory=dict[str, KnownEpisode])
    notes: dict[str, LiveNote] = field(default_factory=dict[str, LiveNote])
    changes: ChangeSet = field(default_factory=ChangeSet)

    @classmethod
    def read(cls, seq: int, row: Row, clock: Clock) -> View:
        """The view that a deciding read gives."""
        known = {each["hash"]: KnownEpisode(each["id"], each["contentHash"], each["status"]) for each in row["known"]}
        notes = {
            each["key"]: LiveNote(
                each["id"],
                each["contentHash"],
                bool(each["pinned"]),
                instant(each["validFrom"]),
                instant(each["validTo"]),
                each["agentId"],
                each["sessionId"],
                each["sources"],
            )
            for each in row["notes"]
        }
        return cls(seq, clock, instant(row["head"].get("clock")), known, notes)

    def tick(self) -> datetime:
        """The next instant of this namespace: now, or just after the latest one given out."""
        moment = self.clock()
        if self.latest is not None and moment <= self.latest:
            moment = self.latest + _TICK
        self.latest = moment
        return moment
