"""Now and new names, the only two things that differ between two equal requests.

In: nothing. Out: instants and ids. Everything else takes them as arguments, so a test can fix them and a retry can
repeat them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 82

Clock = Callable[[], datetime]


def now() -> datetime:
    """The present instant in UTC, to the microsecond."""
    return datetime.now(UTC)


def new_id(prefix: str) -> str:
    """A fresh id such as ``ep_01k9…``: 48 bits of milliseconds, then 82 random bits, in 26 base-32 characters.

    Ids made later sort later, which keeps the uniqueness index compact; nothing may rely on that order.
    """
    number = (time.time_ns() // 1_000_000 << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
    return prefix + "_" + "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
