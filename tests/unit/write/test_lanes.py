"""Lanes share transactions, keep results apart, and leave nobody waiting."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from memgraph_svc.errors.availability import Overloaded, Unavailable
from memgraph_svc.errors.base import Internal
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import MAX_GROUP_WEIGHT, Lanes
from memgraph_svc.write.view import Questions

HERE = Scope("t", "n")


@dataclass(frozen=True)
class Wish:
    """A proposal that only has a name."""

    name: str
    scope: Scope = HERE
    weight: int = 1

    def questions(self) -> Questions:
        return Questions()

    def decide(self, view: Any) -> Any:
        raise NotImplementedError


class Recorder:
    """Stands where the transaction is and notes what came together."""

    def __init__(self, pause: float = 0.0, bad: str | None = None, error: Exception | None = None) -> None:
        self.groups: list[list[str]] = []
        self.pause, self.bad, self.error = pause, bad, error
        self.inside, self.most_inside = 0, 0

    def __call__(self, lane: str, commit_id: str, group: list[Any]) -> list[Any]:
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        time.sleep(self.pause)
        self.inside -= 1
        names = [each.name for each in group]
        if self.bad in names:
            raise self.error or InvalidRequest(f"{self.bad} is bad")
        self.groups.append(names)
        return [name.upper() for name in names]


def submit_all(lanes: Lanes, wishes: list[Wish]) -> list[Any]:
    def one(wish: Wish) -> Any:
        try:
            return lanes.submit(wish)
        except Exception as error:  # noqa: BLE001
            return error

    with ThreadPoolExecutor(len(wishes)) as pool:
        return list(pool.map(one, wishes))


def test_concurrent_writes_of_one_namespace_share_transactions_and_keep_their_results() -> None:
    made = Recorder(pause=0.02)
    lanes = Lanes(made, max_waiting=1_000)
    names = [f"w{at}" for at in range(40)]
    assert submit_all(lanes, [Wish(name) for name in names]) == [name.upper() for name in names]
    assert len(made.groups) < 20
    assert sorted(name for group in made.groups for name in group) == sorted(names)
    assert made.most_inside == 1


def test_namespaces_never_wait_for_each_other() -> None:
    made = Recorder(pause=0.2)
    lanes = Lanes(made, max_waiting=10)
    started = time.monotonic()
    submit_all(lanes, [Wish(f"n{at}", Scope("t", f"n{at}")) for at in range(8)])
    assert time.monotonic() - started < 1.2
    assert made.most_inside > 1


def test_a_failing_group_is_split_until_only_the_guilty_hears_of_it() -> None:
    made = Recorder(pause=0.02, bad="w7")
    answers = submit_all(Lanes(made, max_waiting=100), [Wish(f"w{at}") for at in range(20)])
    assert [type(each) for at, each in enumerate(answers) if at == 7] == [InvalidRequest]
    assert [each for at, each in enumerate(answers) if at != 7] == [f"W{at}" for at in range(20) if at != 7]


def test_an_absent_database_is_not_asked_again_for_every_half() -> None:
    made = Recorder(pause=0.05, bad="w3", error=Unavailable())
    answers = submit_all(Lanes(made, max_waiting=100), [Wish(f"w{at}") for at in range(4)])
    assert isinstance(answers[3], Unavailable)


def test_too_many_waiting_are_refused() -> None:
    made = Recorder(pause=0.3)
    answers = submit_all(Lanes(made, max_waiting=2), [Wish(f"w{at}") for at in range(12)])
    assert any(isinstance(each, Overloaded) for each in answers)
    assert any(isinstance(each, str) for each in answers)


def test_heavy_writes_do_not_share() -> None:
    made = Recorder(pause=0.05)
    submit_all(Lanes(made, max_waiting=100), [Wish(f"w{at}", weight=MAX_GROUP_WEIGHT) for at in range(6)])
    assert all(len(group) == 1 for group in made.groups)


def test_a_leader_that_dies_leaves_errors_and_a_working_lane() -> None:
    calls = []

    def dying(lane: str, commit_id: str, group: list[Any]) -> list[Any]:
        calls.append(len(group))
        if len(calls) == 1:
            raise SystemExit
        return [each.name for each in group]

    lanes = Lanes(dying, max_waiting=10)
    with pytest.raises(SystemExit):
        lanes.submit(Wish("first"))
    assert lanes.submit(Wish("second")) == "second"


def test_results_never_default_to_success() -> None:
    lanes = Lanes(lambda *_: [], max_waiting=10)
    with pytest.raises((Internal, ValueError)):
        lanes.submit(Wish("lost"))


def test_idle_lanes_are_forgotten() -> None:
    lanes = Lanes(Recorder(), max_waiting=10)
    for at in range(50):
        lanes.submit(Wish("w", Scope("t", f"n{at}")))
    assert not lanes._lanes
    assert threading.active_count() < 50
