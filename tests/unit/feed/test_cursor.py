"""Cursors are ours, of one namespace, and say nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.errors.request import InvalidCursor, ScopeMismatch
from memgraph_svc.feed.cursor import decode, encode

SECRET = b"k" * 32


@given(st.integers(min_value=0, max_value=2**63 - 1), st.text(min_size=1))
def test_a_cursor_comes_back(number: int, scope_key: str) -> None:
    assert decode(SECRET, scope_key, encode(SECRET, scope_key, number)) == number


@given(st.text(max_size=80))
def test_what_we_did_not_make_is_refused(text: str) -> None:
    with pytest.raises(InvalidCursor):
        decode(SECRET, "scope", text)


@given(st.integers(min_value=0, max_value=2**40), st.integers(min_value=0, max_value=60), st.characters())
def test_a_changed_cursor_is_refused(number: int, at: int, other: str) -> None:
    made = encode(SECRET, "scope", number)
    at %= len(made)
    changed = made[:at] + other + made[at + 1 :]
    if changed != made:
        with pytest.raises(InvalidCursor):
            decode(SECRET, "scope", changed)


def test_another_namespace_and_another_key() -> None:
    made = encode(SECRET, "one", 7)
    with pytest.raises(ScopeMismatch):
        decode(SECRET, "two", made)
    with pytest.raises(InvalidCursor):
        decode(b"x" * 32, "one", made)
