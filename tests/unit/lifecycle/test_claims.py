"""What becomes of a claim beside those that are held: a table of verdicts, without a graph."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memgraph_svc.lifecycle.claims import MANY, ONE, Claim, Given, judge
from memgraph_svc.model.memory import Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known

SCOPE = Scope("t", "n")
SUPERSEDED = Status.SUPERSEDED


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def claim(value: Any, at: int, **more: Any) -> Claim:
    said: dict[str, Any] = {"dated": True, "cardinality": ONE}
    return Claim("Ada", "lives in", value, year(at), **{**said, **more})


def held(value: Any, at: int, to: int | None = None, status: Status = Status.ACTIVE, **more: Any) -> Known:
    said = claim(value, at)
    known: dict[str, Any] = {
        "valid_from": year(at),
        "valid_to": None if to is None else year(to),
        "stated_at": year(at),
        "value_key": said.value_key,
        "cardinality": ONE,
        "dated": True,
    }
    return Known(Ref(f"at_{value}_{at}", Kind.ATOM, SCOPE), status, **{**known, **more})


def verdict(new: Claim, *known: Known, given: dict[str, Given] | None = None) -> dict[str, Any]:
    """What was decided, with the values it was decided about; what is empty is left out."""
    made = judge(new, known, given)
    names = {each.id: each.id.split("_")[1] for each in known}
    shown = {
        "restates": made.restates and names[made.restates.id],
        "supersedes": [names[each.id] for each in made.supersedes],
        "by": made.superseded_by and names[made.superseded_by.id],
        "ends": made.ends and made.ends.year,
        "shortens": made.shortens and names[made.shortens.id],
        "contradicts": [names[each.id] for each in made.contradicts],
    }
    return {name: value for name, value in shown.items() if value}


A, B, C = "Rome", "Oslo", "Bonn"


@pytest.mark.parametrize(
    ("new", "known", "expected"),
    [
        pytest.param(claim(A, 2020), [], {}, id="the first claim stands"),
        pytest.param(claim(A, 2020), [held(A, 2020)], {"restates": A}, id="the same claim is restated"),
        pytest.param(claim(A, 2024), [held(A, 2020)], {"restates": A}, id="said later it is restated"),
        pytest.param(claim(A, 2010), [held(A, 2020)], {"restates": A}, id="said for earlier it is restated"),
        pytest.param(claim(B, 2024), [held(A, 2020)], {"supersedes": [A]}, id="later supersedes earlier"),
        pytest.param(claim(A, 2020), [held(B, 2024)], {"by": B, "ends": 2024}, id="late arrivals are history"),
        pytest.param(
            claim(A, 2020, valid_to=year(2022)),
            [held(B, 2024)],
            {"by": B, "ends": 2022},
            id="a late arrival that ended sooner keeps its end",
        ),
        pytest.param(
            claim(B, 2015),
            [held(A, 2010, 2020, SUPERSEDED), held(C, 2020)],
            {"by": C, "ends": 2020, "shortens": A},
            id="one between two is followed by the next and shortens the one before",
        ),
        pytest.param(
            claim(B, 2015),
            [held(A, 2010, 2012, SUPERSEDED), held(C, 2020)],
            {"by": C, "ends": 2020},
            id="one that ended before is not shortened",
        ),
        pytest.param(
            claim(A, 2005),
            [held(B, 2010, 2020, SUPERSEDED), held(C, 2020)],
            {"by": B, "ends": 2010},
            id="the nearest later claim is the successor",
        ),
        pytest.param(claim(B, 2020), [held(A, 2020)], {"contradicts": [A]}, id="the same instant is a dispute"),
        pytest.param(claim(B, 2024, dated=False), [held(A, 2020)], {"contradicts": [A]}, id="undated is a dispute"),
        pytest.param(claim(B, 2024), [held(A, 2020, dated=False)], {"contradicts": [A]}, id="undated held is one too"),
        pytest.param(claim(B, 2024, cardinality=MANY), [held(A, 2020)], {}, id="many never conflicts"),
        pytest.param(claim(B, 2024), [held(A, 2020, cardinality=MANY)], {}, id="nor does one with many"),
        pytest.param(
            claim(B, 2024), [held(A, 2020, None, Status.DISPUTED)], {"supersedes": [A]}, id="a dispute ends by time"
        ),
        pytest.param(claim(B, 2024), [held(A, 2020, None, Status.TOMBSTONED)], {}, id="the deleted has no say"),
        pytest.param(claim(A, 2024), [held(A, 2020, None, Status.TOMBSTONED)], {}, id="the deleted is not restated"),
        pytest.param(
            claim(A, 2015), [held(A, 2010, 2020, SUPERSEDED), held(C, 2020)], {"restates": A}, id="history is restated"
        ),
        pytest.param(
            claim(A, 2025),
            [held(A, 2010, 2020, SUPERSEDED), held(C, 2020)],
            {"supersedes": [C]},
            id="what holds again is a new claim",
        ),
        pytest.param(
            claim(A, 2010),
            [held(B, 2015, 2020, SUPERSEDED), held(A, 2020)],
            {"by": B, "ends": 2015},
            id="an earlier stay is not the present one",
        ),
        pytest.param(
            claim(B, 2015),
            [held(A, 2010, stated_at=year(2020))],
            {"by": A, "ends": 2020},
            id="an interlude does not retire what was said again after it",
        ),
        pytest.param(
            claim(B, 2024),
            [held(A, 2010, stated_at=year(2020))],
            {"supersedes": [A]},
            id="what comes after the last restatement does",
        ),
        pytest.param(
            claim(C, 2024), [held(A, 2020), held(B, 2020)], {"supersedes": [A, B]}, id="a later claim ends both sides"
        ),
    ],
)
def test_the_verdict_on_a_claim(new: Claim, known: list[Known], expected: dict[str, Any]) -> None:
    assert verdict(new, *known) == expected


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_order_of_what_is_held_does_not_matter(order: tuple[int, int]) -> None:
    known = [held(A, 2010, 2020, SUPERSEDED), held(C, 2020)]
    assert verdict(claim(B, 2015), *(known[at] for at in order)) == {"by": C, "ends": 2020, "shortens": A}


@pytest.mark.parametrize(
    ("said", "at", "expected"),
    [
        (Given.SUPERSEDES, 2010, {"supersedes": [A]}),
        (Given.CONTRADICTS, 2024, {"contradicts": [A]}),
        (Given.SUPERSEDED_BY, 2024, {"by": A, "ends": 2020}),
    ],
)
def test_what_the_teller_states_wins_over_the_times(said: Given, at: int, expected: dict[str, Any]) -> None:
    known = held(A, 2020)
    assert verdict(claim(B, at), known, given={known.id: said}) == expected


def test_stated_relations_hold_for_many_valued_and_undated_claims_as_well() -> None:
    known = held(A, 2020, cardinality=MANY)
    new = claim(B, 2010, cardinality=MANY, dated=False)
    assert verdict(new, known, given={known.id: Given.SUPERSEDES}) == {"supersedes": [A]}


def test_a_claim_that_is_said_to_replace_its_equal_is_stored_beside_it() -> None:
    known = held(A, 2020)
    assert verdict(claim(A, 2024), known, given={known.id: Given.SUPERSEDES}) == {"supersedes": [A]}


def test_what_is_replaced_already_is_not_replaced_or_disputed_again() -> None:
    known = held(A, 2010, 2012, SUPERSEDED)
    for said in (Given.SUPERSEDES, Given.CONTRADICTS):
        assert verdict(claim(B, 2024), known, given={known.id: said}) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Oslo", "OSLO"),
        ("Oslo", " oslo "),
        ("Oslo", "\uff2f\uff53\uff4c\uff4f"),
        ("New York", "new  york"),
        ("Straße", "STRASSE"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
)
def test_values_that_differ_in_case_width_or_blanks_are_one(one: Any, other: Any) -> None:
    assert claim(one, 2020).value_key == claim(other, 2020).value_key


@pytest.mark.parametrize(("one", "other"), [("1", 1), (True, 1), (0, False), ([1, 2], [2, 1]), ("", None), ("a", "b")])
def test_values_that_differ_otherwise_are_two(one: Any, other: Any) -> None:
    assert claim(one, 2020).value_key != claim(other, 2020).value_key


def test_claims_meet_by_subject_and_predicate_in_their_namespace() -> None:
    key = claim(A, 2020).key(SCOPE)
    assert Claim(" ADA ", "Lives  In", B, year(1999)).key(Scope("t", "n", "a1", "s")) == key
    assert claim(A, 2020).key(Scope("t", "m")) != key
    assert Claim("Ada", "born in", A, year(2020)).key(SCOPE) != key
    assert Claim("Ada lives", "in", A, year(2020)).key(SCOPE) != Claim("Ada", "lives in", A, year(2020)).key(SCOPE)
