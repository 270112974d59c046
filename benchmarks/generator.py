"""Load from many clients: processes with threads, each thread with a connection of its own.

In: a plan as one line of JSON on standard input. Out: one line with the requests answered. As a program it is a worker;
``Load`` starts the workers and adds up. Requests are made before the clock starts where they do not differ.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.link import Link, request

_PROCESSES = 4
_LEAD_S = 0.4  # from handing out the plan to the common start; connections are made in it
_ROOT = Path(__file__).resolve().parents[1]
NUMBER = "@" * 20  # what a number of twenty digits takes the place of
Plan = dict[str, Any]


class Load:
    """Worker processes that wait for plans."""

    def __init__(self, workers: list[subprocess.Popen[str]]) -> None:
        self._workers = workers
        self._started = 0

    def rate(self, port: int, path: str, body: Any, clients: int, seconds: float) -> float:
        """Requests a second that so many clients get answered; ``NUMBER`` in the body differs in each request."""
        used = min(clients, len(self._workers))
        self._started += 1
        plan: Plan = {"port": port, "path": path, "body": body, "seconds": seconds, "start": time.time() + _LEAD_S}
        for at, worker in enumerate(self._workers[:used]):
            share = clients // used + (1 if at < clients % used else 0)
            _tell(worker, {**plan, "threads": share, "first": (self._started * 100 + at) * 10_000_000})
        answers = [_hear(worker) for worker in self._workers[:used]]
        wrong = [each["error"] for each in answers if each["error"]]
        if wrong:
            raise RuntimeError(f"a client failed: {wrong[0]}")
        return sum(each["rate"] for each in answers)


@contextmanager
def load() -> Generator[Load]:
    """Workers, ended in the end; they also end by themselves when their standard input does."""
    with ExitStack() as kept:
        workers = [kept.enter_context(_worker()) for _ in range(_PROCESSES)]
        yield Load(workers)


@contextmanager
def _worker() -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "benchmarks.generator"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:
        try:
            yield process
        finally:
            process.terminate()


def _tell(worker: subprocess.Popen[str], plan: Plan) -> None:
    assert worker.stdin is not None
    worker.stdin.write(json.dumps(plan) + "\n")
    worker.stdin.flush()


def _hear(worker: subprocess.Popen[str]) -> Plan:
    assert worker.stdout is not None
    return json.loads(worker.stdout.readline() or '{"rate": 0, "error": "a worker ended"}')


# --- the worker ---------------------------------------------------------------------------------------------------


def _run(plan: Plan) -> Plan:
    answered = [0.0] * plan["threads"]
    errors: list[str] = []
    before, _, after = request("POST", plan["path"], plan["body"]).partition(NUMBER.encode())

    def client(at: int) -> None:
        try:
            with Link(plan["port"]) as link:
                answered[at] = _until(plan, link, before, after, plan["first"] + at * 100_000)
        except Exception as fault:  # noqa: BLE001  reported to the parent, which fails
            errors.append(repr(fault))

    threads = [threading.Thread(target=client, args=(at,)) for at in range(plan["threads"])]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return {"rate": sum(answered), "error": errors[0] if errors else ""}


def _until(plan: Plan, link: Link, before: bytes, after: bytes, number: int) -> float:
    time.sleep(max(0.0, plan["start"] - time.time()))
    began, count = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < plan["seconds"] or count == 0:
        # As long as the placeholder, so that the length said in the head stays right.
        link.send(before + f"{number + count:020}".encode() + after)
        count += 1
    return count / passed


def main() -> None:
    """Carry out plans until there are no more."""
    for line in sys.stdin:
        print(json.dumps(_run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
