"""The bookmark a write answers and a read takes back.

In: the database's own bookmarks. Out: one signed header value that any of our processes reads. Signed, because the database
would wait for whatever it is told to wait for; garbage is refused instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from memgraph_svc.errors.request import InvalidBookmark
from memgraph_svc.model import sealed

HEADER = "Memory-Bookmark"
_LONGEST, _MOST = 8_192, 16


def encode(secret: bytes, bookmarks: Iterable[str]) -> str:
    """The header value for some bookmarks."""
    return sealed.seal(secret, json.dumps(sorted(bookmarks), separators=(",", ":")).encode())


def decode(secret: bytes, header: str) -> frozenset[str]:
    """The bookmarks of a header; several values may stand in one, separated by commas.

    Raises ``InvalidBookmark`` for what we did not make.
    """
    values = [value for part in header.split(",") if (value := part.strip())]
    if len(header) > _LONGEST or len(values) > _MOST:
        raise InvalidBookmark
    return frozenset(each for value in values for each in _one(secret, value))


def _one(secret: bytes, value: str) -> list[str]:
    body = sealed.unseal(secret, value)
    if body is None:
        raise InvalidBookmark
    return json.loads(body)
