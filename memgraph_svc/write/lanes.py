"""Group commit: concurrent small writes of one namespace share a transaction.

In: proposals from many threads. Out: each proposal's own outcome or error. The thread that finds its lane idle commits
whatever waits there, then hands the lane to the first one that came meanwhile; nobody waits for company. Namespaces never
wait for each other. A group that fails is split, so that only the guilty proposal gets the error.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memgraph_svc import bookmarks
from memgraph_svc.clock import new_id
from memgraph_svc.errors.availability import Overloaded, Unavailable
from memgraph_svc.errors.base import Internal
from memgraph_svc.write.view import Proposal

MAX_GROUP = 256
MAX_GROUP_WEIGHT = 8 * 1024 * 1024

Commit = Callable[[str, str, list[Proposal]], list[Any]]


@dataclass(slots=True)
class _Ticket:
    proposal: Proposal
    alone: bool = False
    ready: threading.Event = field(default_factory=threading.Event)
    leads: bool = False
    outcome: Any = None
    bookmarks: frozenset[str] = frozenset()
    # Replaced by the outcome; what stays behind when a leader dies on the way must not look like success.
    error: Exception | None = field(default_factory=Internal)


@dataclass(slots=True)
class _Lane:
    waiting: deque[_Ticket] = field(default_factory=deque[_Ticket])


class Lanes:
    """All write lanes of this process."""

    def __init__(self, commit: Commit, *, max_waiting: int, max_group: int = MAX_GROUP) -> None:
        self._commit = commit
        self._max_waiting = max_waiting
        self._max_group = max_group
        self._lanes: dict[str, _Lane] = {}
        self._guard = threading.Lock()
        self._process = new_id("lane")

    def submit(self, proposal: Proposal) -> Any:
        """Commit one proposal, alone or in company, and return its outcome once it is durable.

        Raises ``Overloaded`` when too many wait, ``Unavailable`` when the database stays away, or the proposal's own
        error.
        """
        key, ticket = proposal.scope.key, _Ticket(proposal, proposal.questions().alone)
        with self._guard:
            lane = self._lanes.get(key)
            if lane is None:
                lane = self._lanes[key] = _Lane()
                ticket.leads = True
            elif len(lane.waiting) >= self._max_waiting:
                raise Overloaded
            lane.waiting.append(ticket)
        if not ticket.leads:
            ticket.ready.wait()
        if ticket.leads:
            self._lead(key, lane)
        if ticket.error is not None:
            raise ticket.error
        # Whoever rode along has written what the leader committed.
        bookmarks.note(ticket.bookmarks)
        return ticket.outcome

    def _lead(self, key: str, lane: _Lane) -> None:
        with self._guard:
            group = self._take(lane)
        try:
            self._run(key, group)
        finally:
            with self._guard:
                heir = lane.waiting[0] if lane.waiting else None
                if heir is None:
                    del self._lanes[key]
                else:
                    heir.leads = True
            if heir is not None:
                heir.ready.set()
            for ticket in group:
                ticket.ready.set()

    def _take(self, lane: _Lane) -> list[_Ticket]:
        group = [lane.waiting.popleft()]
        weight = group[0].proposal.weight
        while lane.waiting and len(group) < self._max_group and not (group[0].alone or lane.waiting[0].alone):
            weight += lane.waiting[0].proposal.weight
            if weight > MAX_GROUP_WEIGHT:
                break
            group.append(lane.waiting.popleft())
        return group

    def _run(self, key: str, group: list[_Ticket]) -> None:
        try:
            outcomes = self._commit(f"{self._process}:{key}", new_id("cm"), [each.proposal for each in group])
        except Exception as error:  # noqa: BLE001  every member must hear of it, whatever it is
            # When the database is away, halves would fare no better; otherwise find the guilty one.
            if len(group) == 1 or isinstance(error, Unavailable):
                for ticket in group:
                    ticket.error = error
                return
            middle = len(group) // 2
            self._run(key, group[:middle])
            self._run(key, group[middle:])
            return
        for ticket, outcome in zip(group, outcomes, strict=True):
            ticket.outcome, ticket.error, ticket.bookmarks = outcome, None, bookmarks.written()
