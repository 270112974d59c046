"""An excerpt is a piece of the text as it stands, cut where a reader would cut it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.assemble.excerpt import excerpt, joined, sentences, size
from memgraph_svc.assemble.words import terms

STORY = "We met in May. The gateway was down! Nobody knew why. It was main.py in the end.\nThen it rained"


def cut(text: str, question: str, most: int) -> str | None:
    span = excerpt(text, set(terms(question)), most)
    return None if span is None else text[span[0] : span[1]]


def test_sentences_end_where_they_end() -> None:
    assert [STORY[start:end] for start, end in sentences(STORY)] == [
        "We met in May.", "The gateway was down!", "Nobody knew why.", "It was main.py in the end.", "Then it rained",
    ]  # fmt: skip
    assert len(sentences("你好。再见！走吧")) == 3
    assert sentences(" \n ") == []


def test_the_sentence_that_answers_is_taken() -> None:
    assert cut(STORY, "gateway", 25) == "The gateway was down!"
    assert cut(STORY, "gateway", 40) == "The gateway was down! Nobody knew why."
    assert cut(STORY, "rain", 45) == "It was main.py in the end.\nThen it rained"
    assert cut(STORY, "nothing of it", 20) == "We met in May."


def test_a_long_sentence_is_cut_at_words_near_the_match() -> None:
    text = "word " * 200 + "needle " + "more " * 200
    made = cut(text, "needle", 60)
    assert made is not None
    assert "needle" in made
    assert size(made) <= 60
    assert not made.startswith(" ")
    assert set(made.split()) == {"word", "needle", "more"}


@pytest.mark.parametrize(
    "text",
    [
        "e\u0301" * 50,
        "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 20,
        "\U0001f1e9\U0001f1ea" * 20,
        "\U0001f44d\U0001f3fd" * 20,
    ],
)
def test_no_character_is_split(text: str) -> None:
    for most in range(1, 60):
        span = excerpt(text, set(), most)
        if span is not None:
            assert not joined(text, span[0])
            assert not joined(text, span[1])


def test_flags_are_pairs() -> None:
    flags = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"
    assert [joined(flags, at) for at in range(5)] == [False, True, False, True, False]
    assert joined("\r\n", 1)


@given(st.text(max_size=300), st.text(max_size=20), st.integers(1, 120))
def test_an_excerpt_fits_and_is_not_blank(text: str, question: str, most: int) -> None:
    text, question = (each.encode(errors="ignore").decode() for each in (text, question))
    made = cut(text, question, most)
    if made is not None:
        assert size(made) <= most
        assert made.strip()
        assert made in text
