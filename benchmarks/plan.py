"""How much is measured: the full suite for figures, the quick one to see that it works.

In: nothing. Out: counts and seconds. The full suite is meant for a quiet machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """Counts and seconds of a run."""

    quick: bool
    batches: dict[int, int]  # size to rounds
    clients: tuple[int, ...]
    window_s: float
    windows: int
    namespaces: tuple[int, ...]  # episodes in each
    notes: int
    calls: int  # of each operation in each namespace
    starts: int
    load_batches: int
    load_reads: int


FULL = Plan(
    quick=False,
    batches={100: 40, 1_000: 12},
    clients=(1, 16, 64),
    window_s=3.0,
    windows=5,
    namespaces=(1_000, 10_000),
    notes=200,
    calls=300,
    starts=3,
    load_batches=20,
    load_reads=500,
)
QUICK = Plan(
    quick=True,
    batches={100: 6, 1_000: 3},
    clients=(1, 16, 64),
    window_s=0.8,
    windows=1,
    namespaces=(500, 2_000),
    notes=40,
    calls=40,
    starts=1,
    load_batches=3,
    load_reads=50,
)
