"""Opaque, signed positions among the events of a namespace.

In: an event number and the namespace it belongs to. Out: a short text that only we can make, and that no other namespace
takes. Pure. What lies behind a position is decided in ``service.py``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from memgraph_svc.errors import InvalidCursor, ScopeMismatch

_PREFIX = "ev_"
_NUMBER, _TAG, _MAC = 8, 8, 16


def encode(secret: bytes, scope_key: str, number: int) -> str:
    """The cursor that stands just behind event ``number``; 0 stands before the first."""
    body = number.to_bytes(_NUMBER, "big") + _tag(scope_key)
    return _write(body + _mac(secret, body))


def decode(secret: bytes, scope_key: str, text: str) -> int:
    """The event number of a cursor.

    Raises ``InvalidCursor`` for what we did not make and ``ScopeMismatch`` for a cursor of another namespace.
    """
    try:
        given = text.removeprefix(_PREFIX)
        raw = base64.b64decode(given + "=" * (-len(given) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidCursor from None
    body = raw[: _NUMBER + _TAG]
    # Written out again, since the last character has bits that mean nothing and could differ.
    ours = len(raw) == _NUMBER + _TAG + _MAC and _write(raw) == text
    if not ours or not hmac.compare_digest(raw[_NUMBER + _TAG :], _mac(secret, body)):
        raise InvalidCursor
    if not hmac.compare_digest(body[_NUMBER:], _tag(scope_key)):
        raise ScopeMismatch
    return int.from_bytes(body[:_NUMBER], "big")


def _write(raw: bytes) -> str:
    return _PREFIX + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _tag(scope_key: str) -> bytes:
    return hashlib.sha256(scope_key.encode()).digest()[:_TAG]


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, body, hashlib.sha256).digest()[:_MAC]
