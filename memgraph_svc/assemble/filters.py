"""Which memories a request wants.

In: the checked filters of a request. Out: the conditions the index applies, and a yes or no for each memory by the
rest. Pure. Unknown filters of later versions never come this far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product
from typing import Any, cast

from memgraph_svc.assemble.stored import Times
from memgraph_svc.model.memory import Kind, Status, visibility


@dataclass(frozen=True, slots=True)
class Filters:
    """Kinds and states are applied inside the index; times and metadata on what it finds."""

    kinds: frozenset[Kind] | None = None
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    stale: bool = False
    created_after: datetime | None = None
    created_before: datetime | None = None
    as_of: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def impossible(self) -> bool:
        """Whether nothing can pass: only links are wanted, which are found by ref, or only deleted memory."""
        return self.kinds == frozenset({Kind.LINK}) or not self.statuses

    @property
    def beyond_index(self) -> bool:
        """Whether the index alone cannot tell."""
        return bool(self.metadata) or any((self.created_after, self.created_before, self.as_of))

    def kind_terms(self) -> list[str]:
        """The kinds as index terms; none when every kind is wanted."""
        return sorted(kind.value for kind in self.kinds or () if kind is not Kind.LINK)

    def state_terms(self) -> list[str]:
        """The wanted states as index terms."""
        marks = (False, True) if self.stale else (False,)
        return sorted(visibility(status, stale=mark) for status, mark in product(self.statuses, marks))

    def admits_state(self, status: Status, *, stale: bool) -> bool:
        """Whether a memory in that state is wanted."""
        return status in self.statuses and (self.stale or not stale)

    def admits(self, times: Times, metadata: Mapping[str, Any]) -> bool:
        """Whether the times and the metadata of a memory fit; ``createdAfter`` is inclusive, ``createdBefore`` not."""
        if self.created_after is not None and times.created_at < self.created_after:
            return False
        if self.created_before is not None and times.created_at >= self.created_before:
            return False
        if self.as_of is not None and not held_at(times, self.as_of):
            return False
        return all(key in metadata and same_json(metadata[key], value) for key, value in self.metadata.items())


def held_at(times: Times, at: datetime) -> bool:
    """Whether a memory held at that instant; without a stated start it holds from when it happened or was stored."""
    start = times.valid_from or times.occurred_at or times.created_at
    return start <= at and (times.valid_to is None or at < times.valid_to)


def from_request(asked: Mapping[str, Any] | None) -> Filters:
    """The filters of a request that its schema has checked.

    ``statuses`` replaces the default of active memory only; the ``include…`` switches add to it. Deleted memory never
    returns. ``asOf`` also looks at superseded memory, since what is replaced today may have held then.
    """
    given = {key: value for key, value in (asked or {}).items() if value is not None}
    statuses = set(cast("list[Status]", given.get("statuses", [Status.ACTIVE])))
    if given.get("includeDisputed"):
        statuses.add(Status.DISPUTED)
    if given.get("includeSuperseded") or "asOf" in given:
        statuses.add(Status.SUPERSEDED)
    kinds = given.get("types")
    return Filters(
        kinds=None if kinds is None else frozenset(cast("list[Kind]", kinds)),
        statuses=frozenset(statuses - {Status.TOMBSTONED}),
        stale=bool(given.get("includeStale")),
        created_after=given.get("createdAfter"),
        created_before=given.get("createdBefore"),
        as_of=given.get("asOf"),
        metadata=given.get("metadata", {}),
    )


def same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal; a number never equals a boolean, key order never matters."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        one, other = cast("dict[str, Any]", left), cast("dict[str, Any]", right)
        return one.keys() == other.keys() and all(same_json(value, other[key]) for key, value in one.items())
    if isinstance(left, list) and isinstance(right, list):
        pair = cast("list[Any]", left), cast("list[Any]", right)
        return len(pair[0]) == len(pair[1]) and all(same_json(a, b) for a, b in zip(*pair, strict=True))
    return left == right
