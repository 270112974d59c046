"""Passages cover the whole text, none is too long, and each says where it stands."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.model.content import searchable
from memgraph_svc.model.passages import LENGTH, OVERLAP, cut, spans

PROSE = st.lists(
    st.sampled_from(["word", "Satz.", "文。", "x" * 300, "\n\n", " ", "why?", "na\u0308chst"]), max_size=800
).map(" ".join)


@given(PROSE | st.text(max_size=5_000))
def test_spans_cover_all_that_is_not_blank_and_stay_short(text: str) -> None:
    found = list(spans(text))
    covered: set[int] = set()
    for start, end in found:
        assert 0 < end - start <= LENGTH
        covered.update(range(start, end))
    assert all(text[at].isspace() for at in range(len(text)) if at not in covered)
    for (_, end), (start, _) in pairwise(found):
        assert end - OVERLAP <= start


@given(PROSE)
def test_a_passage_is_its_part_of_the_text_in_nfc(text: str) -> None:
    for each in cut(text):
        assert each.text == searchable(text[each.start : each.end])


def test_parts_of_joined_words_can_be_found() -> None:
    (only,) = cut("edit src/main.py with erp.lookup, l'avion at 10:30, don't")
    assert only.text.splitlines()[1] == "main py erp lookup avion don"


def test_a_short_memory_has_one_passage_and_an_empty_one_none() -> None:
    assert [each.text for each in cut("one line")] == ["one line"]
    assert cut("") == cut("  \n ") == []


def test_json_is_found_by_its_text_its_fields_and_its_values() -> None:
    (only,) = cut(
        {"text": "hello there", "speaker": "Ana", "favouriteColour": "blue", "nested": {"due_date": [2026, None]}}
    )
    assert only.text.startswith("hello there\n")
    for word in ("Ana", "favourite Colour", "blue", "due date", "2026"):
        assert word in only.text
    assert (only.start, only.end) == (0, 11)
    (bare,) = cut([1, "two", {"three": False}])
    assert bare.text == "1 two three false"
    assert bare.start == -1


def test_two_megabytes_without_a_blank_are_cut_hard() -> None:
    found = cut("x" * 33_000)
    assert len(found) == 33_000 // LENGTH
    assert found[-1].end == 33_000


def test_a_heading_stands_before_every_passage() -> None:
    found = cut("sentence one. " * 200, "Title")
    assert len(found) > 1
    assert all(each.text.startswith("Title\n") for each in found)
    assert [each.text for each in cut("", "Title")] == ["Title"]
