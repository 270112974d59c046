"""Statistics of timings: medians, percentiles, and taking several variants in turns.

In: seconds. Out: numbers. Pure, save for the clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence

Variant = Callable[[], object]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies, between neighbours in proportion.

    Raises ``ValueError`` when there are none, or when the share is not between 0 and 1.
    """
    if not values or not 0 <= share <= 1:
        raise ValueError("a percentile needs values, and a share between 0 and 1")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return percentile(values, 0.5)


def ratio(value: float, floor: float) -> float | None:
    """How many times the floor; None when there is no floor to speak of."""
    return None if floor <= 0 else value / floor


def spread(values: Sequence[float]) -> float:
    """The distance between the quartiles as a share of the median: how noisy the run was."""
    middle = median(values)
    return 0.0 if middle == 0 else (percentile(values, 0.75) - percentile(values, 0.25)) / middle


def timed(work: Variant) -> float:
    """The seconds that one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_turns(variants: Mapping[str, Variant], rounds: int, warm: int = 1) -> dict[str, list[float]]:
    """Time every variant once a round, so that a drift of the machine meets all of them alike.

    Every second round goes backwards, so that none always follows the same one. ``warm`` rounds are not counted.
    """
    took: dict[str, list[float]] = {name: [] for name in variants}
    names = list(variants)
    for at in range(warm + rounds):
        for name in names if at % 2 == 0 else reversed(names):
            seconds = timed(variants[name])
            if at >= warm:
                took[name].append(seconds)
    return took
