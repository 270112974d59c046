"""Whatever a person writes becomes words or nothing, and never syntax."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.assemble import lexical
from memgraph_svc.model.scope import Scope

BARE = re.compile(r"(?<!\\)[+\-&|!(){}\[\]^~*?:/<>=]")


def clauses(text: str) -> tuple[str, ...]:
    made = lexical.wanted(text)
    return made.clauses if made else ()


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "the of and", "?!", "...", "*", "?", "~", "AND", "NOT", '"', "(", "^", "--", "\\", "is it", "\x00"],
)
def test_nothing_to_look_for(text: str) -> None:
    assert lexical.wanted(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tb-", ("tb",)),
        ("C:\\repo\\src\\main.py", ("C", "repo", "src", "main.py", "main", "py")),
        ("foo OR bar", ("foo", "bar")),
        ("[1 TO", ("1",)),
        ("a:b^3", ("a\\:b", "b", "3")),
        ("title:(x", ("title", "x")),
        ("node:", ("node",)),
        ("don't", ("don't",)),
        ("Word word WORD", ("Word",)),
        ("x_y", ("x_y", "x", "y")),
    ],
)
def test_operators_are_words_or_nothing(text: str, expected: tuple[str, ...]) -> None:
    assert clauses(text) == expected


def test_composed_and_decomposed_letters_are_the_same_word() -> None:
    assert clauses("A\u030angstro\u0308m") == clauses("\u00c5ngstr\u00f6m") == ("\u00c5ngstr\u00f6m",)


def test_marks_stay_with_their_letters() -> None:
    assert clauses("हिन्दी") == ("हिन्दी",)


def test_scripts_without_blanks_are_looked_for_in_pairs() -> None:
    assert clauses("北京大学") == ('"北京"', '"京大"', '"大学"')
    assert clauses("北") == ('"北"',)


def test_long_texts_are_shortened_and_say_so() -> None:
    made = lexical.wanted(" ".join(f"w{n}" for n in range(5_000)))
    assert made is not None
    assert made.shortened
    assert len(made.clauses) == lexical.MOST_CLAUSES
    assert made.halved().clauses == made.clauses[: lexical.MOST_CLAUSES // 2]


def test_repeated_words_cost_once() -> None:
    made = lexical.wanted("again and " * 10_000 + "other")
    assert made is not None
    assert (made.clauses, made.shortened) == (("again", "other"), False)


def test_a_word_without_end_is_cut_like_the_index_cuts_it() -> None:
    assert [len(clause) for clause in clauses("x" * 600)] == [255, 90]


def test_the_scope_narrows_only_when_it_names_agent_or_session() -> None:
    words = lexical.wanted("hello")
    assert words is not None
    wide, narrow = Scope("t", "n"), Scope("t", "n", "a", "s")
    assert "agentToken" not in lexical.lucene(words, wide, states=["v0"])
    text = lexical.lucene(words, narrow, kinds=["atom"], states=["v0", "v1"])
    assert text == (
        f"+scopeKey:{narrow.key}^0 +visibility:(v0 v1)^0 +kind:(atom)^0 +agentToken:{narrow.agent_token}^0 "
        f"+sessionToken:{narrow.session_token}^0 +text:(hello)"
    )


@given(st.text(max_size=400))
def test_no_operator_survives(text: str) -> None:
    for clause in clauses(text):
        assert clause
        assert not BARE.search(clause.strip('"'))
        assert clause.count('"') in (0, 2)
        assert not re.search(r"\s", clause)
        assert clause not in ("AND", "OR", "NOT")


@given(st.text(alphabet=st.characters(categories=["L", "N", "M", "So", "Po", "Cf"]), max_size=3_000))
def test_the_cap_holds(text: str) -> None:
    assert len(clauses(text)) <= lexical.MOST_CLAUSES
