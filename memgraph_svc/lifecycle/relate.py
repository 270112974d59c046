"""Join memories and change their states, under the lock.

In: memories as a deciding write knows them. Out: links, states and events in the group's change set. When to do so is
decided by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memgraph_svc.lifecycle.store import link_between, provenance, succession
from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.changes import link_row
from memgraph_svc.write.known import Known
from memgraph_svc.write.view import View

if TYPE_CHECKING:
    from memgraph_svc.graph.consistent import Reader


@dataclass(frozen=True, slots=True)
class Hand:
    """Who writes, in which scope, and on what."""

    view: View
    scope: Scope
    actor: Actor

    def link(
        self, link_type: str, source: str, target: str, *, at: datetime | None = None, **more: Any
    ) -> dict[str, Any]:
        """A new link; its row."""
        row = link_row(self.scope, self.actor, at or self.view.tick(), self.view.seq) | more
        self.view.changes.add_link(link_type, source, target, row)
        return row

    def unlink(self, link_type: str, source: str, target: str) -> None:
        """End a link, if there is one; one that this very commit makes is not made."""
        rows = self.view.changes.links.get(link_type, [])
        rows[:] = [row for row in rows if (row["from"], row["to"]) != (source, target)]
        held = link_between(self.view.read, self.scope.key, link_type, source, target)
        if held is not None:
            self.view.changes.link_ends.append({"id": held["id"], "from": source, "at": self.view.tick().isoformat()})

    def supersede(self, newer: Known, older: Known, ends: datetime | None, link_id: str | None = None) -> None:
        """Let ``newer`` take the place of ``older``, which keeps its text and holds until ``ends``.

        An episode keeps its status; what it stands for in retrieval changes. What is no longer current already gets the
        link and nothing else.
        """
        if link_id is None:
            self.link("supersedes", newer.id, older.id)
        if not older.is_current():
            return
        if older.status is Status.DISPUTED or older.ref.kind is Kind.EPISODE:
            self.view.changes.undisputed[older.id] = None
        if older.ref.kind is Kind.EPISODE:
            older.replaced = True
        else:
            older.status = Status.SUPERSEDED
        older.valid_to = _until(older, ends)
        self.store(older)
        if older.ref.kind is not Kind.EPISODE:
            self.view.changes.add_event("memory.superseded", older.ref, self.view.tick(), {"supersededBy": newer.id})

    def contradict(self, one: Known, other: Known, link_id: str | None = None) -> None:
        """Set two memories against each other; an episode takes part without changing its status."""
        link_id = link_id or self.link("contradicts", one.id, other.id)["id"]
        for each in (one, other):
            if each.ref.kind is not Kind.EPISODE and each.status is Status.ACTIVE:
                each.status = Status.DISPUTED
                self.store(each)
                self.view.changes.add_event("memory.disputed", each.ref, self.view.tick(), {"linkId": link_id})

    def replaced(self, start: str, ids: Iterable[str]) -> set[str]:
        """Which of ``ids`` a memory replaces, directly or over others; what this commit links already counts."""
        return self._walk("supersedes", succession, start, set(ids))

    def rests_on(self, start: str, ids: Iterable[str]) -> set[str]:
        """Which of ``ids`` a memory rests on, directly or over others; what this commit links already counts."""
        return self._walk("derived_from", provenance, start, set(ids))

    def linked(self, link_type: str, source: Known, target: str) -> bool:
        """Whether such a link is there, or made by this commit."""
        rows = self.view.changes.links.get(link_type, ())
        if any((row["from"], row["to"]) == (source.id, target) for row in rows):
            return True
        if source.made_here:
            return False
        return link_between(self.view.read, self.scope.key, link_type, source.id, target) is not None

    def _walk(
        self, link_type: str, read: Callable[[Reader, str, str, list[str]], set[str]], start: str, ends: set[str]
    ) -> set[str]:
        pending: dict[str, list[str]] = {}
        for row in self.view.changes.links.get(link_type, ()):
            pending.setdefault(row["from"], []).append(row["to"])
        seen, waiting = {start}, [start]
        while waiting:
            name = waiting.pop()
            found = {*read(self.view.read, self.scope.key, name, [*ends, *pending]), *pending.get(name, ())}
            waiting += found - seen
            seen |= found
        return seen & ends

    def store(self, memory: Known) -> None:
        """Write the state of a memory as it stands now."""
        self.view.changes.set_state(memory, self.view.tick(), self.view.seq)


def made(ref: Ref, memory: dict[str, Any], sources: int = 1) -> Known:
    """A memory that this commit makes, as later members of its group will find it."""
    return Known(
        ref=ref,
        status=Status(memory["status"]),
        pinned=memory.get("pinned"),
        valid_from=memory.get("validFrom"),
        valid_to=memory.get("validTo"),
        live=memory.get("noteScope") is not None,
        slug_key=memory.get("liveSlugKey"),
        content_hash=memory.get("contentHash"),
        claim_key=memory.get("claimKey"),
        value_key=memory.get("valueKey"),
        cardinality=memory.get("cardinality"),
        dated=bool(memory.get("dated")),
        stated_at=memory.get("statedAt"),
        sources=sources,
        made_here=True,
    )


def _until(held: Known, successor: datetime | None) -> datetime | None:
    """When a superseded memory stops being valid: when its successor begins, unless it ended before or had not begun."""
    if successor is None or (held.valid_to is not None and held.valid_to <= successor):
        return held.valid_to
    return successor if held.valid_from is None or held.valid_from < successor else held.valid_to
