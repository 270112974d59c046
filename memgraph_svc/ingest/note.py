"""Turn a remembered statement into the note that stores it.

In: a checked statement. Out: the atom's rows, its slug, title and topics. Pure, save for a new id. Whether it replaces an
earlier version is decided under the lock in ``proposals.py``.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from memgraph_svc.clock import new_id
from memgraph_svc.lifecycle.claim_write import TITLE_CHARACTERS, topic_rows
from memgraph_svc.lifecycle.rows import identity, passage_rows
from memgraph_svc.model.content import dumps, one_line
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import PREFIX, Actor, Kind, Ref, Status
from memgraph_svc.model.passages import cut
from memgraph_svc.model.scope import Scope, token

SLUG_CHARACTERS = 64
_PLAIN_TITLE = re.compile(r"[A-Za-z0-9 \-_.,'’!?:;]+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """The memories a note rests on or stands against, by id."""

    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The field and the id of each."""
        for each in fields(self):
            yield from ((each.name, name) for name in getattr(self, each.name))

    def ids(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(dict.fromkeys(name for _, name in self.pairs()))


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A statement an agent makes directly, checked."""

    body: str
    created_by: Actor
    title: str | None = None
    slug: str | None = None
    topics: tuple[str, ...] = ()
    pinned: bool = False
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    dedupe_key: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    links: NoteLinks = field(default_factory=NoteLinks)


@dataclass(frozen=True, slots=True)
class PreparedNote:
    """A note ready to be stored, save for its time and place."""

    ref: Ref
    memory: dict[str, Any]
    passages: list[dict[str, Any]]
    topics: list[dict[str, Any]]
    slug_key: str
    content_hash: str
    pinned: bool
    valid_from: datetime | None


def prepare_note(scope: Scope, draft: NoteDraft) -> PreparedNote:
    """Compute all of a note that does not depend on what the graph holds."""
    ref = Ref(new_id(PREFIX[Kind.ATOM]), Kind.ATOM, scope)
    title = draft.title or title_of(draft.body)
    slug = draft.slug or slug_of(title)
    slug_key = token("slug", *scope.full(), slug)
    topics = topic_rows(ref, draft.topics)
    hashed = content_hash(
        [
            title,
            draft.body,
            [row["key"] for row in topics],
            draft.pinned,
            draft.confidence,
            _text(draft.valid_from),
            _text(draft.valid_to),
        ]
    )
    memory = {
        **identity(ref, draft.created_by, title),
        "status": Status.ACTIVE.value,
        "atomType": "note",
        "content": draft.body,
        "contentHash": hashed,
        "slug": slug,
        "liveSlugKey": slug_key,
        "noteScope": scope.key,
        "title": title,
        "pinned": draft.pinned,
        "confidence": draft.confidence,
        "validFrom": draft.valid_from,
        "validTo": draft.valid_to,
        "producedBy": draft.created_by.id,
        "transformation": "remember",
        "metadataJson": dumps(draft.metadata) if draft.metadata else None,
    }
    passages = passage_rows(ref, cut(draft.body, title), Status.ACTIVE)
    return PreparedNote(ref, memory, passages, topics, slug_key, hashed, draft.pinned, draft.valid_from)


def title_of(body: str) -> str:
    """The first sentence or line of a body, as a title."""
    first = _SENTENCE_END.split(body.strip(), maxsplit=1)[0]
    return one_line(first, TITLE_CHARACTERS) or "note"


def slug_of(title: str) -> str:
    """A slug made from a title: equal titles give equal slugs, different titles different ones.

    Letters outside a-z0-9 are folded or dropped; where that loses something a digest of the title is added, so that
    "C" and "C++" stay two notes.
    """
    folded = unicodedata.normalize("NFKD", title.casefold())
    words = re.findall(r"[a-z0-9]+", folded)
    slug = "-".join(words)
    if _PLAIN_TITLE.fullmatch(title) and words and len(slug) <= SLUG_CHARACTERS:
        return slug
    digest = hashlib.sha256(unicodedata.normalize("NFC", title).encode()).hexdigest()[:8]
    stem = slug[: SLUG_CHARACTERS - 9].strip("-") or "note"
    return f"{stem}-{digest}"


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()
