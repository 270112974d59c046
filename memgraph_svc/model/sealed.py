"""Short texts that only we can make: positions and bookmarks that travel through clients.

In: bytes and a key. Out: text, and back again, or nothing for what we did not make. A position also names its namespace, so
that no other one takes it. Pure.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from memgraph_svc.errors.request import InvalidCursor, ScopeMismatch

_MAC, _TAG = 16, 8


def seal(secret: bytes, body: bytes) -> str:
    """The text of some bytes, signed."""
    return base64.urlsafe_b64encode(_mac(secret, body) + body).decode().rstrip("=")


def unseal(secret: bytes, text: str) -> bytes | None:
    """The bytes of a text, or None when we did not make it to the letter."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    body = raw[_MAC:]
    # Sealed again, since the last character has bits that mean nothing and could differ.
    ours = body and hmac.compare_digest(raw[:_MAC], _mac(secret, body)) and seal(secret, body) == text
    return body if ours else None


def position(secret: bytes, prefix: str, scope_key: str, place: bytes) -> str:
    """The cursor of a place in a namespace."""
    return prefix + seal(secret, _tag(scope_key) + place)


def place(secret: bytes, prefix: str, scope_key: str, text: str) -> bytes:
    """The place of a cursor.

    Raises ``InvalidCursor`` for what we did not make and ``ScopeMismatch`` for a cursor of another namespace.
    """
    body = unseal(secret, text.removeprefix(prefix)) if text.startswith(prefix) else None
    if body is None or len(body) < _TAG:
        raise InvalidCursor
    if not hmac.compare_digest(body[:_TAG], _tag(scope_key)):
        raise ScopeMismatch
    return body[_TAG:]


def _tag(scope_key: str) -> bytes:
    return hashlib.sha256(scope_key.encode()).digest()[:_TAG]


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, body, hashlib.sha256).digest()[:_MAC]
