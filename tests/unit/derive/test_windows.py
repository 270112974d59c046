"""Windows of episodes: full ones are closed for good, and only what changed is told again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.derive.windows import Held, Place, Window, windows

BASE, SIZE = "b", 5


def places(*at: int, grouping: str = "") -> list[Place]:
    return [Place(f"ep_{grouping}{each:04}", each, grouping) for each in at]


def held(window: Window, *, stale: bool = False) -> Held:
    """The consolidation that tells a window."""
    closed = len(window.episodes) >= SIZE
    return Held(
        f"co_{window.grouping}{window.first}_{window.last}",
        window.grouping,
        window.first,
        window.last,
        closed,
        stale,
        window.sources_hash(BASE),
    )


def cut(episodes: Sequence[Place], known: Sequence[Held] = ()) -> list[Window]:
    return windows(episodes, known, BASE, SIZE)


def told(made: Sequence[Window]) -> list[list[int]]:
    return [[int(name[-4:]) for name in each.episodes] for each in made]


def test_episodes_are_cut_into_full_windows_and_a_rest() -> None:
    assert told(cut(places(*range(12)))) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]


def test_nothing_gives_no_window() -> None:
    assert cut([]) == []


def test_what_has_not_changed_is_not_told_again() -> None:
    episodes = places(*range(3))
    assert cut(episodes, [held(each) for each in cut(episodes)]) == []


def test_a_window_that_grew_replaces_its_predecessor() -> None:
    before = held(cut(places(0, 1))[0])
    (made,) = cut(places(0, 1, 2), [before])
    assert (told([made]), made.replaces) == ([[0, 1, 2]], (before.id,))


def test_a_full_and_fresh_window_is_left_alone_by_what_comes_later() -> None:
    first = cut(places(*range(7)))
    walls, rest = held(first[0]), held(first[1])
    made = cut(places(5, 6, 7, 8), [walls, rest])
    assert (told(made), made[0].replaces) == ([[5, 6, 7, 8]], (rest.id,))


def test_a_stale_window_is_told_again_from_what_is_left() -> None:
    before = held(cut(places(0, 1, 2))[0], stale=True)
    (made,) = cut(places(0, 2), [before])
    assert (told([made]), made.replaces) == ([[0, 2]], (before.id,))


def test_a_stale_window_is_told_again_even_when_its_episodes_are_the_same() -> None:
    before = held(cut(places(0, 1))[0], stale=True)
    assert told(cut(places(0, 1), [before])) == [[0, 1]]


def test_a_broken_window_never_reaches_over_a_full_one() -> None:
    walls = [held(each) for each in cut(places(*range(15)))]
    broken = held(cut(places(*range(5)))[0], stale=True)
    made = cut([*places(0, 1, 3, 4), *places(15, 16)], [broken, *walls[1:]])
    assert told(made) == [[0, 1, 3, 4], [15, 16]]
    assert [each.replaces for each in made] == [(broken.id,), ()]


def test_an_episode_that_appears_inside_a_full_window_is_told_beside_it() -> None:
    wall = held(cut(places(0, 1, 2, 3, 5))[0])
    (made,) = cut(places(4), [wall])
    assert (told([made]), made.replaces, made.beside) == ([[4]], (), (wall.id,))


def test_a_stale_window_of_which_nothing_is_left_is_replaced_by_its_neighbour() -> None:
    empty = held(cut(places(0, 1))[0], stale=True)
    other = held(cut(places(0, 1, grouping="s"))[0], stale=True)
    (made,) = cut(places(5), [empty, other])
    assert (told([made]), made.replaces) == ([[5]], (empty.id,))
    assert cut([], [empty]) == []


def test_sessions_have_windows_of_their_own() -> None:
    one, two = places(0, 2, grouping="s1"), places(1, 3, grouping="s2")
    made = cut([*one, *two], [held(cut(two)[0])])
    assert [(each.grouping, each.replaces) for each in made] == [("s1", ())]


def test_the_hash_tells_episodes_and_lines_apart_and_not_their_order() -> None:
    one, two = Window("", ("a", "b"), 0, 1), Window("s", ("b", "a"), 5, 6)
    assert one.sources_hash("x") == two.sources_hash("x")
    assert one.sources_hash("x") != one.sources_hash("y")
    assert one.sources_hash("x") != Window("", ("ab",), 0, 1).sources_hash("x")


NUMBERS = st.sets(st.integers(0, 300), max_size=40)


@given(NUMBERS, st.sampled_from(["", "s"]))
def test_every_episode_is_told_once_and_in_order(at: set[int], grouping: str) -> None:
    made = told(cut(places(*at, grouping=grouping)))
    assert [each for window in made for each in window] == sorted(at)
    assert all(len(window) == SIZE for window in made[:-1])


@given(st.lists(st.integers(1, 12), min_size=1, max_size=6))
def test_growing_rewrites_only_the_last_window(steps: list[int]) -> None:
    known: list[Held] = []
    end = 0
    for step in steps:
        end += step
        closed = {each.id for each in known if each.closed}
        covered = max((each.last for each in known if each.closed), default=-1)
        made = cut(places(*range(covered + 1, end)), known)
        gone = {name for each in made for name in each.replaces}
        assert not gone & closed
        known = [*(each for each in known if each.id not in gone), *map(held, made)]
        line = sorted((each.first, each.last) for each in known)
        assert (line[0][0], line[-1][1]) == (0, end - 1)
        assert all(one[1] + 1 == other[0] for one, other in pairwise(line))
        assert sum(not each.closed for each in known) <= 1
