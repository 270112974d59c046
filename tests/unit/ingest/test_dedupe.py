"""A key holds one content; equal JSON is equal content."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.ingest.dedupe import Verdict, dedupe_hash, verdict
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.scope import Scope


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 1, "b": {"x": [1, 2], "y": None}}, {"b": {"y": None, "x": [1, 2]}, "a": 1}, True),
        ({"a": 1.0}, {"a": 1}, True),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": True}, {"a": 1}, False),
        ({"a": None}, {}, False),
        ("text", ["text"], False),
        (2**53 + 1, float(2**53), False),
        ("\u00e5", "a\u030a", False),
    ],
)
def test_contents_are_compared_as_json(left: Any, right: Any, equal: bool) -> None:
    assert (content_hash(left) == content_hash(right)) is equal


@given(st.text(min_size=1), st.text(min_size=1))
def test_keys_of_different_scopes_never_meet(key: str, other: str) -> None:
    secret = b"s" * 32
    scopes = [
        Scope("t", "n"),
        Scope("t", "n", other),
        Scope("t", "n", None, other),
        Scope("t", other),
        Scope(other, "n", "x"),
    ]
    hashes = {dedupe_hash(secret, each, key) for each in scopes}
    assert len(hashes) == len({each.full() for each in scopes})
    assert dedupe_hash(secret, scopes[0], key) != dedupe_hash(b"z" * 32, scopes[0], key)


def test_verdicts() -> None:
    assert verdict("h", None, None) is Verdict.CREATE
    assert verdict("h", "h", "active") is Verdict.REPLAY
    assert verdict("h", "g", "active") is Verdict.CONFLICT
    assert verdict("h", None, "tombstoned") is Verdict.TOMBSTONED
