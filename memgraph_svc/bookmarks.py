"""How far a caller has seen, carried from its writes to its reads.

In: the bookmarks of commits. Out: what a request has written so far, and what its reads must wait for. One value for each
request: context variables follow the thread that serves it. How bookmarks are signed is decided at the API.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

_NONE: frozenset[str] = frozenset()
_awaited: ContextVar[frozenset[str]] = ContextVar("awaited_bookmarks", default=_NONE)
_written: ContextVar[frozenset[str]] = ContextVar("written_bookmarks", default=_NONE)


def begin(awaited: Iterable[str] = ()) -> None:
    """A new request: its reads wait for ``awaited``, and it has written nothing."""
    _awaited.set(frozenset(awaited))
    _written.set(_NONE)


def awaited() -> frozenset[str]:
    """What the reads of this request wait for."""
    return _awaited.get()


def note(bookmarks: Iterable[str]) -> None:
    """This request's work was committed under these bookmarks."""
    _written.set(frozenset(bookmarks))


def written() -> frozenset[str]:
    """What this request has written; empty when nothing."""
    return _written.get()
