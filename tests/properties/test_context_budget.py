"""The law of the budget: never over it, nothing left out that would fit, and what goes in is text as it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memgraph_svc.assemble.budget import Offer, plan
from memgraph_svc.model.content import estimate_tokens

TEXT = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    st.builds(
        lambda word, count: f"{word}. " * count,
        st.sampled_from(["tea", "the gateway was down", "北京", "👩‍👧"]),
        st.integers(1, 80),
    ),
)
OFFERS = st.lists(st.builds(Offer, TEXT, st.booleans()), max_size=12).map(
    lambda each: sorted(each, key=lambda offer: not offer.required)
)
ROOM = st.integers(1, 400)
MOST = st.one_of(st.none(), st.integers(1, 6))


@given(OFFERS, ROOM, MOST)
def test_the_budget_holds(offers: list[Offer], room: int, most: int | None) -> None:
    made = plan(offers, room, most, {"gatewai"})
    texts = [offers[piece.offer].text[piece.start : piece.end] for piece in made.pieces]
    assert made.tokens == sum(estimate_tokens(text) for text in texts) <= room
    assert sum(-(-len(text) // 4) for text in texts) <= room
    assert most is None or len(made.pieces) <= most
    assert [piece.tokens for piece in made.pieces] == [estimate_tokens(text) for text in texts]


@given(OFFERS, ROOM, MOST)
def test_no_room_is_left_in_which_a_whole_text_would_fit(offers: list[Offer], room: int, most: int | None) -> None:
    made = plan(offers, room, most, set())
    if most is not None and len(made.pieces) == most:
        return
    placed = {piece.offer for piece in made.pieces}
    left = room - made.tokens
    assert all(estimate_tokens(offer.text) > left for at, offer in enumerate(offers) if at not in placed)


@given(OFFERS, ROOM, MOST)
def test_what_is_cut_or_left_out_is_said(offers: list[Offer], room: int, most: int | None) -> None:
    made = plan(offers, room, most, set())
    placed = {piece.offer for piece in made.pieces}
    whole = {piece.offer for piece in made.pieces if piece.whole}
    assert made.truncated is (whole != set(range(len(offers))))
    assert made.omitted == [at for at, offer in enumerate(offers) if offer.required and at not in placed]
    assert [piece.offer for piece in made.pieces] == sorted(placed)
    assert all(piece.whole == ((piece.start, piece.end) == (0, len(offers[piece.offer].text))) for piece in made.pieces)


@given(OFFERS, ROOM, MOST)
def test_the_plan_depends_on_nothing_else(offers: list[Offer], room: int, most: int | None) -> None:
    assert plan(offers, room, most, {"tea", "gatewai"}) == plan(list(offers), room, most, {"gatewai", "tea"})


def test_a_large_text_leaves_room_for_the_small_ones_behind_it() -> None:
    offers = [Offer("large. " * 400), *[Offer(f"small {n}") for n in range(5)]]
    made = plan(offers, 120, None, set())
    assert [piece.offer for piece in made.pieces] == [0, 1, 2, 3, 4, 5]
    assert made.truncated
    assert 120 - made.tokens < 4


def test_required_texts_share_what_there_is() -> None:
    offers = [Offer("one. " * 400, required=True), Offer("two. " * 400, required=True), Offer("three")]
    made = plan(offers, 40, None, set())
    assert {0, 1} <= {piece.offer for piece in made.pieces}
    assert made.omitted == []
