"""Ranking sees the words the index sees, and depends on the candidates alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.assemble import scoring
from memgraph_svc.assemble.stem import stem
from memgraph_svc.assemble.words import terms

# From the examples in Porter's paper of 1980, one or more for each rule.
PORTER = """
caresses:caress ponies:poni ties:ti cats:cat feed:feed agreed:agre plastered:plaster bled:bled motoring:motor
sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall hissing:hiss
fizzed:fizz failing:fail filing:file happy:happi sky:sky relational:relat conditional:condit rational:ration
valenci:valenc hesitanci:hesit digitizer:digit conformabli:conform radicalli:radic differentli:differ
vileli:vile analogousli:analog vietnamization:vietnam predication:predic operator:oper feudalism:feudal
decisiveness:decis hopefulness:hope callousness:callous formaliti:formal sensitiviti:sensit
sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electriciti:electr electrical:electr
hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop
adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend
adoption:adopt homologou:homolog communism:commun activate:activ angulariti:angular homologous:homolog
effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll
"""


@pytest.mark.parametrize(("word", "expected"), [pair.split(":") for pair in PORTER.split()])
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "is", "москва", "x2", "北京", "naïve"])
def test_other_words_are_their_own_stem(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=30))
def test_stemming_never_fails_and_never_grows(word: str) -> None:
    assert len(stem(word)) <= len(word)


def test_terms() -> None:
    assert terms("Caroline's puppies aren't in the main.py of 北京大学 🎉") == [
        "carolin", "puppi", "aren't", "main", "py", "北京", "京大", "大学", "🎉",
    ]  # fmt: skip


def test_rare_words_count_more_and_short_passages_win() -> None:
    wanted = list(scoring.query_terms("gateway certificates"))
    scores = scoring.rank(wanted, ["gateway", "gateway here", "gateway and a certificate", "gateway " + "other " * 50])
    order = sorted(range(4), key=lambda at: -scores[at].value)
    assert order == [2, 0, 1, 3]
    assert scores[2].matched == ("gatewai", "certif")


def test_a_hit_of_the_index_never_scores_zero() -> None:
    assert scoring.rank(["zebra"], ["something else"])[0].value > 0
    assert scoring.rank(["zebra"], []) == []


def test_the_reason_names_words_of_the_query_only() -> None:
    written = scoring.query_terms("Certificates gateway one two three four five")
    full = scoring.Score(1.0, tuple(written))
    assert (
        scoring.reason(full, written)
        == 'Matches "Certificates", "gateway", "one", "two", "three" and 2 more words of the query.'
    )
    assert scoring.reason(scoring.Score(1.0, ("gatewai",)), written) == 'Matches "gateway".'
    assert scoring.reason(scoring.Score(1.0, ()), written) == "Matches words of the query."
