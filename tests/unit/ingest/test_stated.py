"""What an episode states is read where it can be read; everything else is data and states nothing."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.stated import MOST, Named, claims, named
from memgraph_svc.lifecycle.claims import MANY, ONE, Claim
from memgraph_svc.model.memory import Actor

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FACT = {"subject": "Ada", "relation": "lives in", "value": "Oslo"}


def read(content: Any, **metadata: Any) -> list[Claim]:
    return claims(EpisodeDraft("application/json", content, Actor("u", "user"), None, metadata), NOW)


def one(fact: dict[str, Any], **metadata: Any) -> Claim:
    (made,) = read({"fact": fact}, **metadata)
    return made


def test_a_fact_is_a_claim() -> None:
    fact = {**FACT, "asOf": "2025-03-01", "validTo": "2025-06-01", "cardinality": "one", "confidence": 0.5}
    assert one(fact) == Claim(
        "Ada", "lives in", "Oslo", datetime(2025, 3, 1, tzinfo=UTC), True, ONE, datetime(2025, 6, 1, tzinfo=UTC), 0.5
    )


def test_facts_are_claims_in_their_order_after_the_single_one() -> None:
    several = [{**FACT, "value": value} for value in ("b", "c")]
    assert [each.value for each in read({"fact": {**FACT, "value": "a"}, "facts": several})] == ["a", "b", "c"]


def test_predicate_is_another_name_of_relation() -> None:
    assert one({"subject": "Ada", "predicate": "likes", "value": 1}).predicate == "likes"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("one", ONE),
        ("Single", ONE),
        ("many", MANY),
        ("multi", MANY),
        ("two", MANY),
        (None, MANY),
        ([], MANY),
        (1, MANY),
    ],
)
def test_only_a_known_word_makes_a_fact_single_valued(word: Any, expected: str) -> None:
    assert one({**FACT, "cardinality": word}).cardinality == expected


def test_the_time_is_the_facts_own_else_that_of_the_episode_else_now_and_undated() -> None:
    times = {"validFrom": "2024-01-01", "occurredAt": "2023-01-01"}
    assert one({**FACT, "asOf": "2025-01-01"}, **times).at.year == 2025
    assert one(FACT, **times).at.year == 2024
    assert one(FACT, occurredAt="2023-01-01").at.year == 2023
    assert (one(FACT).at, one(FACT).dated) == (NOW, False)
    assert (one({**FACT, "asOf": "long ago"}).at, one({**FACT, "asOf": 7}).dated) == (NOW, False)


@pytest.mark.parametrize("end", ["2024-12-31", "2025-01-01", "soon", 5, None])
def test_an_end_that_is_not_after_the_start_is_no_end(end: Any) -> None:
    assert one({**FACT, "asOf": "2025-01-01", "validTo": end}).valid_to is None


@pytest.mark.parametrize("share", [-0.1, 1.1, "1", True, None, [], {}])
def test_a_confidence_outside_of_zero_to_one_is_none(share: Any) -> None:
    assert one({**FACT, "confidence": share}).confidence is None


@pytest.mark.parametrize("value", [False, 0, 0.5, [], {}, [None], {"a": [1]}, " x "])
def test_any_json_is_a_value(value: Any) -> None:
    assert one({**FACT, "value": value}).value == value


@pytest.mark.parametrize(
    "fact",
    [
        None,
        "Ada lives in Oslo",
        5,
        True,
        [],
        [FACT],
        {},
        {"subject": "Ada"},
        {"subject": "Ada", "relation": "lives in"},
        {**FACT, "value": None},
        {**FACT, "value": ""},
        {**FACT, "subject": ""},
        {**FACT, "subject": " \t"},
        {**FACT, "subject": 5},
        {**FACT, "relation": None},
        {**FACT, "relation": {"a": 1}},
    ],
)
def test_a_fact_that_cannot_be_read_states_nothing_and_spoils_no_other(fact: Any) -> None:
    assert read({"fact": fact}) == []
    assert [each.value for each in read({"facts": [fact, FACT, fact]})] == ["Oslo"]


@pytest.mark.parametrize(
    "content", ["text", 5, None, [], [{"fact": FACT}], {"facts": FACT}, {"facts": "x"}, {"Fact": FACT}]
)
def test_content_of_another_shape_states_nothing(content: Any) -> None:
    assert read(content) == []


def test_so_many_facts_are_read_and_no_more() -> None:
    assert len(read({"facts": [{**FACT, "value": at} for at in range(MOST + 20)]})) == MOST


def test_the_sentence_of_an_episode_words_its_only_claim_when_it_says_the_value() -> None:
    said = "She has moved to OSLO now."
    assert read({"text": said, "fact": FACT})[0].text == said
    assert read({"text": "She moved.", "fact": FACT})[0].text is None
    assert read({"text": said, "facts": [FACT, {**FACT, "relation": "works in"}]})[0].text is None
    assert read({"text": said, "facts": [FACT, 5]})[0].text is None
    assert read({"text": said + " x" * 512, "fact": FACT})[0].text is None
    assert read({"fact": FACT})[0].text is None


REF = {"id": "at_2", "type": "atom", "scope": {"tenantId": "t", "namespaceId": "n"}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("at_1", ("at_1",)),
        (REF, ("at_2",)),
        (["at_1", REF, {"id": "at_3"}], ("at_1", "at_2", "at_3")),
        (["at_1", "at_1", {"id": "at_1"}], ("at_1",)),
        ([None, 5, True, "", [], ["at_1"], {}, {"id": 5}, {"id": ""}, "x" * 513, "at_1"], ("at_1",)),
        (None, ()),
        (5, ()),
        ({}, ()),
        ("", ()),
    ],
)
def test_ids_and_refs_are_named_once_each_and_garbage_names_nothing(given: Any, expected: tuple[str, ...]) -> None:
    assert named({"supersedes": given}) == Named(supersedes=expected)
    assert named({"supersededBy": given}) == Named(superseded_by=expected)
    assert named({"contradicts": given}) == Named(contradicts=expected)


def test_all_named_ids_are_given_once() -> None:
    found = named({"supersedes": ["a", "b"], "supersededBy": "b", "contradicts": [{"id": "c"}]})
    assert found.ids() == ("a", "b", "c")
    assert [(said.value, each) for said, each in found.pairs()] == [
        ("supersedes", "a"),
        ("supersedes", "b"),
        ("supersededBy", "b"),
        ("contradicts", "c"),
    ]


def test_so_many_ids_are_named_and_no_more() -> None:
    assert len(named({"contradicts": [f"at_{at}" for at in range(MOST + 5)]}).contradicts) == MOST
