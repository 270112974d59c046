"""What an extractor is: it reads one episode and says which claims it makes.

In: what a plugin gives. Out: claims of a sound shape, or ``ExtractorFault`` that names the plugin and what was wrong, and
never quotes memory. What becomes of a claim is decided in ``lifecycle/claims.py``; where plugins run, in ``sandbox.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Protocol, cast

from memgraph_svc.errors.work import ExtractorFault
from memgraph_svc.model.content import dumps, topic_key

MOST = 200
_NAME, _TEXT, _TOPICS = 512, 4_000, 20


@dataclass(frozen=True, slots=True)
class Told:
    """One episode as an extractor reads it."""

    id: str
    text: str
    content: Any
    content_type: str
    speaker: str | None
    occurred_at: datetime
    session: str | None
    metadata: Mapping[str, Any]

    def packed(self) -> dict[str, Any]:
        """The same as JSON values."""
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        return parts | {"occurred_at": self.occurred_at.isoformat()}

    @classmethod
    def unpacked(cls, given: Mapping[str, Any]) -> Told:
        """What ``packed`` made."""
        parts: dict[str, Any] = {**given, "occurred_at": _moment(given["occurred_at"])}
        return cls(**parts)


@dataclass(frozen=True, slots=True)
class Extracted:
    """One claim of an episode. A plugin may give a dict of the same names instead.

    Without ``valid_from`` it holds from the time of its episode on. ``cardinality`` is ``one`` where a new value ends the
    one before it, such as a residence, else ``many``. ``text`` is the sentence people read.
    """

    subject: str
    predicate: str
    value: Any
    cardinality: str = "many"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float | None = None
    text: str | None = None
    topics: tuple[str, ...] = ()

    def packed(self) -> dict[str, Any]:
        """The same as JSON values."""
        begins, ends = self.valid_from, self.valid_to
        return asdict(self) | {"valid_from": begins and begins.isoformat(), "valid_to": ends and ends.isoformat()}

    @classmethod
    def unpacked(cls, given: Mapping[str, Any]) -> Extracted:
        """What ``packed`` made."""
        parts: dict[str, Any] = {**given, "topics": tuple(given["topics"])}
        parts |= {name: _moment(given[name]) for name in ("valid_from", "valid_to")}
        return cls(**parts)


class Extractor(Protocol):
    """A plugin: a function without arguments that makes one stands under the entry point group ``memgraph_svc.plugins``.

    It runs in a process of its own, one episode at a time. The same episode must give the same claims.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def version(self) -> str:
        """Changes with what it extracts."""
        ...

    def extract(self, told: Told) -> Iterable[Extracted | Mapping[str, Any]]:
        """The claims that an episode makes; none is a good answer."""
        ...


def checked(name: str, given: Any) -> list[Extracted]:
    """The claims that the plugin ``name`` gave; raises ``ExtractorFault`` when any of them is not sound."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise ExtractorFault(f"The extractor '{name}' gave no list of claims.")
    made: list[Extracted] = []
    for place, each in enumerate(islice(cast("Iterable[Any]", given), MOST + 1), 1):
        if place > MOST:
            raise ExtractorFault(f"The extractor '{name}' gave more than {MOST} claims for one episode.")
        claim = _shaped(each)
        problem = "it is neither an Extracted nor a dict of its fields" if claim is None else _problem(claim)
        if claim is None or problem:
            raise ExtractorFault(f"The extractor '{name}' gave a claim that cannot be used, number {place}: {problem}.")
        made.append(_plain(claim))
    return made


def _shaped(given: Any) -> Extracted | None:
    if isinstance(given, Extracted):
        return given
    if not isinstance(given, Mapping):
        return None
    try:
        return Extracted(**cast("Mapping[str, Any]", given))
    except TypeError:  # a field that is missing or not known; its own text would name the latter
        return None


def _problem(claim: Extracted) -> str:
    """The first thing that is wrong with a claim; never its text."""
    begins, ends, share = claim.valid_from, claim.valid_to, cast("Any", claim.confidence)
    looks = (
        (_named(claim.subject), f"subject must be a text that is not blank, of at most {_NAME} characters"),
        (_named(claim.predicate), f"predicate must be a text that is not blank, of at most {_NAME} characters"),
        (_storable(claim.value), f"value must be a JSON value that is not empty, of at most {_TEXT:,} characters"),
        (cast("Any", claim.cardinality) in ("one", "many"), "cardinality must be 'one' or 'many'"),
        (_zoned(begins), "valid_from must be a datetime with a time zone"),
        (_zoned(ends), "valid_to must be a datetime with a time zone"),
        (share is None or _number(share), "confidence must be a number from 0 to 1"),
        (claim.text is None or _named(claim.text, _TEXT), f"text must not be blank or exceed {_TEXT:,} characters"),
        (_topics(claim.topics), f"topics must be at most {_TOPICS} texts that are not blank"),
    )
    found = next((why for fine, why in looks if not fine), "")
    if not found and begins is not None and ends is not None and ends <= begins:
        return "valid_to must be after valid_from"
    return found


def _named(value: Any, most: int = _NAME) -> bool:
    return isinstance(value, str) and bool(topic_key(value)) and len(value) <= most and _encodes(value)


def _storable(value: Any) -> bool:
    if value is None or value == "":
        return False
    try:
        text = dumps(value)
    except (TypeError, ValueError):
        return False
    return len(text) <= _TEXT and _encodes(text)


def _encodes(text: str) -> bool:
    # Half of a surrogate pair is a character to Python and to no database.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _zoned(at: Any) -> bool:
    if at is None:
        return True
    if not isinstance(at, datetime) or at.utcoffset() is None:
        return False
    try:
        at.astimezone(UTC)
    except OverflowError:
        return False
    return True


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _topics(given: Any) -> bool:
    if not isinstance(given, (list, tuple)):
        return False
    names = cast("list[Any]", given)
    return len(names) <= _TOPICS and all(_named(each) for each in names)


def _plain(claim: Extracted) -> Extracted:
    begins, ends = claim.valid_from, claim.valid_to
    return replace(
        claim,
        subject=claim.subject.strip(),
        predicate=claim.predicate.strip(),
        valid_from=begins and begins.astimezone(UTC),
        valid_to=ends and ends.astimezone(UTC),
        confidence=None if claim.confidence is None else float(claim.confidence),
        topics=tuple(claim.topics),
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
