"""Opaque positions among the events of a namespace.

In: an event number and the namespace it belongs to. Out: a short text that only we can make, and that no other namespace
takes. Pure. What lies behind a position is decided in ``service.py``.
"""

from __future__ import annotations

from memgraph_svc.errors.request import InvalidCursor
from memgraph_svc.model import sealed

_PREFIX = "ev_"
_NUMBER = 8


def encode(secret: bytes, scope_key: str, number: int) -> str:
    """The cursor that stands just behind event ``number``; 0 stands before the first."""
    return sealed.position(secret, _PREFIX, scope_key, number.to_bytes(_NUMBER, "big"))


def decode(secret: bytes, scope_key: str, text: str) -> int:
    """The event number of a cursor.

    Raises ``InvalidCursor`` for what we did not make and ``ScopeMismatch`` for a cursor of another namespace.
    """
    place = sealed.place(secret, _PREFIX, scope_key, text)
    if len(place) != _NUMBER:
        raise InvalidCursor
    return int.from_bytes(place, "big")
