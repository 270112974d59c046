"""What a request for a context asks for.

In: a request that its schema has checked. Out: one value with the switches of filters and constraints brought together.
Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memgraph_svc.assemble.awaiting import STRONG, Wanted
from memgraph_svc.assemble.filters import Filters, from_request
from memgraph_svc.model.memory import Ref
from memgraph_svc.model.scope import Scope


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a context."""

    scope: Scope
    task: str
    budget: Mapping[str, Any]
    filters: Filters
    required: tuple[Ref, ...] = ()
    excluded: frozenset[str] = frozenset()
    most: int | None = None
    prefer_recency: bool = False
    prefer_confidence: bool = False
    fresh: Wanted = STRONG

    @property
    def room(self) -> int:
        """The tokens that memory may use."""
        return self.budget["maxTokens"] - (self.budget.get("reservedTokens") or 0)


def from_body(body: Mapping[str, Any]) -> Asked:
    """The request as one value; a switch counts when filters or constraints set it, the smaller maxSegments wins."""
    limits, filters = _given(body.get("constraints")), _given(body.get("filters"))
    for switch, known_as in (
        ("includeDisputed", "includeDisputed"),
        ("includeSuperseded", "includeSuperseded"),
        ("allowStale", "includeStale"),
    ):
        filters[known_as] = bool(filters.get(known_as)) or bool(limits.get(switch))
    bounds = [bound for bound in (body["budget"].get("maxSegments"), limits.get("maxSegments")) if bound is not None]
    return Asked(
        scope=body["scope"],
        task=body["task"],
        budget=body["budget"],
        filters=from_request(filters),
        required=tuple(limits.get("mustIncludeRefs", ())),
        excluded=frozenset(ref.id for ref in limits.get("excludedRefs", ())),
        most=min(bounds, default=None),
        prefer_recency=bool(limits.get("preferRecency")),
        prefer_confidence=bool(limits.get("preferHighConfidence")),
        fresh=Wanted(body.get("consistency") == "eventual", bool(body.get("allowDowngrade"))),
    )


def _given(part: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (part or {}).items() if value is not None}
