"""Speak to a running API over HTTP, with nothing but the standard library.

In: a route and a JSON body. Out: the JSON answer, or one error a person can act on. What is asked is decided by the
caller.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

_TIMEOUT_S = 30.0
_WAIT_S, _PAUSE_S = 20.0, 0.5
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class DemoError(Exception):
    """The demo cannot go on; the message says what to do."""


class Api:
    """One API at one address."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise DemoError(f"'{url}' is not an address such as http://127.0.0.1:8787")
        self.url = parts.geturl().rstrip("/")
        self._token = token
        # A proxy of the environment cannot reach this machine's own loopback.
        proxies = [urllib.request.ProxyHandler({})] if parts.hostname in _LOOPBACK else []
        self._opener = urllib.request.build_opener(*proxies)

    def get(self, path: str, **params: str) -> dict[str, Any]:
        """The answer to a GET."""
        return self._ask(f"{path}?{urllib.parse.urlencode(params)}" if params else path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a POST."""
        return self._ask(path, json.dumps(body, ensure_ascii=False).encode())

    def _ask(self, path: str, raw: bytes | None) -> dict[str, Any]:
        # A service that has just been started answers 503 until its schema and indexes are there.
        deadline = time.monotonic() + _WAIT_S
        while True:
            try:
                return self._once(path, raw)
            except urllib.error.HTTPError as answer:
                with answer:
                    code, message, retryable = _read_error(answer)
                if not retryable or time.monotonic() > deadline:
                    raise DemoError(self._explained(answer.code, code, message)) from None
            except (OSError, http.client.HTTPException) as cause:
                reason = getattr(cause, "reason", cause)
                raise DemoError(
                    f"No memory service answers at {self.url} ({reason}).\n"
                    "Start one with:  memgraph-svc up\n"
                    "or name another: memgraph-svc demo --url http://HOST:PORT"
                ) from None
            time.sleep(_PAUSE_S)

    def _once(self, path: str, raw: bytes | None) -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        if raw is not None:
            headers["Content-Type"] = "application/json"
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        wanted = urllib.request.Request(self.url + path, data=raw, headers=headers)  # noqa: S310  http(s), checked above
        with self._opener.open(wanted, timeout=_TIMEOUT_S) as answer:
            try:
                return json.loads(answer.read())
            except ValueError:
                raise DemoError(f"What answers at {self.url} is not a memory service.") from None

    def _explained(self, status: int, code: str, message: str) -> str:
        if code == "unauthorized":
            return f"{self.url} asks for a token: pass --token, or set MEMGRAPH_API_TOKEN."
        return f"{self.url} refused ({status} {code}): {message}"


def _read_error(answer: urllib.error.HTTPError) -> tuple[str, str, bool]:
    try:
        body = json.loads(answer.read())
        return str(body["code"]), str(body["message"]), bool(body.get("retryable"))
    except (ValueError, KeyError, TypeError, OSError):
        return "http_error", str(answer.reason), False
