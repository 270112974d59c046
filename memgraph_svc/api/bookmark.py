"""The bookmark a write answers and a read takes back.

In: the database's own bookmarks. Out: one signed header value that any of our processes reads. Signed, because the database
would wait for whatever it is told to wait for; garbage is refused instead.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Iterable

from memgraph_svc.errors import InvalidBookmark

HEADER = "Memory-Bookmark"
_MAC, _LONGEST, _MOST = 16, 8_192, 16


def encode(secret: bytes, bookmarks: Iterable[str]) -> str:
    """The header value for some bookmarks."""
    body = json.dumps(sorted(bookmarks), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_mac(secret, body) + body).decode().rstrip("=")


def decode(secret: bytes, header: str) -> frozenset[str]:
    """The bookmarks of a header; several values may stand in one, separated by commas.

    Raises ``InvalidBookmark`` for what we did not make.
    """
    values = [value for part in header.split(",") if (value := part.strip())]
    if len(header) > _LONGEST or len(values) > _MOST:
        raise InvalidBookmark
    return frozenset(each for value in values for each in _one(secret, value))


def _one(secret: bytes, value: str) -> list[str]:
    try:
        raw = base64.b64decode(value + "=" * (-len(value) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidBookmark from None
    mac, body = raw[:_MAC], raw[_MAC:]
    if not body or not hmac.compare_digest(mac, _mac(secret, body)):
        raise InvalidBookmark
    return json.loads(body)


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, body, hashlib.sha256).digest()[:_MAC]
