"""A body is JSON that can be stored and given back equal, or it is refused with the place named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.api import body
from memgraph_svc.errors.request import InvalidRequest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_every_json_object_is_read_as_it_was_written(tree: dict[str, object]) -> None:
    assert body.parse(json.dumps(tree).encode()) == tree
    assert body.parse(json.dumps(tree, ensure_ascii=False).encode("utf-8", "surrogatepass")) == tree


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"", None),
        (b"   ", None),
        (b"[]", None),
        (b"7", None),
        (b'"text"', None),
        (b"null", None),
        (b'{"a": ', None),
        (b'{"a": NaN}', None),
        (b'{"a": -Infinity}', None),
        (b"{'a': 1}", None),
        (b'{"a": 1}x', None),
        (b"\xef\xbb\xbf{}", None),
        (b'{"a": "\xff"}', None),
        (b'{"a": ' + b"9" * 5000 + b"}", None),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
        (b'{"a": 1, "a": 2}', "a"),
        (b'{"a": [{"b": 1e400}]}', "a[0].b"),
        (b'{"a": {"b": ["x", "\\ud800"]}}', "a.b[1]"),
        (b'{"a": {"\\udfff": 1}}', "a.\\udfff"),
        (b'{"a": {"x": ' + b"[" * 150 + b"]" * 150 + b"}}", "a.x[0][0][0]"),
    ],
)
def test_what_cannot_be_kept_is_refused(raw: bytes, path: str | None) -> None:
    with pytest.raises(InvalidRequest) as refused:
        body.parse(raw)
    assert refused.value.details.get("path") == path
    assert json.dumps(refused.value.body()).encode()  # the refusal itself can be sent


def test_escaped_surrogate_pairs_are_one_character() -> None:
    assert body.parse(b'{"a": "\\ud83d\\ude80"}') == {"a": "\U0001f680"}


def test_integers_beyond_64_bits_are_kept() -> None:
    assert body.parse(b'{"a": 123456789012345678901234567890}') == {"a": 123456789012345678901234567890}
