"""Start the processes of a stack, keep them running, and end them in good order.

In: a ``Plan``. Out: processes, a state file that says where they are, and one line of log for each that ended and was
started again. What the plan says is decided in ``stack.py``; what a person sees, in ``cli``.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from memgraph_svc.embedded import state
from memgraph_svc.embedded.processes import Child, Pauses, Running, rotate, tail
from memgraph_svc.embedded.ready import ask_ready
from memgraph_svc.embedded.server import Connection, EmbeddedServer
from memgraph_svc.embedded.state import Mark, StackState
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.errors.start import StartError

_LOOK_S, _READY_S, _ANSWERS = 0.2, 120.0, 5
Say = Callable[[str], None]


class _StopAsked(Exception):
    """A signal asked for the end while something was still being started."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes up a stack: the embedded server unless another one is used, and its children."""

    data_dir: Path
    server: EmbeddedServer | None
    connection: Connection | None
    host: str
    port: int
    children: Callable[[Connection], list[Child]]


class Supervisor:
    """Runs one plan in the foreground, until a signal ends it."""

    def __init__(self, plan: Plan, say: Say) -> None:
        self._plan, self._say = plan, say
        self._server, self._logs = plan.server, plan.data_dir / "logs"
        self._running: list[Running] = []
        self._due: dict[str, float] = {}
        self._server_pauses = Pauses()
        self._stop_asked = False
        self._neo4j_at_hand = plan.server is None
        self._state = StackState(
            supervisor=Mark.of(os.getpid()),
            host=plan.host,
            port=plan.port,
            bolt_uri=plan.connection.uri if plan.connection else "",
            embedded=plan.server is not None,
        )

    def run(self, on_ready: Callable[[StackState], None]) -> None:
        """Start everything, call ``on_ready`` once it serves, and keep it up until SIGINT or SIGTERM.

        Raises a ``ServiceError`` that says why when it cannot be started; whatever was started is ended first.
        """
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if (number := getattr(signal, name, None)) is not None:  # Windows has no SIGHUP
                signal.signal(number, self._on_signal)
        try:
            self._note()
            self._start()
            self._note(ready=True)
            on_ready(self._state)
            while not self._stop_asked:
                self._look()
                time.sleep(_LOOK_S)
        except _StopAsked:
            pass
        finally:
            self._end()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._stop_asked and number == signal.SIGINT:
            self._kill_all()
        self._stop_asked = True

    # --- starting

    def _start(self) -> None:
        self._logs.mkdir(parents=True, exist_ok=True)
        found = self._plan.connection or self._start_server()
        self._note(bolt_uri=found.uri)
        for child in self._plan.children(found):
            made = Running(child, self._logs)
            rotate(made.log_file)
            self._running.append(made)
            made.start()
        self._note()
        self._say("Starting the API")
        self._wait_ready()

    def _start_server(self) -> Connection:
        """Start the embedded server in a thread, so that a signal is seen at once during a long download."""
        server = self._server
        assert server is not None  # noqa: S101  the plan has a connection otherwise
        if server.pid() is not None:
            self._say("Neo4j runs already on this data folder; it becomes part of the stack")
            return self._adopt(server)
        got: list[Connection | BaseException] = []

        def say(line: str) -> None:
            # The last line before the launch comes through here: once a stop is asked, nothing is launched any more.
            if self._stop_asked:
                raise _StopAsked
            self._say(line)

        def start() -> None:
            try:
                got.append(server.start(say))
            except BaseException as cause:  # noqa: BLE001  handed to the thread that waits
                got.append(cause)

        thread = threading.Thread(target=start, name="neo4j", daemon=True)
        thread.start()
        while thread.is_alive() and not self._stop_asked:
            thread.join(_LOOK_S)
        if self._stop_asked:
            self._abandon(thread, server)
            raise _StopAsked
        if isinstance(got[0], BaseException):
            raise got[0]
        return self._adopt(server)

    def _adopt(self, server: EmbeddedServer) -> Connection:
        noted: dict[str, Any] = server.state()
        # A server found running has its own ports; started again, it must come back where the API looks for it.
        server.bolt_port, server.http_port = int(noted["boltPort"]), int(noted["httpPort"])
        self._neo4j_at_hand = True
        self._note(bolt_port=server.bolt_port, browser_port=server.http_port)
        return server.connection()

    def _abandon(self, thread: threading.Thread, server: EmbeddedServer) -> None:
        # A launch that is under way shows its process within moments; a download simply ends with this process.
        deadline = time.monotonic() + 2
        while thread.is_alive() and server.pid() is None and time.monotonic() < deadline:
            thread.join(_LOOK_S)
        server.stop()
        thread.join(_LOOK_S)

    def _wait_ready(self) -> None:
        deadline, problem, answers = time.monotonic() + _READY_S, "", 0
        while answers < _ANSWERS:
            if self._stop_asked:
                raise _StopAsked
            self._check_children()
            answer = ask_ready(self._state.api_url)
            # Each API process prepares itself, and any of them may answer: one that is ready says little of the others.
            answers = answers + 1 if answer.get("ready") else 0
            if answer and not answer.get("ready") and not answer.get("retryable", True):
                raise StartError(str(answer.get("message", "The API refuses to serve.")))
            problem = self._say_once(answer, problem)
            if time.monotonic() > deadline:
                log = tail(self._running[0].log_file)
                raise StartError(f"The API was not ready within {_READY_S:.0f} s. {problem}\nIts last words:\n{log}")
            time.sleep(_LOOK_S if not answers else _LOOK_S / 4)

    def _check_children(self) -> None:
        for each in self._running:
            if how := each.ended():
                raise StartError(f"The {each.child.name} {how}. Its last words:\n{tail(each.log_file)}")

    def _say_once(self, answer: dict[str, Any], said: str) -> str:
        problem = str(answer.get("message", ""))
        if problem and problem != said and answer.get("code") != "not_ready":
            self._say(f"Waiting: {problem}")
        return problem or said

    # --- watching

    def _look(self) -> None:
        if self._server is not None and self._server.pid() is None:
            self._again("neo4j", "ended", self._server_pauses, self._restart_server)
        for each in self._running:
            if how := each.ended():
                self._again(each.child.name, how, each.pauses, lambda each=each: self._restart(each))

    def _again(self, name: str, how: str, pauses: Pauses, start: Callable[[], None]) -> None:
        now = time.monotonic()
        if name not in self._due:
            pause = pauses.take()
            self._due[name] = now + pause
            self._say(f"{name} {how}; starting it again in {pause:g} s")
        elif now >= self._due[name]:
            del self._due[name]
            start()
            self._note()

    def _restart_server(self) -> None:
        self._neo4j_at_hand = False
        self._server_pauses.started()
        try:
            self._start_server()
        except ServiceError as cause:
            self._say(f"neo4j could not be started: {cause.message}")

    def _restart(self, each: Running) -> None:
        each.kill()
        each.start()

    # --- ending

    def _end(self) -> None:
        self._stop_asked = True
        if self._running or self._neo4j_at_hand:
            self._say("Stopping")
        for each in reversed(self._running):
            each.stop()
        if self._server is not None and self._neo4j_at_hand:
            self._server.stop()
        state.forget(self._plan.data_dir)

    def _kill_all(self) -> None:
        for each in self._running:
            each.kill()
        if self._server is not None:
            self._server.kill()
        state.forget(self._plan.data_dir)
        os._exit(130)

    def _note(self, **changed: Any) -> None:
        marks = {each.child.name: mark for each in self._running if (mark := each.mark)}
        self._state = replace(self._state, children=marks, **changed)
        state.write(self._plan.data_dir, self._state)
