"""Who goes, who stays and who is marked, on graphs small enough to see."""

from __future__ import annotations

import pytest

from memgraph_svc.cascade.plan import Plan, Policy, Reached, Source, downstream, plan, survivors
from memgraph_svc.model.memory import Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known

SCOPE = Scope("t", "n")
ROOT = "e0"


def reached(name: str, depth: int = 1, status: Status = Status.ACTIVE) -> Reached:
    """A memory whose first letter says what it is: a for an atom, c for a consolidation."""
    kind = Kind.CONSOLIDATION if name.startswith("c") else Kind.ATOM
    return Reached(Known(Ref(name, kind, SCOPE), status=status), depth)


def made_from(shape: str, dead: str = "") -> list[Source]:
    """``"a1:e0,a2 c1:a1"``: a1 from e0 and a2, c1 from a1; ``dead`` names sources that were deleted before."""
    pairs = [part.split(":") for part in shape.split()]
    gone = dead.split()
    return [Source(of, source, source not in gone) for of, some in pairs for source in some.split(",")]


def kept(shape: str, roots: str = ROOT, dead: str = "") -> set[str]:
    """Who survives when everything that the shape derives was reached."""
    sources = made_from(shape, dead)
    names = dict.fromkeys(each.of for each in sources)
    return survivors(set(roots.split()), [reached(name) for name in names], sources)


def decide(
    shape: str, depths: dict[str, int], policy: Policy = Policy.TOMBSTONE, depth: int = 64, *, sole: bool = True
) -> Plan:
    """The plan for the deletion of the root."""
    some = [reached(name, far) for name, far in depths.items()]
    return plan([ROOT], some, made_from(shape), policy, depth, sole_support_only=sole)


def names(some: list[Reached]) -> list[str]:
    return [each.memory.id for each in some]


@pytest.mark.parametrize(
    ("shape", "stays"),
    [
        ("a1:e0", ""),
        ("a1:e0 a2:a1 a3:a2", ""),
        ("a1:e0,e1", "a1"),
        ("a1:e0 a2:a1,e1 a3:a2", "a2 a3"),
        ("a1:e0 a2:e0 a3:a1,a2", ""),
        ("a1:e0 a2:e0,e1 a3:a1,a2", "a2 a3"),
    ],
    ids=["sole source", "chain", "second source", "source further down", "diamond", "one side of a diamond"],
)
def test_an_atom_stays_while_one_living_source_holds_it(shape: str, stays: str) -> None:
    assert kept(shape) == set(stays.split())


@pytest.mark.parametrize("shape", ["a1:e0,a2 a2:a1", "a1:e0,a1", "a1:e0,a3 a2:a1 a3:a2", "c1:e0,c2 c2:c1"])
def test_a_circle_cannot_hold_itself_up(shape: str) -> None:
    assert kept(shape) == set()


def test_a_circle_stays_as_a_whole_when_one_of_it_is_held_from_outside() -> None:
    assert kept("a1:e0,a3 a2:a1 a3:a2,e1") == {"a1", "a2", "a3"}


@pytest.mark.parametrize(
    ("shape", "stays"),
    [
        ("c1:e0,e1", ""),
        ("a1:e0 c1:a1,e1,e2", ""),
        ("a1:e0,e1 c1:a1,e2", "a1 c1"),
        ("a1:e0,e1 c1:a1,e0", "a1"),
        ("c1:e0,e1 a1:c1,e1 c2:c1,a1", "a1"),
        ("a1:e0,e1 c1:a1,c2 c2:a1,c1", "a1"),
    ],
    ids=["direct", "through an atom", "its source stays", "quotes the root too", "on a consolidation", "on each other"],
)
def test_a_consolidation_goes_when_it_loses_any_source(shape: str, stays: str) -> None:
    assert kept(shape) == set(stays.split())


def test_a_source_that_was_deleted_before_is_no_support() -> None:
    assert kept("a1:e0,e1", dead="e1") == set()
    assert kept("a1:e0,e1,e2", dead="e1") == {"a1"}
    assert kept("a1:e0,e2 c1:a1,e1", dead="e1") == {"a1"}


def test_a_memory_reached_through_a_deleted_one_is_not_held_by_it() -> None:
    dead = reached("a1", 1, Status.TOMBSTONED)
    sources = [Source("a1", ROOT, alive=True), Source("a2", "a1", alive=False)]
    made = plan([ROOT], [dead, reached("a2", 2)], sources, Policy.TOMBSTONE, 64, sole_support_only=True)
    assert (names(made.gone), made.kept) == (["a2"], [])


def test_one_root_does_not_hold_what_the_other_root_led_to() -> None:
    assert kept("a1:e0,e1", roots="e0 e1") == set()
    assert kept("a1:e0,a2 a2:e1,e2", roots="e0 a2") == set()


def test_support_may_name_the_same_source_twice() -> None:
    assert kept("a1:e0,e1,e1,e0") == {"a1"}
    assert kept("a1:e0,e1 c1:a1,a1") == {"a1", "c1"}


def test_without_sole_support_everything_goes() -> None:
    made = decide("a1:e0,e1 a2:a1,e1", {"a1": 1, "a2": 2}, sole=False)
    assert (names(made.gone), made.kept, made.marked) == (["a1", "a2"], [], [])


def test_policy_none_does_nothing_and_mark_marks_all_of_it() -> None:
    shape, depths = "a1:e0,e1 a2:a1 a3:a2", {"a1": 1, "a2": 2, "a3": 3}
    assert decide(shape, depths, Policy.NONE) == Plan()
    made = decide(shape, depths, Policy.MARK, depth=2)
    assert (names(made.marked), names(made.beyond), made.gone, made.kept) == (["a1", "a2"], ["a3"], [], [])


def test_what_was_deleted_before_is_in_no_part_of_a_plan() -> None:
    some = [reached("a1", 1, Status.TOMBSTONED), reached("a2", 2), reached("a3", 3, Status.TOMBSTONED)]
    for policy in Policy:
        made = plan([ROOT], some, made_from("a1:e0 a2:a1 a3:a2"), policy, 2, sole_support_only=False)
        assert {*names(made.gone), *names(made.marked), *names(made.kept), *names(made.beyond)} <= {"a2"}


def test_what_lies_beyond_the_depth_is_named_when_it_lost_a_source() -> None:
    made = decide("a1:e0 a2:a1 a3:a2,e1", {"a1": 1, "a2": 2, "a3": 3}, depth=2)
    assert (names(made.gone), names(made.beyond)) == (["a1", "a2"], ["a3"])


def test_what_lies_beyond_the_depth_is_unharmed_while_its_sources_stay() -> None:
    made = decide("a1:e0 a2:a1,e1 a3:a2", {"a1": 1, "a2": 2, "a3": 3}, depth=2)
    assert (names(made.gone), names(made.kept), made.beyond) == (["a1"], ["a2"], [])


def test_what_lies_beyond_the_depth_holds_nothing_up() -> None:
    # a3 is not deleted, but it was made from a1 over a2: a circle cannot hold itself up by being long.
    made = decide("a1:e0,a3 a2:a1 a3:a2", {"a1": 1, "a2": 2, "a3": 3}, depth=2)
    assert (names(made.gone), names(made.kept), names(made.beyond)) == (["a1", "a2"], [], ["a3"])


def test_a_plan_counts_by_distance_and_lists_the_nearest_first() -> None:
    made = decide("a1:e0 a2:e0,e1 a10:a1", {"a1": 1, "a2": 1, "a10": 2})
    assert made.by_depth() == {"1": {"tombstoned": 1, "kept": 1}, "2": {"tombstoned": 1}}
    mixed = Plan(gone=[reached("b", 2), reached("a", 11)], marked=[reached("c", 1)])
    assert names(mixed.affected()) == ["c", "b", "a"]
    assert list(mixed.by_depth()) == ["1", "2", "11"]


def test_each_root_is_told_what_it_led_to_itself() -> None:
    order = {name: reached(name, far) for name, far in {"a1": 1, "a2": 1, "a3": 2}.items()}
    led_to = {"e0": ["a1"], "e1": ["a2"], "a1": ["a3"], "a2": ["a3"], "a3": ["a1"]}
    assert names(downstream("e0", led_to, order)) == ["a1", "a3"]
    assert names(downstream("e1", led_to, order)) == ["a1", "a2", "a3"]
    assert names(downstream("e2", led_to, order)) == []
