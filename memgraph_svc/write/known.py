"""What the graph holds of a memory, as far as a deciding write needs it.

In: a row of ``write/read_head``. Out: one value for each memory, changed in place by the members of a group, so that a later
member sees what an earlier one decided. Content never comes along.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memgraph_svc.graph.records import instant
from memgraph_svc.model.memory import Kind, Ref, Status, state_labels, visibility
from memgraph_svc.model.scope import Scope

Row = dict[str, Any]
LIVE = (Status.ACTIVE, Status.DISPUTED)


@dataclass(frozen=True, slots=True)
class KnownEpisode:
    """The episode that already holds a dedupe key."""

    id: str
    content_hash: str | None
    status: str


@dataclass(slots=True)
class Known:
    """The state of one memory; everything that ``write/set_state`` may change of it, and what judges need."""

    ref: Ref
    status: Status = Status.ACTIVE
    stale: bool = False
    stale_reason: str | None = None
    replaced: bool = False
    pinned: bool | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    verified_at: datetime | None = None
    live: bool = False
    slug_key: str | None = None
    content_hash: str | None = None
    claim_key: str | None = None
    value_key: str | None = None
    cardinality: str | None = None
    dated: bool = False
    stated_at: datetime | None = None
    sources: int = 1
    claims: tuple[str, ...] = ()
    made_here: bool = False

    @property
    def id(self) -> str:
        """Its id."""
        return self.ref.id

    @property
    def standing(self) -> Status | None:
        """The state that retrieval goes by where it is not the status: an episode keeps its status for ever."""
        return Status.SUPERSEDED if self.replaced else None

    def is_current(self) -> bool:
        """Whether it is asserted now: neither replaced nor deleted."""
        return self.status in LIVE and not self.replaced

    def state(self, at: datetime, seq: int) -> Row:
        """The row by which ``write/set_state`` stores this state, and adds it to the history."""
        change: Row = {"seq": seq, "at": at, "status": self.status.value, "stale": self.stale, "validTo": self.valid_to}
        change |= {"pinned": self.pinned, "standing": self.standing and self.standing.value}
        return {
            "id": self.id,
            "set": {
                "status": self.status.value,
                "stale": True if self.stale else None,
                "staleReason": self.stale_reason if self.stale else None,
                "standing": self.standing and self.standing.value,
                "replaced": True if self.replaced else None,
                "pinned": self.pinned,
                "validTo": self.valid_to,
                "lastVerifiedAt": self.verified_at,
                "statedAt": self.stated_at,
                "updatedAt": at,
            },
            "labels": state_labels(self.status, stale=self.stale),
            "visibility": visibility(self.standing or self.status, stale=self.stale),
            "change": change,
            "live": self.live,
        }


def read(row: Row) -> Known:
    """The memory of one row."""
    where = Scope(row["tenantId"], row["namespaceId"], row.get("agentId"), row.get("sessionId"))
    return Known(
        ref=Ref(row["id"], Kind(row["type"]), where),
        status=Status(row["status"]),
        stale=bool(row.get("stale")),
        stale_reason=row.get("staleReason"),
        replaced=bool(row.get("replaced")),
        pinned=row.get("pinned"),
        valid_from=instant(row.get("validFrom")),
        valid_to=instant(row.get("validTo")),
        verified_at=instant(row.get("lastVerifiedAt")),
        live=bool(row.get("live")),
        slug_key=row.get("liveSlugKey"),
        content_hash=row.get("contentHash"),
        claim_key=row.get("claimKey"),
        value_key=row.get("valueKey"),
        cardinality=row.get("cardinality"),
        dated=bool(row.get("dated")),
        stated_at=instant(row.get("statedAt")),
        sources=row.get("sources") or 0,
        claims=tuple(row.get("claims") or ()),
    )
