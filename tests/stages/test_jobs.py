"""A job is run by one worker at a time, survives it, ends once, and is never forgotten.

Each test claims the jobs of its own namespace only, since other tests share the queue.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memgraph_svc.errors.availability import Unavailable
from memgraph_svc.graph.catalogue import Query, query
from memgraph_svc.graph.client import Graph
from memgraph_svc.jobs.beat import Beat
from memgraph_svc.jobs.fencing import hold
from memgraph_svc.jobs.model import Job, JobCancelled, JobSpec, JobStatus, LeaseLost, job_end, job_row
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.jobs.worker import ENDED, Handler, Worker
from memgraph_svc.model.scope import Scope
from tests.support.cypher import rows
from tests.support.jobs import ME, change, due_in, lapse, put, stored

LEASE_S = 30


@pytest.fixture
def store(graph: Graph) -> JobStore:
    return JobStore(graph)


def claimed(store: JobStore, scope: Scope) -> Job:
    job = store.claim("w", LEASE_S, scope.key)
    assert job is not None
    return job


def until(what: Callable[[], Any], seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
    return found


@contextmanager
def working(store: JobStore, scope: Scope, handlers: dict[str, Handler], **more: Any) -> Generator[Worker]:
    worker = Worker(store, handlers, scope_key=scope.key, **more)
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield worker
    finally:
        worker.stop()
        thread.join(40)
        assert not thread.is_alive()


def status(graph: Graph, job_id: str) -> str:
    return stored(graph, job_id)["status"]


# --- claiming


def test_a_claimed_job_is_running_and_nobody_else_gets_it(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope, payload={"ids": ["ep_1"]}, trigger="manual")
    job = claimed(store, scope)
    assert (job.id, job.scope, job.status, job.attempts, job.fence) == (name, scope, JobStatus.RUNNING, 1, 1)
    assert (job.payload, job.trigger) == ({"ids": ["ep_1"]}, "manual")
    assert store.claim("another", LEASE_S, scope.key) is None
    assert LEASE_S - 5 < due_in(graph, name) <= LEASE_S


def test_a_job_for_later_waits(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope, run_after=datetime.now(UTC) + timedelta(hours=1))
    assert store.claim("w", LEASE_S, scope.key) is None
    lapse(graph, name)
    assert claimed(store, scope).id == name


def test_many_claim_at_once_and_each_job_goes_to_one(graph: Graph, store: JobStore, scope: Scope) -> None:
    names = {put(graph, scope) for _ in range(60)}

    def take(owner: int) -> list[str]:
        mine = []
        while (job := store.claim(str(owner), LEASE_S, scope.key)) is not None:
            mine.append(job.id)
        return mine

    with ThreadPoolExecutor(8) as pool:
        taken = [name for mine in pool.map(take, range(8)) for name in mine]
    assert sorted(taken) == sorted(set(taken))
    # A claimer may leave early when others took what it saw; nothing is lost by it.
    while (job := store.claim("last", LEASE_S, scope.key)) is not None:
        taken.append(job.id)
    assert sorted(taken) == sorted(names)


def test_two_workers_never_run_one_job_twice_at_once(graph: Graph, store: JobStore, scope: Scope) -> None:
    names = [put(graph, scope) for _ in range(40)]
    now, most, runs, guard = Counter[str](), Counter[str](), Counter[str](), threading.Lock()

    def handler(job: Job, _: Beat) -> dict[str, Any]:
        with guard:
            now[job.id] += 1
            runs[job.id] += 1
            most[job.id] = max(most[job.id], now[job.id])
        time.sleep(0.03)
        with guard:
            now[job.id] -= 1
        return {"done": True}

    with working(store, scope, {"test": handler}, threads=3), working(store, scope, {"test": handler}, threads=3):
        until(lambda: all(status(graph, name) == "completed" for name in names), 60)
    assert set(runs.values()) == set(most.values()) == {1}
    assert stored(graph, names[0])["resultJson"] == '{"done":true}'
    assert "readyAt" not in stored(graph, names[0])


# --- leases and fences


def test_a_lease_that_ended_gives_the_job_to_another_and_fences_the_first(
    graph: Graph, store: JobStore, scope: Scope
) -> None:
    name = put(graph, scope)
    first = claimed(store, scope)
    lapse(graph, name)
    second = claimed(store, scope)
    assert (second.id, second.fence, second.attempts) == (name, first.fence + 1, 2)
    assert store.heartbeat(first, LEASE_S) is None
    assert not store.end(first, JobStatus.COMPLETED, {"by": "first"})
    assert store.fail(first, {"code": "x", "message": "x", "retryable": False}) is None
    assert store.release(first) is None
    with pytest.raises(LeaseLost):
        graph.write(lambda tx: hold(tx.run, scope.key, name, first.fence))
    graph.execute(query("write/end_jobs"), scope_key=scope.key, rows=[job_end(first, {"by": "first"})])
    assert status(graph, name) == "running"
    assert store.end(second, JobStatus.COMPLETED, {"by": "second"})
    assert stored(graph, name)["resultJson"] == '{"by":"second"}'
    assert store.heartbeat(second, LEASE_S) is None


def test_an_end_that_waits_for_the_claim_of_another_finds_its_lease_lost(
    graph: Graph, store: JobStore, scope: Scope
) -> None:
    """It read the job before the other's commit; what it then sees under the lock must decide."""
    name = put(graph, scope)
    first = claimed(store, scope)
    lapse(graph, name)
    inside = threading.Event()

    def take(tx: Any) -> None:
        tx.run(query("jobs/pick_job"), scope_key=scope.key, owner="second", among=10)
        inside.set()
        time.sleep(0.5)
        tx.run(query("jobs/take_job"), job_id=name, owner="second", lease_ms=30_000, lost="{}")

    def held() -> bool:
        with suppress(LeaseLost):
            graph.write(lambda tx: hold(tx.run, scope.key, name, first.fence))
            return True
        return False

    end_row = [job_end(first)]
    with ThreadPoolExecutor(6) as pool:
        taking = pool.submit(graph.write, take)
        inside.wait(5)
        late = [
            pool.submit(store.heartbeat, first, LEASE_S),
            pool.submit(store.end, first, JobStatus.COMPLETED),
            pool.submit(store.fail, first, {"code": "x", "message": "x", "retryable": False}),
            pool.submit(held),
            pool.submit(graph.execute, query("write/end_jobs"), scope_key=scope.key, rows=end_row),
        ]
        taking.result()
        assert [each.result() or None for each in late] == [None] * 5
    after = stored(graph, name)
    assert (after["status"], after["leaseOwner"], after["fence"]) == ("running", "second", 2)


def test_a_heartbeat_extends_the_lease_and_stores_progress(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    job = claimed(store, scope)
    lapse(graph, name)
    assert store.heartbeat(job, LEASE_S, {"done": 3, "of": 10}) is False
    assert due_in(graph, name) > LEASE_S - 5
    assert store.heartbeat(job, LEASE_S) is False
    assert stored(graph, name)["progressJson"] == '{"done":3,"of":10}'


def test_a_job_outlives_many_leases_while_its_worker_lives(graph: Graph, store: JobStore, scope: Scope) -> None:
    name, runs = put(graph, scope), []

    def handler(job: Job, beat: Beat) -> None:
        runs.append(job.fence)
        for at in range(20):
            beat({"done": at})
            time.sleep(0.15)

    with working(store, scope, {"test": handler}, lease_s=1), working(store, scope, {"test": handler}, lease_s=1):
        until(lambda: status(graph, name) == "completed")
    assert runs == [1]
    assert stored(graph, name)["progressJson"] == '{"done":19}'


def test_a_handler_hears_that_its_lease_is_lost(graph: Graph, store: JobStore, scope: Scope) -> None:
    name, heard = put(graph, scope), threading.Event()

    def handler(_: Job, beat: Beat) -> None:
        try:
            while True:
                beat()
                time.sleep(0.01)
        except LeaseLost:
            heard.set()
            raise

    with working(store, scope, {"test": handler}, lease_s=0.5):
        until(lambda: status(graph, name) == "running")
        change(graph, name, fence=7)
        assert heard.wait(5)
    assert status(graph, name) == "running"


# --- ending


def test_a_handler_ends_its_job_in_its_own_transaction(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)

    def handler(job: Job, _: Beat) -> Any:
        def work(tx: Any) -> None:
            hold(tx.run, job.scope.key, job.id, job.fence)
            tx.run(query("write/end_jobs"), scope_key=job.scope.key, rows=[job_end(job, {"n": 1}, {"done": 1})])

        graph.write(work)
        return ENDED

    with working(store, scope, {"test": handler}):
        until(lambda: status(graph, name) == "completed")
    after = stored(graph, name)
    assert (after["resultJson"], after["progressJson"]) == ('{"n":1}', '{"done":1}')
    assert not {"readyAt", "leaseOwner", "leaseUntil", "mergeKey"} & set(after)


def test_a_failed_attempt_waits_longer_each_time_and_then_fails(graph: Graph, store: JobStore, scope: Scope) -> None:
    name, error = put(graph, scope, max_attempts=3), {"code": "x", "message": "no", "retryable": True}
    for attempt in (1, 2):
        assert store.fail(claimed(store, scope), error) is JobStatus.QUEUED
        assert 2**attempt / 2 - 0.5 < due_in(graph, name) <= 2**attempt
        assert store.claim("w", LEASE_S, scope.key) is None
        lapse(graph, name)
    assert store.fail(claimed(store, scope), error) is JobStatus.FAILED
    job = store.get(scope, name)
    assert job is not None
    assert (job.attempts, job.error) == (3, error)
    change(graph, name, status="running", attempts=20, maxAttempts=99)
    assert store.fail(job, error) is JobStatus.QUEUED
    assert 149 < due_in(graph, name) <= 300


def test_an_error_that_no_retry_can_mend_fails_at_once(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    assert store.fail(claimed(store, scope), {"code": "x", "message": "no", "retryable": False}) is JobStatus.FAILED
    assert "readyAt" not in stored(graph, name)


def test_a_job_that_keeps_killing_its_workers_is_failed(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope, max_attempts=2)
    for _ in range(2):
        claimed(store, scope)
        lapse(graph, name)
    assert store.claim("w", LEASE_S, scope.key) is None
    job = store.get(scope, name)
    assert job is not None
    assert job.error is not None
    assert (job.status, job.attempts, job.error["code"]) == (JobStatus.FAILED, 2, "worker_lost")


def test_an_ending_job_does_not_hide_the_next_one(graph: Graph, store: JobStore, scope: Scope) -> None:
    dying = put(graph, scope, max_attempts=1)
    claimed(store, scope)
    lapse(graph, dying)
    name = put(graph, scope)
    assert claimed(store, scope).id == name


def test_what_a_handler_raises_is_stored_without_its_words(graph: Graph, store: JobStore, scope: Scope) -> None:
    def broken(job: Job, _: Beat) -> None:
        if job.payload["how"] == "ours":
            raise Unavailable("Try later.")
        raise ValueError("Ada's secret")

    ours, other = (put(graph, scope, payload={"how": how}, max_attempts=1) for how in ("ours", "other"))
    unknown = put(graph, scope, kind="no_such_kind")
    with working(store, scope, {"test": broken}):
        until(lambda: {status(graph, name) for name in (ours, other, unknown)} == {"failed"})
    errors: dict[str, Any] = {}
    for name in (ours, other, unknown):
        job = store.get(scope, name)
        assert job is not None
        errors[name] = job.error
    assert errors[ours] == {"code": "unavailable", "message": "Try later.", "retryable": True}
    assert errors[other] == {"code": "job_error", "message": "ValueError", "retryable": True}
    assert (errors[unknown]["code"], errors[unknown]["retryable"]) == ("unsupported_job", False)


# --- cancel, retry, hand back


def test_a_queued_job_is_cancelled_at_once(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope, merge_key=f"m:{scope.key}")
    job = store.cancel(scope.key, name)
    assert job is not None
    assert job.status is JobStatus.CANCELLED
    assert store.claim("w", LEASE_S, scope.key) is None
    assert put(graph, scope, merge_key=f"m:{scope.key}") == claimed(store, scope).id


def test_a_running_job_is_told_and_stops(graph: Graph, store: JobStore, scope: Scope) -> None:
    name, held = put(graph, scope), []

    def handler(job: Job, beat: Beat) -> None:
        while True:
            try:
                beat()
            except JobCancelled:
                with pytest.raises(JobCancelled):
                    graph.write(lambda tx: hold(tx.run, scope.key, job.id, job.fence))
                held.append(job.id)
                raise
            time.sleep(0.02)

    with working(store, scope, {"test": handler}, lease_s=1):
        until(lambda: status(graph, name) == "running")
        job = store.cancel(scope.key, name)
        assert job is not None
        assert job.cancel_requested
        until(lambda: status(graph, name) == "cancelled")
    assert held == [name]
    assert "cancelRequested" not in stored(graph, name)


def test_a_cancelled_job_of_a_killed_worker_is_not_run_again(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    claimed(store, scope)
    store.cancel(scope.key, name)
    lapse(graph, name)
    assert store.claim("w", LEASE_S, scope.key) is None
    assert status(graph, name) == "cancelled"


def test_a_failed_attempt_of_a_job_to_cancel_is_its_end(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    job = claimed(store, scope)
    store.cancel(scope.key, name)
    assert store.fail(job, {"code": "x", "message": "x", "retryable": True}) is JobStatus.CANCELLED


def test_retry_starts_a_failed_job_from_the_beginning(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    job = claimed(store, scope)
    assert store.retry(scope.key, name) is None
    store.fail(job, {"code": "x", "message": "x", "retryable": False}, {"done": 1})
    again = store.retry(scope.key, name)
    assert again is not None
    assert (again.status, again.attempts, again.error, again.progress) == (JobStatus.QUEUED, 0, None, None)
    assert (claimed(store, scope).id, store.end(job, JobStatus.COMPLETED)) == (name, False)


def test_a_released_job_is_queued_as_if_never_claimed(graph: Graph, store: JobStore, scope: Scope) -> None:
    name = put(graph, scope)
    job = claimed(store, scope)
    assert store.release(job) is JobStatus.QUEUED
    again = claimed(store, scope)
    assert (again.id, again.attempts, again.fence) == (name, 1, 2)
    assert not store.end(job, JobStatus.COMPLETED)


def test_a_stopping_worker_waits_and_then_hands_back(graph: Graph, store: JobStore, scope: Scope) -> None:
    go, heard = threading.Event(), threading.Event()

    def handler(job: Job, beat: Beat) -> None:
        if job.payload["how"] == "short":
            time.sleep(0.3)
            return
        go.wait(20)
        with pytest.raises(LeaseLost):
            beat()
        heard.set()

    short, long = (put(graph, scope, payload={"how": how}) for how in ("short", "long"))
    with working(store, scope, {"test": handler}, grace_s=1):
        until(lambda: status(graph, short) == status(graph, long) == "running")
    assert (status(graph, short), status(graph, long)) == ("completed", "queued")
    assert stored(graph, long)["attempts"] == 0
    go.set()
    assert heard.wait(5)
    time.sleep(0.1)
    assert status(graph, long) == "queued"


# --- merge keys


def test_one_job_is_queued_for_a_merge_key_until_it_is_claimed(graph: Graph, store: JobStore, scope: Scope) -> None:
    key = f"embed:{scope.key}"
    first = put(graph, scope, merge_key=key)
    put(graph, scope, merge_key=key)
    assert claimed(store, scope).id == first
    second = put(graph, scope, merge_key=key)
    put(graph, scope, merge_key=key)
    assert claimed(store, scope).id == second
    assert store.claim("w", LEASE_S, scope.key) is None


def test_a_commit_that_joins_a_job_is_seen_by_it(graph: Graph, store: JobStore, scope: Scope) -> None:
    """The claim waits for the commit that joined; a commit that finds the job just claimed makes another."""
    key, inside = f"embed:{scope.key}", threading.Event()
    first = put(graph, scope, merge_key=key)

    def join(tx: Any) -> None:
        row = job_row(JobSpec("test", merge_key=key), scope, ME, datetime.now(UTC))
        tx.run(query("write/put_jobs"), scope_key=scope.key, rows=[row])
        inside.set()
        time.sleep(0.5)

    with ThreadPoolExecutor(2) as pool:
        joining, started = pool.submit(graph.write, join), time.monotonic()
        inside.wait(5)
        assert claimed(store, scope).id == first
        assert time.monotonic() - started > 0.45
        joining.result()
    assert store.claim("w", LEASE_S, scope.key) is None

    inside.clear()
    put(graph, scope, merge_key=key)

    def take(tx: Any) -> str:
        name = tx.run(query("jobs/pick_job"), scope_key=scope.key, owner="w", among=10)[0]["id"]
        inside.set()
        time.sleep(0.5)
        tx.run(query("jobs/take_job"), job_id=name, owner="w", lease_ms=30_000, lost="{}")
        return name

    with ThreadPoolExecutor(2) as pool:
        taking = pool.submit(graph.write, take)
        inside.wait(5)
        late = put(graph, scope, merge_key=key)
        taken = taking.result()
    assert taken != late
    assert claimed(store, scope).id == late


def test_no_work_is_missed_while_jobs_of_one_key_come_and_go(graph: Graph, store: JobStore, scope: Scope) -> None:
    add = Query("test", "CREATE (w:JobTestWork {scopeKey: $k}) RETURN 1 AS n", "", "write", "many", {}, {})
    do = "MATCH (w:JobTestWork {scopeKey: $k}) WHERE w.done IS NULL SET w.done = true RETURN count(w) AS n"
    left = "MATCH (w:JobTestWork {scopeKey: $k}) WHERE w.done IS NULL RETURN count(w) AS n"

    def write(_: int) -> None:
        def work(tx: Any) -> None:
            tx.run(add, k=scope.key)
            row = job_row(JobSpec("test", merge_key=f"m:{scope.key}"), scope, ME, datetime.now(UTC))
            tx.run(query("write/put_jobs"), scope_key=scope.key, rows=[row])

        graph.write(work)

    def handler(job: Job, _: Beat) -> None:
        rows(graph, do, k=job.scope.key)

    with working(store, scope, {"test": handler}, threads=2), working(store, scope, {"test": handler}, threads=2):
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(write, range(300)))
        open_jobs = "MATCH (j:Job {scopeKey: $k}) WHERE j.readyAt IS NOT NULL RETURN count(j) AS n"
        until(lambda: rows(graph, open_jobs, k=scope.key)[0]["n"] == 0)
    assert rows(graph, left, k=scope.key) == [{"n": 0}]
    rows(graph, "MATCH (w:JobTestWork {scopeKey: $k}) DELETE w RETURN count(*) AS n", k=scope.key)
