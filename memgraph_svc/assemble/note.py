"""A live atom or consolidation as the memory index sees it.

In: a row of the graph, or a plain map in the names of the wire. Out: a frozen ``Note``. Which notes are live is decided
where they are written; how they are shown, in ``render``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

SHOWN = frozenset({"active", "disputed"})


@dataclass(frozen=True, slots=True)
class Note:
    """One note; ``body`` is only needed for a pinned one."""

    id: str
    slug: str | None = None
    title: str | None = None
    caption: str | None = None
    topics: tuple[str, ...] = ()
    pinned: bool = False
    body: str = ""
    confidence: float | None = None
    provenance: str = ""
    updated_at: datetime | None = None
    status: str = "active"
    stale: bool = False

    @property
    def handle(self) -> str:
        """The name it is called by: its slug, else its id."""
        return self.slug or self.id

    @property
    def heading(self) -> str:
        """The words it is listed by: its title, else its caption, else its handle."""
        return self.title or self.caption or self.handle

    @property
    def date(self) -> str:
        """The UTC date of this version, as ``YYYY-MM-DD``."""
        moment = self.updated_at
        if moment is None:
            return "undated"
        if moment.tzinfo is not None:
            with suppress(OverflowError):  # within a day of year 1 or 9999, the date as written has to do
                moment = moment.astimezone(UTC)
        return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"

    @classmethod
    def of(cls, value: Note | Mapping[str, Any]) -> Note:
        """The note itself, or one made from a map such as ``{"slug": …, "title": …, "updatedAt": …}``."""
        if isinstance(value, Note):
            return value
        topics: Iterable[str] = value.get("topics") or ()
        return cls(
            id=str(value.get("id") or value.get("slug") or ""),
            slug=value.get("slug"),
            title=value.get("title"),
            caption=value.get("caption"),
            topics=(topics,) if isinstance(topics, str) else tuple(topics),
            pinned=bool(value.get("pinned")),
            body=str(value.get("body") or ""),
            confidence=value.get("confidence"),
            provenance=_words(value.get("provenance")),
            updated_at=_moment(value.get("updatedAt")),
            status=str(value.get("status") or "active"),
            stale=bool(value.get("stale")),
        )


def _words(provenance: Any) -> str:
    if provenance is None or isinstance(provenance, str):
        return provenance or ""
    return json.dumps(cast("object", provenance), ensure_ascii=False, sort_keys=True, default=str)


def _moment(value: Any) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None
