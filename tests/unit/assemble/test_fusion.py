"""Words lead: meaning adds to their order and never turns it upside down."""

import math

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.assemble import scoring
from memgraph_svc.assemble.fusion import WEIGHT, closeness, fuse

names = st.text("abcdef", min_size=1, max_size=3)
words = st.dictionaries(names, st.floats(1e-6, 60), max_size=12)
near = st.dictionaries(names, st.floats(-1, 1), max_size=12)
floors = st.floats(-0.9, 0.9)


def test_without_meaning_the_scores_are_those_of_the_words() -> None:
    made = fuse({"b": 2.5, "a": 2.5, "c": 0.000001}, {})
    assert [(each.id, each.score, each.word_rank, each.near_rank) for each in made] == [
        ("a", 2.5, 1, None),
        ("b", 2.5, 2, None),
        ("c", 0.000001, 3, None),
    ]


def test_meaning_adds_a_share_of_the_best_word_score() -> None:
    made = fuse({"a": 4.0, "b": 3.9}, {"b": 1.0, "c": 0.75, "d": 0.49}, 0.5)
    assert [(each.id, each.score) for each in made] == [("b", 3.9 + WEIGHT * 4), ("a", 4.0), ("c", WEIGHT * 4 * 0.5)]
    assert [each.near_rank for each in made] == [1, None, 2]


def test_where_words_say_nothing_closeness_stands_by_itself() -> None:
    assert [each.score for each in fuse({}, {"a": 0.5, "b": 1.0}, 0.0)] == [WEIGHT, WEIGHT / 2]
    assert [each.score for each in fuse({"x": 0.000001}, {"a": 1.0}, 0.5)] == [WEIGHT, 0.000001]
    assert [each.score for each in fuse({}, {"a": 0.5}, 0.5)] == [0.000001]


def test_closeness_is_a_share_of_what_lies_above_the_floor() -> None:
    assert closeness(0.5, 0.5) == 0
    assert closeness(0.2, 0.5) == 0
    assert closeness(1.0000001, 0.5) == 1
    assert math.isclose(closeness(0.75, 0.5), 0.5)


@given(words, near, floors)
def test_scores_are_finite_rounded_and_in_order(words: dict[str, float], near: dict[str, float], floor: float) -> None:
    made = fuse(words, near, floor)
    assert {each.id for each in made} == {*words, *(name for name, cosine in near.items() if cosine >= floor)}
    assert all(math.isfinite(each.score) and each.score > 0 and each.score == round(each.score, 6) for each in made)
    assert [(-each.score, each.id) for each in made] == sorted((-each.score, each.id) for each in made)
    assert fuse(dict(reversed(words.items())), dict(reversed(near.items())), floor) == made


@given(words, near, floors)
def test_the_order_of_words_is_never_turned_upside_down(
    words: dict[str, float], near: dict[str, float], floor: float
) -> None:
    made = fuse(words, near, floor)
    best = max(words.values(), default=0.0)
    at = {each.id: place for place, each in enumerate(made)}
    for one, left in words.items():
        for other, right in words.items():
            if left - right > WEIGHT * max(best, 1.0) + 1e-5:
                assert at[one] < at[other]
    if best > 0.001:
        first = min((name for name in words if words[name] == best), key=lambda name: at[name])
        assert all(at[first] < place for name, place in at.items() if name not in words)


def test_the_reason_says_which_arm_found_it() -> None:
    score = scoring.Score(1.0, ("puppi",))
    assert scoring.reason(score, {"puppi": "puppies"}) == 'Matches "puppies".'
    assert scoring.reason(score, {"puppi": "puppies"}, near=True) == 'Matches "puppies", and close in meaning.'
    assert scoring.reason(scoring.Score(1.0, ()), {}, near=True) == "Matches words of the query, and close in meaning."
    assert scoring.reason(None, {}, near=True) == "Close in meaning to the query."
