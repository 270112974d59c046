"""Choose what goes into a context.

In: texts in order of worth, some of them required, and the room there is. Out: which of them, whole or as an excerpt.
The room is never exceeded, and no room is left in which a text that was left out would fit whole. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from memgraph_svc.assemble.excerpt import excerpt
from memgraph_svc.model.content import BYTES_PER_TOKEN, estimate_tokens

SHORTEST_EXCERPT = 8  # tokens; less than that says nothing
_SHARE = 2  # an excerpt takes at most half of what is left, so that smaller texts behind it still find room


@dataclass(frozen=True, slots=True)
class Offer:
    """A text that may go into the context."""

    text: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of one offer: which, from where to where, and what it costs."""

    offer: int
    start: int
    end: int
    tokens: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes in, in the order of the offers, and what that leaves out."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    tokens: int = 0
    truncated: bool = False
    omitted: list[int] = field(default_factory=list[int])


def plan(offers: Sequence[Offer], room: int, most: int | None, terms: Collection[str]) -> Plan:
    """Fill ``room`` tokens with at most ``most`` pieces of the offers; required offers come first in the list.

    A text that fits goes in whole. Another gives an excerpt of at most half the room that is left, or nothing; what is
    left over in the end goes to the excerpts, best first.
    """
    pieces: list[Piece] = []
    left, waiting = room, sum(offer.required for offer in offers)
    for at, offer in enumerate(offers):
        if most is not None and len(pieces) >= most:
            break
        share = left // waiting if offer.required else left // _SHARE
        waiting -= offer.required
        piece = _piece(at, offer, left, share, terms)
        if piece is not None:
            pieces.append(piece)
            left -= piece.tokens
    for place, piece in enumerate(pieces):
        if left > 0 and not piece.whole:
            grown = _piece(piece.offer, offers[piece.offer], piece.tokens + left, piece.tokens + left, terms)
            if grown is not None and grown.tokens > piece.tokens:
                left -= grown.tokens - piece.tokens
                pieces[place] = grown
    placed = {piece.offer for piece in pieces}
    return Plan(
        pieces=pieces,
        tokens=room - left,
        truncated=len(placed) < len(offers) or any(not piece.whole for piece in pieces),
        omitted=[at for at, offer in enumerate(offers) if offer.required and at not in placed],
    )


def _piece(at: int, offer: Offer, left: int, share: int, terms: Collection[str]) -> Piece | None:
    # A character is at least a byte: texts that are far too long are not counted byte by byte.
    if len(offer.text) <= left * BYTES_PER_TOKEN:
        cost = estimate_tokens(offer.text)
        if cost <= left:
            return Piece(at, 0, len(offer.text), cost, whole=True)
    if share < (1 if offer.required else SHORTEST_EXCERPT):
        return None
    span = excerpt(offer.text, terms, share * BYTES_PER_TOKEN)
    if span is None:
        return None
    made = Piece(at, *span, tokens=0, whole=False)
    return replace(made, tokens=estimate_tokens(offer.text[span[0] : span[1]]))
