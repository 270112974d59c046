"""Whether an episode is new, a repetition or a contradiction of its own key.

In: a key, a content, and the episode that holds the key. Out: a verdict. Pure.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum

from memgraph_svc.model.memory import Status
from memgraph_svc.model.scope import Scope, length_prefixed


class Verdict(StrEnum):
    """What becomes of an episode that brings a dedupe key."""

    CREATE = "create"
    REPLAY = "deduplicated"
    CONFLICT = "dedupe_conflict"
    TOMBSTONED = "dedupe_tombstoned"


def dedupe_hash(secret: bytes, scope: Scope, key: str) -> str:
    """The keyed digest under which a dedupe key of a full scope is unique; it tells nothing of either."""
    return hmac.new(secret, length_prefixed(*scope.full(), key), hashlib.sha256).hexdigest()


def verdict(new_hash: str, held_hash: str | None, held_status: str | None) -> Verdict:
    """Judge a new content against the episode that holds its key; ``held_status`` is None when nobody does."""
    if held_status is None:
        return Verdict.CREATE
    if held_status == Status.TOMBSTONED:
        return Verdict.TOMBSTONED
    return Verdict.REPLAY if held_hash == new_hash else Verdict.CONFLICT
