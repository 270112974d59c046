"""Digests by which contents are compared without being kept.

In: JSON values. Out: hex digits, equal for equal JSON. Pure.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

_EXACT = 2**53


def content_hash(content: Any) -> str:
    """A digest equal for equal JSON: key order and the spelling of numbers do not matter."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def canonical(content: Any) -> str:
    """JSON text with sorted keys, no blanks, and whole numbers written as such."""
    if isinstance(content, str):  # the common case needs no second walk
        return json.dumps(content, ensure_ascii=False)
    return json.dumps(_settled(content), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _settled(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_settled(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    return value
