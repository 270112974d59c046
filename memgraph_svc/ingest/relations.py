"""Carry out what an episode says of earlier memory, under the lock.

In: a stored episode, its claims, and the ids it names. Out: links and states in the group's change set, and the ids that
name nothing. What it says is taken as given; which claims it makes is read in ``stated.py``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memgraph_svc.ingest.stated import Named
from memgraph_svc.lifecycle.claim_write import PreparedClaim, decide_claim
from memgraph_svc.lifecycle.claims import Given
from memgraph_svc.lifecycle.relate import Hand
from memgraph_svc.model.memory import Kind, Status
from memgraph_svc.write.known import Known


def relate(hand: Hand, episode: Known, claims: list[PreparedClaim], named: Named) -> list[str]:
    """Store the claims and relate the episode to what it names; the ids of which nothing was made."""
    held = {each: _held(hand, each, episode) for each in named.ids()}
    for each in _circular(hand, named):
        held[each] = None
    given = {
        target.id: said
        for said, each in named.pairs()
        if (found := held[each]) is not None
        for target in _targets(hand, found)
    }
    atoms = [decide_claim(hand, each, episode, given) for each in claims]
    at = claims[0].claim.at if claims else episode.valid_from
    for said, each in named.pairs():
        found = held[each]
        if found is not None:
            _relate(hand, said, episode, atoms, found, at)
    return [each for each, found in held.items() if found is None]


def _circular(hand: Hand, named: Named) -> set[str]:
    """Those named as successors that the named predecessors already replace: succession has no circles.

    An episode speaks for what it claims, so its claims count on both sides.
    """
    if not (named.supersedes and named.superseded_by):
        return set()
    meant = {
        each: {each, *(other.id for other in _targets(hand, known))}
        for each in named.ids()
        if (known := hand.view.memories.get(each)) is not None
    }
    starts = {other for each in named.supersedes for other in meant.get(each, ())}
    ends = {other for each in named.superseded_by for other in meant.get(each, ())}
    found = starts & ends
    for each in starts:
        found |= hand.replaced(each, ends)
    return {each for each in named.superseded_by if meant.get(each, set[str]()) & found}


def _held(hand: Hand, name: str, episode: Known) -> Known | None:
    """The memory of that name that the writer may speak of: of its agent, in whatever session."""
    found = hand.view.memories.get(name)
    if found is None or found.status is Status.TOMBSTONED or found.id == episode.id:
        return None
    agents = replace(hand.scope, session_id=None)
    return found if agents.admits(found.ref.scope.agent_id, found.ref.scope.session_id) else None


def _targets(hand: Hand, found: Known) -> list[Known]:
    """The claims that are meant: a claim itself, or what an episode claims."""
    if found.ref.kind is not Kind.EPISODE:
        return [found]
    return [each for name in found.claims if (each := hand.view.memories.get(name)) is not None]


def _relate(hand: Hand, said: Given, episode: Known, atoms: list[Known], found: Known, at: datetime | None) -> None:
    if said is Given.CONTRADICTS:
        if found.status is not Status.SUPERSEDED or found.ref.kind is Kind.EPISODE:
            hand.contradict(episode, found)
        return
    older, newer = (found, episode) if said is Given.SUPERSEDES else (episode, found)
    ends = at if said is Given.SUPERSEDES else found.valid_from
    hand.supersede(newer, older, ends)
    rest = _targets(hand, found) if said is Given.SUPERSEDES else atoms
    for each in rest:
        # What others said as well stands on their word.
        if each is not older and each.is_current() and each.sources <= 1:
            hand.supersede(newer, each, ends)
