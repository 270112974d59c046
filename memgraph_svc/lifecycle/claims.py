"""What a claim says, and what becomes of the claims it meets.

In: a claim, and the claims of the same subject and predicate that are held already. Out: a verdict. Pure: nothing here
reads or writes. The rules are design section 3, "Claims": the same claim again adds a source; a later one that cannot hold
beside an earlier one supersedes it, whichever arrives first; what cannot be told apart by time is disputed; nothing else is
ever retired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from memgraph_svc.model.content import topic_key
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import Status
from memgraph_svc.model.scope import Scope, token
from memgraph_svc.write.known import Known

ONE, MANY = "one", "many"


class Given(StrEnum):
    """What the teller says of an earlier claim; taken as given, whatever the times say."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "supersededBy"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said of one subject, from a time on."""

    subject: str
    predicate: str
    value: Any
    at: datetime
    dated: bool = False
    cardinality: str = MANY
    valid_to: datetime | None = None
    confidence: float | None = None
    topics: tuple[str, ...] = ()
    text: str | None = None

    @property
    def value_key(self) -> str:
        """Equal for values that differ only in case, width or blanks."""
        return content_hash(topic_key(self.value) if isinstance(self.value, str) else self.value)

    def key(self, scope: Scope) -> str:
        """Equal for claims about one thing in one namespace: agents and sessions of a namespace share its facts."""
        return token("claim", scope.tenant_id, scope.namespace_id, topic_key(self.subject), topic_key(self.predicate))


@dataclass(slots=True)
class Judgement:
    """What to do with a claim. Either it restates a held one, or it is stored and the rest applies."""

    restates: Known | None = None
    supersedes: list[Known] = field(default_factory=list[Known])
    shortens: Known | None = None
    superseded_by: Known | None = None
    ends: datetime | None = None
    contradicts: list[Known] = field(default_factory=list[Known])


def judge(claim: Claim, held: Sequence[Known], given: Mapping[str, Given] | None = None) -> Judgement:
    """The verdict on a claim; ``given`` says by id what the teller stated of a held one."""
    stated = given or {}
    living = [each for each in held if each.status is not Status.TOMBSTONED]
    made = Judgement(ends=claim.valid_to)
    same = _restated(claim, living)
    if same is not None and same.id not in stated:
        made.restates = same
        return made
    rivals = [each for each in living if each.value_key != claim.value_key and each.id not in stated]
    for each in living:
        _apply_given(made, each, stated.get(each.id))
    if claim.cardinality == ONE and made.superseded_by is None:
        _by_time(made, claim, [each for each in rivals if each.cardinality == ONE])
    return made


def _apply_given(made: Judgement, held: Known, said: Given | None) -> None:
    if said is Given.SUPERSEDES and held.is_current():
        made.supersedes.append(held)
    elif said is Given.CONTRADICTS and held.is_current():
        made.contradicts.append(held)
    elif said is Given.SUPERSEDED_BY:
        made.superseded_by = held
        made.ends = _earlier(made.ends, held.valid_from)


def _by_time(made: Judgement, claim: Claim, rivals: list[Known]) -> None:
    current = [each for each in rivals if each.is_current()]
    if not claim.dated:
        made.contradicts += current
        return
    dated = [each for each in rivals if each.dated and each.valid_from is not None]
    later = [each for each in dated if _last(each) > claim.at and _start(each) != claim.at]
    if made.supersedes:
        # What is said to replace a current claim is no older than what that one had replaced.
        later = [each for each in later if each.is_current()]
    if later:
        # It arrives late: something newer is known, so it is history from the start.
        successor = min(later, key=lambda each: (_start(each) if _start(each) > claim.at else _last(each), each.id))
        made.superseded_by = successor
        begins = _start(successor) if _start(successor) > claim.at else _last(successor)
        made.ends = _earlier(claim.valid_to, begins)
    else:
        made.supersedes += [each for each in current if each in dated and _start(each) < claim.at]
        made.contradicts += [each for each in current if each not in dated or _start(each) == claim.at]
    made.shortens = _cut_short(claim, dated)


def _cut_short(claim: Claim, dated: list[Known]) -> Known | None:
    """The superseded claim that was thought to hold beyond the time at which this one began."""
    before = [
        each
        for each in dated
        if each.status is Status.SUPERSEDED
        and _last(each) < claim.at
        and each.valid_to is not None
        and each.valid_to > claim.at
    ]
    return max(before, key=lambda each: (_start(each), each.id), default=None)


def _restated(claim: Claim, living: list[Known]) -> Known | None:
    """The held claim that says the same: a current one, else the one that held at that time."""
    same = [each for each in living if each.value_key == claim.value_key]
    current = next((each for each in same if each.is_current()), None)
    if current is not None:
        rivals = [each for each in living if each.value_key != claim.value_key and each.cardinality == ONE]
        if claim.cardinality != ONE or not any(_between(claim.at, each, current) for each in rivals):
            return current
    return next(
        (
            each
            for each in same
            if each.status is Status.SUPERSEDED
            and each.valid_from is not None
            and each.valid_from <= claim.at
            and (each.valid_to is None or claim.at < each.valid_to)
        ),
        None,
    )


def _between(at: datetime, held: Known, current: Known) -> bool:
    return held.valid_from is not None and current.valid_from is not None and at < held.valid_from < current.valid_from


def _start(held: Known) -> datetime:
    assert held.valid_from is not None, "only dated claims are compared by time"  # noqa: S101
    return held.valid_from


def _last(held: Known) -> datetime:
    return max(_start(held), held.stated_at or _start(held))


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((each for each in (one, other) if each is not None), default=None)
