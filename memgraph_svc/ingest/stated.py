"""What an episode says about itself: the facts it states, and the memories it replaces or disputes.

In: a draft. Out: claims and the ids it names. Pure. Lenient like all metadata: what cannot be read is kept as data and
states nothing. Design section 3: an episode may state claims itself, taken as given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from memgraph_svc.lifecycle.claims import MANY, ONE, Claim, Given
from memgraph_svc.model.content import readable
from memgraph_svc.model.times import lenient

if TYPE_CHECKING:
    from memgraph_svc.ingest.episode import EpisodeDraft

MOST = 100
_LONGEST = 512
_CARDINALITY = {"one": ONE, "single": ONE, "many": MANY, "multi": MANY, "multiple": MANY}


@dataclass(frozen=True, slots=True)
class Named:
    """The ids an episode names in its metadata, by what it says of them."""

    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()

    def pairs(self) -> Iterator[tuple[Given, str]]:
        """Every named id with what is said of it."""
        yield from ((Given.SUPERSEDES, each) for each in self.supersedes)
        yield from ((Given.SUPERSEDED_BY, each) for each in self.superseded_by)
        yield from ((Given.CONTRADICTS, each) for each in self.contradicts)

    def ids(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(dict.fromkeys(each for _, each in self.pairs()))


def named(metadata: Mapping[str, Any]) -> Named:
    """The ids or refs in ``metadata.supersedes``, ``.supersededBy`` and ``.contradicts``."""
    return Named(*(tuple(dict.fromkeys(_ids(metadata.get(each.value)))) for each in Given))


def facts(draft: EpisodeDraft) -> list[Any]:
    """The stated facts of a content, as they were sent."""
    content = draft.content
    if not isinstance(content, dict):
        return []
    given = cast("dict[str, Any]", content)
    several = given.get("facts")
    listed = cast("list[Any]", several) if isinstance(several, list) else []
    return ([given["fact"]] if "fact" in given else []) + listed


def claims(draft: EpisodeDraft, now: datetime) -> list[Claim]:
    """The claims that an episode states; ``now`` is the time of one that tells none."""
    raw = facts(draft)
    read = (_claim(each, draft, now) for each in raw[:MOST])
    made = [each for each in read if each is not None]
    if len(made) == 1 and len(raw) == 1:
        return [_worded(made[0], readable(draft.content), draft.content)]
    return made


def _claim(given: Any, draft: EpisodeDraft, now: datetime) -> Claim | None:
    if not isinstance(given, dict):
        return None
    fact = cast("dict[str, Any]", given)
    subject, relation = _name(fact.get("subject")), _name(fact.get("relation", fact.get("predicate")))
    value = fact.get("value")
    if subject is None or relation is None or value is None or value == "":
        return None
    told = draft.metadata.get
    at = lenient(fact.get("asOf")) or lenient(told("validFrom")) or lenient(told("occurredAt"))
    confidence: Any = fact.get("confidence")
    return Claim(
        subject=subject,
        predicate=relation,
        value=value,
        at=at or now,
        dated=at is not None,
        cardinality=_CARDINALITY.get(str(fact.get("cardinality")).lower(), MANY),
        valid_to=_after(lenient(fact.get("validTo")) or lenient(told("validTo")), at or now),
        confidence=float(confidence) if _share(confidence) else None,
    )


def _worded(claim: Claim, text: str, content: Any) -> Claim:
    # The episode's own sentence reads better than three names in a row, where it is one that says the value.
    said = isinstance(claim.value, str) and claim.value.casefold() in text.casefold()
    short = "text" in cast("dict[str, Any]", content) and len(text) <= _LONGEST
    return replace(claim, text=text) if said and short else claim


def _after(end: datetime | None, start: datetime) -> datetime | None:
    return end if end is not None and end > start else None


def _share(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _name(value: Any) -> str | None:
    return value.strip()[:_LONGEST] if isinstance(value, str) and value.strip() else None


def _ids(value: Any) -> Iterator[str]:
    for each in cast("list[Any]", value)[:MOST] if isinstance(value, list) else [value]:
        found = cast("dict[str, Any]", each).get("id") if isinstance(each, dict) else each
        if isinstance(found, str) and 0 < len(found) <= _LONGEST:
            yield found
