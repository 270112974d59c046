"""Read the times that callers put into metadata.

In: any JSON value. Out: an instant or None. Lenient on purpose: metadata is the caller's own, so what cannot be read as a
time is kept as data and ignored as time.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

_LONGEST = 40
_SECONDS = re.compile(r"^\d{4}-\d\d-\d\d")


def lenient(value: Any) -> datetime | None:
    """The instant a metadata value names, in UTC; one without a zone is read as UTC."""
    if not isinstance(value, str) or len(value) > _LONGEST or not _SECONDS.match(value):
        return None
    try:
        made = datetime.fromisoformat(value)
        made = made.replace(tzinfo=UTC) if made.tzinfo is None else made.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return made
