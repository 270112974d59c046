"""What a consolidation says: a line of its own words for each episode, and every dispute in the open."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.derive.merge import LINE, Told, text_of, title_of


def said(content: Any, date: str = "2026-05-01", disputed: Any = (), **metadata: Any) -> Told:
    return Told("ep", content, metadata, date, tuple(disputed))


def test_every_episode_has_a_line_in_order() -> None:
    assert text_of([said("One."), said({"text": "Two.", "n": 2}), said("Three.")]) == "- One.\n- Two.\n- Three."


def test_a_speaker_is_named() -> None:
    assert text_of([said("Hello.", speaker="Ada"), said("Hi.", speaker=" "), said("Ho.", speaker=5)]) == (
        "- Ada: Hello.\n- Hi.\n- Ho."
    )


def test_an_episode_that_says_nothing_has_no_line() -> None:
    assert text_of([said(" \n\t"), said({"text": ""}), said("x")]) == "- x"
    assert text_of([]) == ""


def test_a_long_text_is_cut_at_the_end_of_a_sentence() -> None:
    first = "A" * 150 + "."
    assert text_of([said(f"{first} {'B' * 200}.")]) == f"- {first}"


@pytest.mark.parametrize("text", ["x" * 5_000, "短い文。" * 500, "Short. " + "y" * 600, "a\n" * 400])
def test_a_line_is_never_longer_than_it_may_be(text: str) -> None:
    line = text_of([said(text)])
    assert len(line) <= LINE + 2
    assert "\n" not in line


def test_open_disputes_are_listed_once_each_at_the_end() -> None:
    one, two = ("at_1", "Ada lives in Oslo"), ("at_2", "Ada lives in\nRome")
    assert text_of([said("x", disputed=[one, two]), said("y", disputed=[one])]) == (
        "- x\n- y\n\nIn dispute:\n- Ada lives in Oslo\n- Ada lives in Rome"
    )


def test_a_title_names_the_session_and_its_days() -> None:
    days = [said("x", "2026-05-03"), said("y", "2026-05-01"), said("z", "")]
    assert title_of("s1", days) == "Session s1, 2026-05-01 to 2026-05-03"
    assert title_of("", days[:1]) == "Summary, 2026-05-03"
    assert title_of("", days[2:]) == "Summary"
    assert title_of("s1", []) == "Session s1"
    assert len(title_of("s" * 500, days)) <= 120


@given(st.lists(st.text(max_size=300), max_size=5), st.lists(st.text(max_size=80), max_size=3))
def test_no_text_can_look_like_another_part(texts: list[str], disputed: list[str]) -> None:
    told = [said(each, disputed=[("at", text) for text in disputed]) for each in texts]
    made = text_of(told)
    assert made == text_of(told)
    lines = made.splitlines()
    assert all(each in ("", "In dispute:") or each.startswith("- ") for each in lines)
    assert lines.count("In dispute:") <= 1


@given(st.text(alphabet="ab. ", min_size=1, max_size=600))
def test_nothing_is_said_that_the_source_does_not_say(text: str) -> None:
    line = text_of([said(text)]).removeprefix("- ").removesuffix("…").strip()
    assert line in " ".join(text.split())
