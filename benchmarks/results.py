"""What a benchmark found: figures, each beside its floor.

In: numbers. Out: the same as JSON values, and back.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks import stats


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, the floor it is compared with, and what was hoped for."""

    name: str
    value: float
    unit: str
    floor_name: str = ""
    floor: float | None = None
    goal: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the floor."""
        return None if self.floor is None else stats.ratio(self.value, self.floor)

    def wire(self) -> dict[str, Any]:
        """The figure as JSON, with its ratio."""
        return {**asdict(self), "ratio": self.ratio}


@dataclass(slots=True)
class Report:
    """All figures of one benchmark, and the memory of the processes that took part, in MiB."""

    name: str
    title: str
    figures: list[Figure] = field(default_factory=list[Figure])
    memory: dict[str, float] = field(default_factory=dict[str, float])
    seconds: float = 0.0

    def wire(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "seconds": round(self.seconds, 1),
            "memoryMiB": {name: round(value, 1) for name, value in self.memory.items()},
            "figures": [figure.wire() for figure in self.figures],
        }


def reports(document: dict[str, Any]) -> list[Report]:
    """The reports of a document that was written before."""
    return [
        Report(
            each["name"],
            each["title"],
            [Figure(**{key: value for key, value in row.items() if key != "ratio"}) for row in each["figures"]],
            each["memoryMiB"],
            each["seconds"],
        )
        for each in document["benchmarks"]
    ]


def at_least(goal: float, value: float | None) -> tuple[str, bool | None]:
    """A goal that is met from below, and whether it is."""
    return f"≥ {goal:g} ×", None if value is None else value >= goal


def at_most(goal: float, value: float | None) -> tuple[str, bool | None]:
    """A goal that is met from above, and whether it is."""
    return f"≤ {goal:g} ×", None if value is None else value <= goal
