"""The least an HTTP client can be: one keep-alive connection, whole requests as bytes, answers read by their length.

In: a port and a request. Out: status and body. A load generator must cost less than what it measures, so nothing here
parses more of an answer than its status and its length.
"""

from __future__ import annotations

import json
import socket
from typing import Any, Self

_HOST = "127.0.0.1"
_BLOCK = 1 << 16


class RequestFailed(Exception):
    """The service did not answer as it should; the figures of such a run would mean nothing."""


def request(method: str, path: str, shape: Any = None) -> bytes:
    """A whole request, ready to be sent."""
    body = b"" if shape is None else json.dumps(shape, ensure_ascii=False, separators=(",", ":")).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: {_HOST}\r\nContent-Length: {len(body)}\r\n"
    if body:
        head += "Content-Type: application/json\r\n"
    return head.encode() + b"\r\n" + body


class Link:
    """One connection; not for use by two threads at once."""

    def __init__(self, port: int, timeout_s: float = 120) -> None:
        self._socket = socket.create_connection((_HOST, port), timeout=timeout_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._kept = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, raw: bytes) -> bytes:
        """The body of the answer; raises ``RequestFailed`` unless the status is 200."""
        self._socket.sendall(raw)
        head, body = self._head()
        status = int(head[9:12])
        length = _length(head)
        parts, got = [body], len(body)
        while got < length:
            part = self._receive()
            parts.append(part)
            got += len(part)
        whole = b"".join(parts)
        self._kept = whole[length:]
        if status != 200:
            raise RequestFailed(f"status {status}: {whole[:300].decode(errors='replace')}")
        return whole[:length]

    def _head(self) -> tuple[bytes, bytes]:
        got = self._kept
        while b"\r\n\r\n" not in got:
            got += self._receive()
        head, _, body = got.partition(b"\r\n\r\n")
        return head, body

    def _receive(self) -> bytes:
        part = self._socket.recv(_BLOCK)
        if not part:
            raise RequestFailed("the service closed the connection")
        return part


def _length(head: bytes) -> int:
    lower = head.lower()
    at = lower.find(b"\r\ncontent-length:")
    if at < 0:
        raise RequestFailed("an answer without Content-Length")
    return int(lower[at + 17 :].split(b"\r\n", 1)[0])
