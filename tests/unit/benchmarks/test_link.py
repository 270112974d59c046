"""The load generator's client reads whole answers, however they arrive, and accepts nothing but success."""

from __future__ import annotations

import socket

import pytest

from benchmarks.generator import NUMBER
from benchmarks.link import Link, RequestFailed, request


class Wire:
    """A connection that answers with these pieces, whatever is asked."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def recv(self, size: int) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""

    def sendall(self, raw: bytes) -> None: ...
    def setsockopt(self, *option: int) -> None: ...
    def close(self) -> None: ...


@pytest.fixture
def link(monkeypatch):
    def over(*pieces: bytes) -> Link:
        monkeypatch.setattr(socket, "create_connection", lambda *args, **more: Wire(*pieces))
        return Link(1)

    return over


def test_an_answer_in_pieces_is_put_together(link):
    with link(b"HTTP/1.1 200 OK\r\nContent-", b"Length: 6\r\n\r\nab", b"cd", b"ef") as made:
        assert made.send(request("GET", "/")) == b"abcdef"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", "status 503: busy"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "without Content-Length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "closed the connection"),
    ],
)
def test_what_is_no_plain_success_is_a_failure(link, answer, why):
    with link(answer) as made, pytest.raises(RequestFailed, match=why):
        made.send(request("GET", "/"))


def test_a_request_says_its_length_in_bytes():
    raw = request("POST", "/x", {"text": "é"})
    head, _, body = raw.partition(b"\r\n\r\n")
    assert b"Content-Length: %d\r\n" % len(body) in head
    assert body == '{"text":"é"}'.encode()


def test_a_number_is_as_long_as_what_it_replaces():
    assert len(f"{12_345:020}") == len(NUMBER)
