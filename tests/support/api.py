"""The real API under gunicorn, and a small client for it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answer:
    """One HTTP answer."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.raw)


@dataclass
class Client:
    """Calls one base URL over one connection per call."""

    base: str
    headers: dict[str, str] = field(default_factory=dict)

    def send(
        self,
        method: str,
        path: str,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 60,
    ) -> Answer:
        """Send bytes as they are."""
        parts = urllib.parse.urlsplit(self.base)
        link = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
        try:
            link.request(method, path, body=raw, headers={**self.headers, **(headers or {})})
            got = link.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            link.close()

    def post(self, path: str, shape: Any, **more: Any) -> Answer:
        """Send JSON."""
        sent = {"content-type": "application/json", **more.pop("headers", {})}
        return self.send("POST", path, json.dumps(shape).encode(), headers=sent, **more)

    def get(self, path: str, **more: Any) -> Answer:
        """Fetch."""
        return self.send("GET", path, **more)

    def wait_ready(self, seconds: float = 60) -> None:
        """Wait until requests are served."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.get("/health/ready", timeout=5).status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"{self.base} was not ready in {seconds} s")


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Api:
    """One gunicorn with its workers."""

    port: int
    env: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def client(self) -> Client:
        """A client of this API."""
        return Client(f"http://127.0.0.1:{self.port}")

    def start(self) -> "Api":
        """Start, and wait until it is ready."""
        env = {**os.environ, **self.env, "MEMGRAPH_PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", "memgraph_svc.wsgi:app"],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.client.wait_ready()
        return self

    def kill(self) -> None:
        """End every process of it at once, as a power cut would."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it as an operator would."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=40)
            except subprocess.TimeoutExpired:
                self.kill()
