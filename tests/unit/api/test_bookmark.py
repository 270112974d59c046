"""A bookmark is read back by us alone: what we did not make is refused, whatever it looks like."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc import bookmarks
from memgraph_svc.api.bookmark import decode, encode
from memgraph_svc.errors.request import InvalidBookmark

SECRET = b"s" * 32
ONE, TWO = "FB:kcwQ==", "FB:kcwX=="


@given(st.sets(st.text(max_size=60), max_size=5))
def test_what_was_encoded_is_decoded(marks: set[str]) -> None:
    header = encode(SECRET, marks)
    assert decode(SECRET, header) == marks
    assert header.isascii()
    assert not set(header) & set("=, \n")


def test_equal_bookmarks_give_equal_headers() -> None:
    assert encode(SECRET, [ONE, TWO]) == encode(SECRET, {TWO, ONE})


@pytest.mark.parametrize("between", [",", ", ", " ,\t", ",,"])
def test_several_values_are_taken_together(between: str) -> None:
    header = between.join([encode(SECRET, [ONE]), encode(SECRET, [TWO]), encode(SECRET, [ONE])])
    assert decode(SECRET, header) == {ONE, TWO}


@pytest.mark.parametrize("header", ["", " ", ",", " , ,"])
def test_an_empty_header_holds_none(header: str) -> None:
    assert decode(SECRET, header) == frozenset()


GARBAGE = ["x", "FB:kcwQ==", "é", "null", "AAAA", "=", "-", "a b", "%00", "\ud800", "A" * 24, "[]", "A" * 9_000]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_is_refused(garbage: str) -> None:
    for header in (garbage, f"{encode(SECRET, [ONE])},{garbage}"):
        with pytest.raises(InvalidBookmark):
            decode(SECRET, header)


def test_every_shorter_piece_is_refused() -> None:
    header = encode(SECRET, [ONE])
    for end in range(1, len(header)):
        with pytest.raises(InvalidBookmark):
            decode(SECRET, header[:end])
        with pytest.raises(InvalidBookmark):
            decode(SECRET, header[end:])


def test_every_changed_byte_is_refused() -> None:
    header = encode(SECRET, [ONE])
    raw = bytearray(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    for at in range(len(raw)):
        changed = bytes([*raw[:at], raw[at] ^ 1, *raw[at + 1 :]])
        with pytest.raises(InvalidBookmark):
            decode(SECRET, base64.urlsafe_b64encode(changed).decode().rstrip("="))


def test_a_bookmark_of_another_secret_is_refused() -> None:
    with pytest.raises(InvalidBookmark):
        decode(b"t" * 32, encode(SECRET, [ONE]))


def test_too_many_or_too_long_values_are_refused() -> None:
    one = encode(SECRET, ["x"])
    assert decode(SECRET, ",".join([one] * 16)) == {"x"}
    with pytest.raises(InvalidBookmark):
        decode(SECRET, ",".join([one] * 17))
    with pytest.raises(InvalidBookmark):
        decode(SECRET, encode(SECRET, ["x" * 8_192]))


def test_the_refusal_says_what_to_do_and_is_final() -> None:
    with pytest.raises(InvalidBookmark) as refused:
        decode(SECRET, "x")
    assert refused.value.body()["code"] == "invalid_bookmark"
    assert refused.value.retryable is False


def test_a_request_begins_with_what_it_waits_for_and_nothing_written() -> None:
    bookmarks.note([ONE])
    bookmarks.begin([TWO])
    assert (bookmarks.awaited(), bookmarks.written()) == ({TWO}, frozenset())
    bookmarks.note([ONE])
    assert bookmarks.written() == {ONE}
    bookmarks.begin()
    assert (bookmarks.awaited(), bookmarks.written()) == (frozenset(), frozenset())
