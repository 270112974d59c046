"""Decide what a deletion takes with it.

In: what was reached from the deleted memories, and what each of it was made from. Out: who goes, who stays, who is marked.
Pure: nothing here reads or writes. The rules are design section 3, "tombstone".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from memgraph_svc.model.memory import Kind, Status
from memgraph_svc.write.known import Known


class Policy(StrEnum):
    """What becomes of memory that was derived from what is deleted."""

    NONE = "none"
    MARK = "mark_derived_stale"
    TOMBSTONE = "tombstone_derived"


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory derived from a deleted one, at its shortest distance."""

    memory: Known
    depth: int
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One source of a reached memory."""

    of: str
    id: str
    alive: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a deletion does: ``gone`` and ``marked`` nearest first, ``beyond`` lies deeper than the walk may act."""

    gone: list[Reached] = field(default_factory=list[Reached])
    marked: list[Reached] = field(default_factory=list[Reached])
    kept: list[Reached] = field(default_factory=list[Reached])
    beyond: list[Reached] = field(default_factory=list[Reached])

    def affected(self) -> list[Reached]:
        """Everything whose state changes within the walk."""
        return sorted([*self.gone, *self.marked], key=lambda each: (each.depth, each.memory.id))

    def by_depth(self) -> dict[str, dict[str, int]]:
        """How many go, are marked and stay, for each distance."""
        counted: dict[str, dict[str, int]] = {}
        for word, some in (("tombstoned", self.gone), ("stale", self.marked), ("kept", self.kept)):
            for each in some:
                counts = counted.setdefault(str(each.depth), {})
                counts[word] = counts.get(word, 0) + 1
        return dict(sorted(counted.items(), key=lambda pair: int(pair[0])))


def plan(
    roots: Iterable[str],
    reached: Sequence[Reached],
    sources: Sequence[Source],
    policy: Policy,
    depth: int,
    *,
    sole_support_only: bool,
) -> Plan:
    """The plan for deleting ``roots``; ``reached`` goes one step further than ``depth``."""
    living = [each for each in reached if each.memory.status is not Status.TOMBSTONED]
    within = [each for each in living if each.depth <= depth]
    edge = [each for each in living if each.depth > depth]
    if policy is Policy.NONE:
        return Plan()
    if policy is Policy.MARK:
        return Plan(marked=within, beyond=edge)
    named = set(roots)
    # What lies at the edge was reached as well, so it holds nothing up: it could close a circle through what goes.
    reach = named | {each.memory.id for each in edge}
    kept = survivors(reach, within, sources) if sole_support_only else set[str]()
    gone = [each for each in within if each.memory.id not in kept]
    lost = named | {each.memory.id for each in gone}
    orphaned = {each.of for each in sources if each.id in lost}
    return Plan(
        gone=gone,
        kept=[each for each in within if each.memory.id in kept],
        beyond=[each for each in edge if each.memory.id in orphaned],
    )


def survivors(roots: set[str], reached: Sequence[Reached], sources: Sequence[Source]) -> set[str]:
    """Who stays: support is well founded, so that a circle cannot hold itself up.

    The least set in which every atom has a source that is alive outside of what was reached, or that stays itself, and
    every consolidation has only such sources, since its text may quote any of them.
    """
    inside = roots | {each.memory.id for each in reached}
    held: dict[str, set[str]] = {}
    holds: dict[str, set[str]] = {}
    firm: set[tuple[str, str]] = set()
    for each in sources:
        held.setdefault(each.of, set()).add(each.id)
        holds.setdefault(each.id, set()).add(each.of)
        if each.alive and each.id not in inside:
            firm.add((each.of, each.id))
    whole = {each.memory.id for each in reached if each.memory.ref.kind is Kind.CONSOLIDATION}
    supported = {name: {source for source in some if (name, source) in firm} for name, some in held.items()}
    kept: set[str] = set()
    waiting = [each.memory.id for each in reached]
    while waiting:
        name = waiting.pop()
        good = supported.get(name, set[str]())
        if name in kept or name in roots or not good or (name in whole and good != held[name]):
            continue
        kept.add(name)
        for other in holds.get(name, ()):
            if other in supported:
                supported[other].add(name)
                waiting.append(other)
    return kept


def downstream(start: str, made_from: Mapping[str, Sequence[str]], order: Mapping[str, Reached]) -> list[Reached]:
    """Everything in ``order`` that was made from ``start``, nearest first; ``made_from`` says what each led to."""
    seen, waiting = {start}, [start]
    while waiting:
        for other in made_from.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return [each for name, each in order.items() if name in seen and name != start]
