"""What a memory is: its kinds, its states, and how both are mirrored for search.

In: nothing. Out: names and small pure rules shared by all stages. How a state comes about is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memgraph_svc.model.scope import Scope


class Kind(StrEnum):
    """The three kinds of memory; a link is a relation between memories."""

    EPISODE = "episode"
    ATOM = "atom"
    CONSOLIDATION = "consolidation"
    LINK = "link"


class Status(StrEnum):
    """The state of a memory. *Stale* is a separate mark."""

    PENDING = "pending"
    ACTIVE = "active"
    DISPUTED = "disputed"
    SUPERSEDED = "superseded"
    TOMBSTONED = "tombstoned"
    FAILED = "failed"


PREFIX = {Kind.EPISODE: "ep", Kind.ATOM: "at", Kind.CONSOLIDATION: "co", Kind.LINK: "ln"}

_STATE_CODE = {Status.ACTIVE: 0, Status.DISPUTED: 1, Status.SUPERSEDED: 2, Status.PENDING: 3, Status.FAILED: 4}
_STALE_CODE = 8
_LABELLED = (Status.DISPUTED, Status.SUPERSEDED, Status.TOMBSTONED)


def visibility(status: Status, *, stale: bool = False) -> str:
    """The search mirror of a memory's state: one short term, equal for equal states.

    A tombstoned memory has no passages, hence no code; asking for one raises ``KeyError``.
    """
    return f"v{_STATE_CODE[status] + (_STALE_CODE if stale else 0)}"


def state_labels(status: Status, *, stale: bool = False) -> list[str]:
    """The extra labels that mirror a state, for colour and filter in Browser; the properties are the truth."""
    labels = [status.value.capitalize()] if status in _LABELLED else []
    return [*labels, "Stale"] if stale else labels


@dataclass(frozen=True, slots=True)
class Ref:
    """The name of a memory: an id and a kind, within a scope."""

    id: str
    kind: Kind
    scope: Scope

    def wire(self) -> dict[str, Any]:
        """The ref as it is sent."""
        return {"id": self.id, "type": self.kind.value, "scope": self.scope.wire()}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who wrote something: an id and a free kind such as user, agent, system or plugin."""

    id: str
    kind: str

    def wire(self) -> dict[str, str]:
        """The actor as it is sent."""
        return {"id": self.id, "kind": self.kind}


SYSTEM = Actor("memgraph-svc", "system")
