"""Cut the episodes of a scope into windows, each to be told in one consolidation.

In: episodes in their order and the consolidations that live. Out: the windows to write, each with those it replaces. Pure. A
window is a closed interval: once it is full, later arrivals never change it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

SIZE = 50


@dataclass(frozen=True, slots=True)
class Place:
    """An episode and where it stands: its session, and a number that rises with each."""

    id: str
    at: int
    grouping: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A living consolidation and what it covers."""

    id: str
    grouping: str
    first: int
    last: int
    closed: bool
    stale: bool
    sources_hash: str


@dataclass(frozen=True, slots=True)
class Window:
    """Episodes that one consolidation will tell."""

    grouping: str
    episodes: tuple[str, ...]
    first: int
    last: int
    replaces: tuple[str, ...] = field(default=())
    beside: tuple[str, ...] = field(default=())  # full ones that an episode of this window falls into, and that stay

    @property
    def closed(self) -> bool:
        """Whether it is full."""
        return len(self.episodes) >= SIZE

    def overlaps(self, held: Held) -> bool:
        """Whether a consolidation tells a part of it."""
        return held.grouping == self.grouping and held.first <= self.last and self.first <= held.last

    def sources_hash(self, base: str) -> str:
        """Equal for equal episodes of one line of consolidations."""
        return hashlib.sha256("\n".join((base, *sorted(self.episodes))).encode()).hexdigest()[:32]


def windows(episodes: Sequence[Place], held: Sequence[Held], base: str, size: int = SIZE) -> list[Window]:
    """The windows that need a new consolidation: grown, broken, or told by nothing yet.

    ``episodes`` are those that no full and fresh consolidation covers. What has not changed since it was told is left out.
    """
    fresh = {each.sources_hash for each in held if not each.stale}
    made: list[Window] = []
    for grouping in sorted({each.grouping for each in episodes}):
        own = [each for each in held if each.grouping == grouping]
        walls = [each for each in own if each.closed and not each.stale]
        loose = [each for each in own if each not in walls]
        cut: list[Window] = []
        for run in _runs([each for each in episodes if each.grouping == grouping], walls):
            cut += [_window(grouping, run[at : at + size], loose, walls) for at in range(0, len(run), size)]
        made += _adopted([each for each in cut if each.sources_hash(base) not in fresh], loose)
    return made


def _adopted(made: list[Window], loose: Sequence[Held]) -> list[Window]:
    """The windows, which also replace the stale consolidations of which no episode is left to tell."""
    for orphan in loose:
        if made and orphan.stale and not any(orphan.id in each.replaces for each in made):
            near = min(range(len(made)), key=lambda at: abs(made[at].first - orphan.first))
            made[near] = replace(made[near], replaces=(*made[near].replaces, orphan.id))
    return made


def _window(grouping: str, run: Sequence[Place], loose: Sequence[Held], walls: Sequence[Held]) -> Window:
    made = Window(grouping, tuple(each.id for each in run), run[0].at, run[-1].at)
    replaces, beside = (tuple(each.id for each in some if made.overlaps(each)) for some in (loose, walls))
    return replace(made, replaces=replaces, beside=beside)


def _runs(episodes: Sequence[Place], walls: Sequence[Held]) -> Iterator[list[Place]]:
    """Stretches of episodes with no full consolidation between them."""
    run: list[Place] = []
    for each in sorted(episodes, key=lambda place: (place.at, place.id)):
        if run and any(run[-1].at < wall.first < each.at for wall in walls):
            yield run
            run = []
        run.append(each)
    if run:
        yield run
