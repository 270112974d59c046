"""What the filters of a request let through, and in which order a context takes it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from memgraph_svc.assemble import asked, ordering
from memgraph_svc.assemble.filters import Filters, from_request, held_at, same_json
from memgraph_svc.assemble.stored import Times
from memgraph_svc.model.memory import Kind, Ref, Status
from memgraph_svc.model.scope import Scope

NOON = datetime(2026, 5, 8, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SCOPE = Scope("t", "n")


def test_only_active_memory_by_default() -> None:
    made = from_request(None)
    assert made.state_terms() == ["v0"]
    assert made.kind_terms() == []
    assert not made.beyond_index
    assert made.admits_state(Status.ACTIVE, stale=False)
    assert not made.admits_state(Status.ACTIVE, stale=True)
    assert not made.admits_state(Status.DISPUTED, stale=False)


def test_the_switches_add_and_statuses_replace() -> None:
    every = from_request({"includeDisputed": True, "includeSuperseded": True, "includeStale": True})
    assert every.state_terms() == ["v0", "v1", "v10", "v2", "v8", "v9"]
    assert from_request({"statuses": [Status.DISPUTED]}).statuses == {Status.DISPUTED}
    both = from_request({"statuses": [Status.PENDING], "includeSuperseded": True})
    assert both.statuses == {Status.PENDING, Status.SUPERSEDED}


def test_deleted_memory_and_links_find_nothing() -> None:
    assert from_request({"statuses": [Status.TOMBSTONED]}).impossible
    assert from_request({"types": [Kind.LINK]}).impossible
    assert from_request({"types": [Kind.LINK, Kind.ATOM]}).kind_terms() == ["atom"]
    assert not from_request({"types": None, "metadata": None}).impossible


@pytest.mark.parametrize("zone", [UTC, timezone(8 * HOUR), timezone(-3.5 * HOUR)])
def test_equal_instants_filter_alike(zone: timezone) -> None:
    at = NOON.astimezone(zone)
    assert from_request({"createdAfter": at}).admits(Times(NOON), {})
    assert not from_request({"createdAfter": at}).admits(Times(NOON - timedelta(microseconds=1)), {})
    assert not from_request({"createdBefore": at}).admits(Times(NOON), {})
    assert from_request({"createdBefore": at}).admits(Times(NOON - timedelta(microseconds=1)), {})


def test_what_held_at_an_instant() -> None:
    assert held_at(Times(NOON), NOON)
    assert not held_at(Times(NOON), NOON - HOUR)
    assert held_at(Times(NOON, occurred_at=NOON - 2 * HOUR), NOON - HOUR)
    assert not held_at(Times(NOON, NOON - 3 * HOUR, NOON - 2 * HOUR, NOON - HOUR), NOON - HOUR)
    assert held_at(Times(NOON, NOON - 3 * HOUR, NOON - 2 * HOUR, NOON - HOUR), NOON - 2 * HOUR)
    assert Status.SUPERSEDED in from_request({"asOf": NOON}).statuses


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        (1, 1.0, True),
        (True, 1, False),
        (0, False, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ("1", 1, False),
        (None, False, False),
    ],
)
def test_metadata_compares_as_json(left: Any, right: Any, equal: bool) -> None:
    assert same_json(left, right) is equal
    assert Filters(metadata={"k": left}).admits(Times(NOON), {"k": right, "more": 1}) is equal


def test_a_missing_metadata_key_is_not_null() -> None:
    assert not Filters(metadata={"k": None}).admits(Times(NOON), {})


def worth(score: float, name: str, age: int = 0, confidence: float | None = None) -> ordering.Worth:
    return ordering.Worth(score, name, Times(NOON - age * HOUR), confidence)


def test_ties_go_by_id_and_preferences_bend_the_order() -> None:
    candidates = [worth(1, "b", 5, 0.2), worth(1, "a", 9, 0.1), worth(0.9, "c", 0, 0.9)]
    assert ordering.order(candidates, recency=False, confidence=False) == [1, 0, 2]
    assert ordering.order(candidates, recency=True, confidence=False) == [2, 0, 1]
    assert ordering.order(candidates, recency=False, confidence=True) == [2, 0, 1]
    assert ordering.order([], recency=True, confidence=True) == []


def test_constraints_and_filters_come_together() -> None:
    ref = Ref("ep_1", Kind.EPISODE, SCOPE)
    made = asked.from_body(
        {
            "scope": SCOPE,
            "task": "t",
            "budget": {"maxTokens": 100, "reservedTokens": 30, "maxSegments": 5},
            "filters": {"includeDisputed": True, "metadata": {"k": 1}},
            "constraints": {
                "includeSuperseded": True, "allowStale": True, "maxSegments": 3, "mustIncludeRefs": [ref],
                "excludedRefs": [ref], "preferRecency": True,
            },
            "consistency": "eventual",
        }
    )  # fmt: skip
    assert made.room == 70
    assert made.most == 3
    assert made.filters.statuses == {Status.ACTIVE, Status.DISPUTED, Status.SUPERSEDED}
    assert made.filters.stale
    assert made.required == (ref,)
    assert made.excluded == {"ep_1"}
    assert (made.prefer_recency, made.prefer_confidence, made.fresh.eventual) == (True, False, True)
