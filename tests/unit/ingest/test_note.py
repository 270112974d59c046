"""Titles, slugs and topics of remembered notes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.ingest.note import slug_of, title_of, topic_rows
from memgraph_svc.model.content import topic_key
from memgraph_svc.model.memory import Kind, Ref
from memgraph_svc.model.scope import Scope

REF = Ref("at_1", Kind.ATOM, Scope("t", "n"))


@given(st.text(min_size=1, max_size=300))
def test_slugs_and_titles_are_well_formed(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{1,64}", slug_of(text))
    title = title_of(text)
    assert 1 <= len(title) <= 120
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\n]", title)


def test_slugs_tell_titles_apart_that_folding_would_merge() -> None:
    assert slug_of("Favourite drink") == "favourite-drink"
    assert slug_of("C") != slug_of("C++")
    assert slug_of("北京") != slug_of("上海")
    assert slug_of("a" * 100) != slug_of("a" * 101)


def test_titles_come_from_the_first_sentence() -> None:
    assert title_of("Ana moved to Oslo. She likes it.") == "Ana moved to Oslo."
    assert title_of("  line one\nline two") == "line one"


def test_topics_are_one_each_whatever_their_case_width_or_blanks() -> None:
    rows = topic_rows(REF, ("Work  Life", "work life", "Ｗork life", "Health"))
    assert [(row["name"], row["position"]) for row in rows] == [("Work Life", 0), ("Health", 1)]
    assert topic_key("STRASSE") == topic_key("straße")
