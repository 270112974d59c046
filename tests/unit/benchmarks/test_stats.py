"""Medians, percentiles and turns are what they say."""

from __future__ import annotations

import pytest

from benchmarks import stats


def test_percentiles_lie_between_neighbours():
    assert stats.median([3, 1, 2]) == 2
    assert stats.median([1, 2]) == 1.5
    assert stats.percentile(list(range(101)), 0.95) == 95
    assert stats.percentile([7], 0.95) == 7
    assert (stats.percentile([5, 1], 0), stats.percentile([5, 1], 1)) == (1, 5)


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1], 1.1), ([1], -0.1)])
def test_a_percentile_of_nothing_is_refused(values, share):
    with pytest.raises(ValueError, match="a percentile needs"):
        stats.percentile(values, share)


def test_a_ratio_needs_a_floor():
    assert stats.ratio(3, 2) == 1.5
    assert stats.ratio(3, 0) is None


def test_the_spread_is_a_share_of_the_median():
    assert stats.spread([1, 1, 1]) == 0
    assert stats.spread([8, 10, 12]) == pytest.approx(0.2)


def test_variants_take_turns_and_every_second_round_goes_backwards():
    order: list[str] = []
    took = stats.in_turns({name: lambda name=name: order.append(name) for name in "abc"}, rounds=2, warm=1)
    assert "".join(order) == "abccbaabc"
    assert {name: len(seconds) for name, seconds in took.items()} == {"a": 2, "b": 2, "c": 2}
