"""Start a stack in the background, end one, start one again.

In: settings and what ``state.py`` wrote down. Out: a stack that serves, or none. What a stack is stands in ``stack.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from memgraph_svc.config import Settings
from memgraph_svc.embedded import state
from memgraph_svc.embedded.processes import rotate, tail
from memgraph_svc.embedded.stack import DRAIN_S, embedded_server, end_leftovers, gone, make_folders, refuse_second
from memgraph_svc.embedded.state import StackState
from memgraph_svc.embedded.supervisor import Say
from memgraph_svc.errors.start import ConfigError, StartError

_DOWN_S, _KILLED_S, _LOOK_S = 150.0, 10.0, 0.1
_ERROR = "error: "


def start_detached(settings: Settings, say: Say, environ: Mapping[str, str]) -> StackState:
    """Start the stack in the background and wait until it serves; raises what it fails with."""
    data_dir = Path(settings.data_dir)
    refuse_second(data_dir)
    make_folders(data_dir)
    log = data_dir / "logs" / "supervisor.log"
    rotate(log)
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  the command is ours
            _up_command(settings),
            env={**environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        return _follow(process, data_dir, log, say)
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise


def _up_command(settings: Settings) -> list[str]:
    return [
        *(sys.executable, "-m", "memgraph_svc.cli.main", "up", "--data", settings.data_dir, "--host", settings.host),
        *("--port", str(settings.port)),
        *("--bolt-port", str(settings.bolt_port)),
        *("--browser-port", str(settings.browser_port)),
    ]


def _follow(process: subprocess.Popen[bytes], data_dir: Path, log: Path, say: Say) -> StackState:
    with log.open(encoding="utf-8", errors="replace") as lines:
        while True:
            ended = process.poll() is not None
            found = state.read(data_dir)
            if found is not None and found.ready and found.supervisor.pid == process.pid:
                return found
            if ended:
                raise StartError(_last_error(log))
            for line in lines.read().splitlines():
                if line.startswith(_ERROR):
                    break  # the last thing it says; raised below, and not to be said twice
                say(line)
            time.sleep(_LOOK_S)


def _last_error(log: Path) -> str:
    _, mark, message = f"\n{tail(log, 60)}".rpartition(f"\n{_ERROR}")
    return message.strip() if mark else f"The stack ended while starting. Its last words:\n{tail(log)}"


def down(settings: Settings) -> bool:
    """End whatever runs on the data folder, in good order; whether anything did."""
    data_dir = Path(settings.data_dir)
    found = state.read(data_dir)
    supervisor = found.supervisor.process() if found else None
    if supervisor is not None:
        supervisor.terminate()
        if not gone(supervisor, _DOWN_S):
            kill(settings)
    # What a killed supervisor left, and a server that was started on its own.
    left = end_leftovers(data_dir, DRAIN_S)
    stopped = embedded_server(settings).stop()
    state.forget(data_dir)
    return supervisor is not None or left or stopped


def kill(settings: Settings) -> None:
    """End everything at once, as a power cut would; the state stays, as after a power cut."""
    data_dir = Path(settings.data_dir)
    found = state.read(data_dir)
    supervisor = found.supervisor.process() if found else None
    if supervisor is not None:
        supervisor.kill()  # first, or it would start again what is killed next
        gone(supervisor, _KILLED_S)
    end_leftovers(data_dir)
    embedded_server(settings).kill()


def restart(settings: Settings, say: Say, *, hard: bool) -> StackState:
    """Start the stack of the data folder again in the background, with the ports and settings it was started with.

    ``hard`` ends it as a power cut would. Raises ``ConfigError`` when none was started there.
    """
    data_dir = Path(settings.data_dir)
    found = state.read(data_dir)
    if found is None:
        raise ConfigError(f"No stack was started on {data_dir}. Start one with 'memgraph-svc up'.")
    environ = state.start_environment(data_dir, os.environ)
    settings = replace(
        settings,
        host=found.host,
        port=found.port,
        bolt_port=found.bolt_port or settings.bolt_port,
        browser_port=found.browser_port or settings.browser_port,
    )
    if hard:
        kill(settings)
    else:
        down(settings)
    return start_detached(settings, say, environ)
