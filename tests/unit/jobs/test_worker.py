"""A worker outlives a database that goes away, and a beat says what its handler must know."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, cast

import pytest
import structlog

from memgraph_svc.errors.availability import Unavailable
from memgraph_svc.jobs.beat import Beat
from memgraph_svc.jobs.model import Job, JobCancelled, JobStatus, LeaseLost
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.jobs.worker import Worker
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope

JOB = Job("job_1", "k", Scope("t", "n"), JobStatus.RUNNING, 1, 5, 1, {}, "", "", Actor("u", "user"))


class Fake:
    """A store whose answers a test decides: a value, or an exception to raise."""

    def __init__(self, **answers: list[Any]) -> None:
        self.answers, self.calls = answers, list[str]()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*_: Any) -> Any:
            self.calls.append(name)
            left = self.answers.get(name, [None])
            answer = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


def made(fake: Fake) -> JobStore:
    return cast("JobStore", fake)


def test_a_database_that_is_away_is_said_once_and_waited_for() -> None:
    fake, ran = Fake(claim=[Unavailable(), Unavailable(), JOB, None], end=[True]), threading.Event()
    worker = Worker(made(fake), {"k": lambda _job, _beat: ran.set()})
    with structlog.testing.capture_logs() as said:
        thread = threading.Thread(target=worker.run)
        thread.start()
        assert ran.wait(10)
        worker.stop()
        thread.join(10)
    assert [each["event"] for each in said] == ["worker_waits", "worker_goes_on", "job"]
    assert said[-1]["ended"] == "completed"


def test_an_end_that_cannot_be_recorded_is_left_to_the_lease() -> None:
    fake = Fake(claim=[JOB, None], end=[Unavailable()], fail=[Unavailable()])
    worker = Worker(made(fake), {"k": lambda _job, _beat: {}})
    with structlog.testing.capture_logs() as said:
        thread = threading.Thread(target=worker.run)
        thread.start()
        while not said:
            time.sleep(0.01)
        worker.stop()
        thread.join(10)
    assert said[0]["ended"] == "unsettled"


@pytest.mark.parametrize(("answer", "raised"), [(None, LeaseLost), (True, JobCancelled)])
def test_a_beat_raises_what_the_heartbeat_found(answer: bool | None, raised: type[Exception]) -> None:
    with Beat(made(Fake(heartbeat=[answer])), JOB, 0.1) as beat:
        beat({"done": 1})
        time.sleep(0.3)
        with pytest.raises(raised):
            beat()
    assert beat.progress == {"done": 1}


def test_a_lease_counts_as_lost_once_nobody_could_extend_it() -> None:
    with Beat(made(Fake(heartbeat=[Unavailable()])), JOB, 0.3) as beat:
        time.sleep(0.15)
        beat()
        time.sleep(0.4)
        with pytest.raises(LeaseLost):
            beat()


def test_a_beat_that_was_given_up_stays_so() -> None:
    with Beat(made(Fake(heartbeat=[False])), JOB, 0.1) as beat:
        beat.give_up()
        time.sleep(0.2)
        with pytest.raises(LeaseLost):
            beat()
