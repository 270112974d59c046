"""Run extractors in processes of their own, so that none can stop the worker.

In: the name of a plugin and one episode. Out: its claims, or ``ExtractorFault`` or ``ExtractorTimeout``; a child that is
late, ends or crashes is replaced. Only JSON crosses over. When to extract is decided in ``extract.py``. This guards against
faults and not against malice: a plugin is installed code.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from memgraph_svc.derive import extractors
from memgraph_svc.derive.extractor import Extracted, Extractor, Told, checked
from memgraph_svc.errors.work import ExtractorFault, ExtractorTimeout
from memgraph_svc.model.content import dumps

_START_S: Final = 60.0  # a plugin may have a model to load
_LOOK_S, _REAP_S, _GRACE_S = 0.25, 5.0, 5
_NOT_FOR_PLUGINS = ("NEO4J_PASSWORD", "MEMGRAPH_API_TOKEN")
_starting = threading.Lock()  # the standard library keeps one list of children for the process


class Sandbox:
    """As many children as there are threads that extract at once, kept between jobs."""

    def __init__(self, limit_s: float, start_s: float = _START_S) -> None:
        self._limit_s, self._start_s = limit_s, start_s
        self._idle: list[_Child] = []
        self._guard = threading.Lock()

    def extract(self, name: str, told: Told, going: Callable[[], Any]) -> list[Extracted]:
        """What a plugin says of an episode; ``going`` is called meanwhile, and what it raises ends the child.

        Raises ``ExtractorTimeout`` when the limit has passed, and ``ExtractorFault`` when the plugin raises, ends its
        process or gives what is no claim.
        """
        child = self._take()
        try:
            if name not in child.started:
                child.ask(name, {}, self._start_s, going)
                child.started.add(name)
            return [Extracted.unpacked(each) for each in child.ask(name, {"told": told.packed()}, self._limit_s, going)]
        finally:
            self._give_back(child)

    def warm(self, names: Iterable[str]) -> None:
        """Start a child and load the plugins, so that the first episode need not wait; one that fails says so later."""
        child = self._take()
        try:
            for name in names:
                child.ask(name, {}, self._start_s, lambda: None)
                child.started.add(name)
        except ExtractorFault:
            return
        finally:
            self._give_back(child)

    def close(self) -> None:
        """End the children that wait; those at work end with their episode's limit, or with this process."""
        with self._guard:
            idle, self._idle = self._idle, []
        for child in idle:
            child.close()

    def _take(self) -> _Child:
        while True:
            with self._guard:
                child = self._idle.pop() if self._idle else None
            if child is None:
                return _Child()
            if child.lives():
                return child
            child.close()

    def _give_back(self, child: _Child) -> None:
        if not child.lives():
            child.close()
            return
        with self._guard:
            self._idle.append(child)


class _Child:
    """One process, as the worker sees it; used by one thread at a time."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would take the driver's sockets and locks along
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), name="extractor", daemon=True)
        with _starting:
            self.process.start()
        theirs.close()
        self.started: set[str] = set()
        self._killed = False

    def lives(self) -> bool:
        """Whether it can be asked."""
        return not self._killed and self.process.is_alive()

    def ask(self, name: str, request: dict[str, Any], limit_s: float, going: Callable[[], Any]) -> list[Any]:
        """The answer to one request, within its time."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()

        # A timer and not only a look at the clock: a child that does not read its pipe holds the sender as well.
        timer = threading.Timer(limit_s, give_up)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange({**request, "name": name, "limit": limit_s}, going)
        except (EOFError, OSError, ValueError):
            self.kill()
            if late.is_set():
                raise ExtractorTimeout(f"The extractor '{name}' took more than {limit_s:g} s and was ended.") from None
            raise ExtractorFault(f"The extractor '{name}' ended its process.") from None
        except BaseException:
            self.kill()  # the job is not ours any more, or is to stop
            raise
        finally:
            timer.cancel()
            timer.join()  # so that it cannot fire at the next request
        if "fault" in answer:
            raise ExtractorFault(answer["fault"])
        return answer["claims"]

    def kill(self) -> None:
        """End it now, with whatever it has started."""
        self._killed = True
        if self.process.pid is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.join(_REAP_S)

    def close(self) -> None:
        """End it and let go of its pipe."""
        self.kill()
        self._pipe.close()

    def _exchange(self, request: dict[str, Any], going: Callable[[], Any]) -> dict[str, Any]:
        self._pipe.send_bytes(dumps(request).encode())
        while not self._pipe.poll(_LOOK_S):
            going()
        return json.loads(self._pipe.recv_bytes())


def _serve(pipe: Connection) -> None:
    """What the child does until its worker is gone."""
    os.setsid()  # Ctrl-C is meant for the worker; and what a plugin starts ends with its group
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for name in _NOT_FOR_PLUGINS:
        os.environ.pop(name, None)
    # What a plugin prints may be memory, and the worker's output is a log.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    found: dict[str, Extractor] = {}
    with suppress(EOFError, OSError):
        while True:
            request = json.loads(pipe.recv_bytes())
            # The kernel ends a child without a worker even when a plugin lets no other thread run.
            signal.alarm(int(request["limit"]) + _GRACE_S)
            answer = answered(found, request)
            signal.alarm(0)
            pipe.send_bytes(dumps(answer).encode())
    os._exit(0)  # without waiting for threads of plugins


def answered(found: dict[str, Extractor], request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request: claims, or the sentence that says what went wrong; never what a plugin's error says."""
    name = request["name"]
    try:
        if name not in found:
            found[name] = extractors.start(name)
        if "told" not in request:
            return {"claims": []}
        given = found[name].extract(Told.unpacked(request["told"]))
        return {"claims": [each.packed() for each in checked(name, given)]}
    except ExtractorFault as fault:
        return {"fault": fault.message}
    except BaseException as fault:  # noqa: BLE001  a plugin may raise anything, or try to end the process
        return {"fault": f"The extractor '{name}' raised {type(fault).__name__}."}


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()  # returns at the worker's end, however it came
        with suppress(ProcessLookupError):
            os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
