"""Whether an episode is new, a repetition or a contradiction of its own key.

In: a key, a content, and the episode that holds the key. Out: a verdict. Pure.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from enum import StrEnum
from typing import Any

from memgraph_svc.model.memory import Status
from memgraph_svc.model.scope import Scope, length_prefixed

_EXACT = 2**53


class Verdict(StrEnum):
    """What becomes of an episode that brings a dedupe key."""

    CREATE = "create"
    REPLAY = "deduplicated"
    CONFLICT = "dedupe_conflict"
    TOMBSTONED = "dedupe_tombstoned"


def dedupe_hash(secret: bytes, scope: Scope, key: str) -> str:
    """The keyed digest under which a dedupe key of a full scope is unique; it tells nothing of either."""
    return hmac.new(secret, length_prefixed(*scope.full(), key), hashlib.sha256).hexdigest()


def content_hash(content: Any) -> str:
    """A digest equal for equal JSON: key order and the spelling of numbers do not matter."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def canonical(content: Any) -> str:
    """JSON text with sorted keys, no blanks, and whole numbers written as such."""
    if isinstance(content, str):  # the common case needs no second walk
        return json.dumps(content, ensure_ascii=False)
    return json.dumps(_settled(content), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def verdict(new_hash: str, held_hash: str | None, held_status: str | None) -> Verdict:
    """Judge a new content against the episode that holds its key; ``held_status`` is None when nobody does."""
    if held_status is None:
        return Verdict.CREATE
    if held_status == Status.TOMBSTONED:
        return Verdict.TOMBSTONED
    return Verdict.REPLAY if held_hash == new_hash else Verdict.CONFLICT


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _settled(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_settled(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    return value
