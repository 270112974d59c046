"""Store claims beside those that are held, under the lock.

In: prepared claims and the episode that makes them. Out: atoms, links, states and events in the group's change set. The
verdict on each claim is reached in ``claims.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memgraph_svc.clock import new_id
from memgraph_svc.lifecycle.claims import Claim, Given, Judgement, judge
from memgraph_svc.lifecycle.relate import Hand, made
from memgraph_svc.lifecycle.rows import identity, passage_rows
from memgraph_svc.model.content import dumps, one_line, topic_key
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import PREFIX, Actor, Kind, Ref, Status, visibility
from memgraph_svc.model.passages import cut
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.known import Known

TITLE_CHARACTERS = 120
EXTRACT = "extract"  # the kind of job that finds claims in episodes


@dataclass(frozen=True, slots=True)
class PreparedClaim:
    """A claim ready to be stored, save for its time and place."""

    claim: Claim
    key: str
    ref: Ref
    memory: dict[str, Any]
    passages: list[dict[str, Any]]
    topics: list[dict[str, Any]]


def prepare_claim(scope: Scope, claim: Claim, actor: Actor, producer: str, transformation: str) -> PreparedClaim:
    """Compute all of a claim that does not depend on what the graph holds."""
    ref = Ref(new_id(PREFIX[Kind.ATOM]), Kind.ATOM, scope)
    text = claim.text or " ".join((claim.subject, claim.predicate, _shown(claim.value)))
    key = claim.key(scope)
    memory = {
        **identity(ref, actor, text),
        "status": Status.ACTIVE.value,
        "atomType": "claim",
        "content": text,
        "contentHash": content_hash(text),
        "title": one_line(text, TITLE_CHARACTERS),
        "noteScope": scope.key,
        "confidence": claim.confidence,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "valueJson": dumps(claim.value),
        "cardinality": claim.cardinality,
        "claimKey": key,
        "valueKey": claim.value_key,
        "dated": True if claim.dated else None,
        "statedAt": claim.at,
        "validFrom": claim.at,
        "validTo": claim.valid_to,
        "producedBy": producer,
        "transformation": transformation,
    }
    names = claim.topics or (claim.subject,)
    return PreparedClaim(claim, key, ref, memory, passage_rows(ref, cut(text), Status.ACTIVE), topic_rows(ref, names))


def topic_rows(ref: Ref, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The topics of a note in order, each once: spellings that differ in case or width are one topic."""
    rows: dict[str, dict[str, Any]] = {}
    for name in names:
        key = topic_key(name)
        if key and key not in rows:
            rows[key] = {"id": ref.id, "key": key, "name": one_line(name, TITLE_CHARACTERS), "position": len(rows)}
    return list(rows.values())


def decide_claim(
    hand: Hand, prepared: PreparedClaim, episode: Known, given: Mapping[str, Given] | None = None
) -> Known:
    """Store one claim of an episode, or add the episode to the claim that says the same; what now holds the claim.

    What the episode has claimed already is not stored again, so work that is repeated changes nothing.
    """
    before = _claimed_before(hand, prepared, episode)
    if before is not None:
        return before
    verdict = judge(prepared.claim, hand.view.claims.get(prepared.key, []), given)
    if verdict.restates is not None:
        return _restate(hand, prepared, verdict.restates, episode)
    atom = _put(hand, prepared, episode, verdict)
    for older in verdict.supersedes:
        hand.supersede(atom, older, prepared.claim.at)
    for other in verdict.contradicts:
        hand.contradict(atom, other)
    if verdict.shortens is not None:
        _step_between(hand, atom, verdict.shortens, verdict.superseded_by)
        verdict.shortens.valid_to = prepared.claim.at
        hand.store(verdict.shortens)
    return atom


def _step_between(hand: Hand, atom: Known, before: Known, after: Known | None) -> None:
    """Let a claim that arrived late take its place in the line, between two that were neighbours until now."""
    if after is not None:
        # What was stated, not told by times, may have turned the line round.
        if hand.replaced(before.id, [after.id]):
            return
        hand.unlink("supersedes", after.id, before.id)
    hand.link("supersedes", atom.id, before.id)


def _claimed_before(hand: Hand, prepared: PreparedClaim, episode: Known) -> Known | None:
    own = (each for each in hand.view.claims.get(prepared.key, ()) if each.id in episode.claims)
    value, at = prepared.claim.value_key, prepared.claim.at
    return next((each for each in own if each.value_key == value and each.valid_from == at), None)


def _restate(hand: Hand, prepared: PreparedClaim, held: Known, episode: Known) -> Known:
    if held.id not in episode.claims:
        hand.link("derived_from", held.id, episode.id, position=held.sources)
        held.sources += 1
        episode.claims = (*episode.claims, held.id)
    if prepared.claim.dated and held.stated_at is not None and prepared.claim.at > held.stated_at:
        held.stated_at = prepared.claim.at
        hand.store(held)
    hand.view.changes.unsettled[held.id] = None
    return held


def _put(hand: Hand, prepared: PreparedClaim, episode: Known, verdict: Judgement) -> Known:
    view, late = hand.view, verdict.superseded_by
    at = view.tick()
    memory = {**prepared.memory, "producedAt": at, "validTo": verdict.ends}
    passages = prepared.passages
    if late is not None:
        memory |= {"status": Status.SUPERSEDED.value, "noteScope": None}
        passages = [{**each, "visibility": visibility(Status.SUPERSEDED)} for each in passages]
    view.changes.add_memory(Kind.ATOM, memory, passages, at, view.seq)
    view.changes.topics.extend(prepared.topics)
    hand.link("derived_from", prepared.ref.id, episode.id, at=at, position=0)
    view.changes.add_event("atom.extracted", prepared.ref, at)
    if not any("pendingScope" in row for row in prepared.passages):
        view.changes.add_event("memory.indexed", prepared.ref, at)
    if late is not None:
        hand.link("supersedes", late.id, prepared.ref.id, at=at)
        view.changes.add_event("memory.superseded", prepared.ref, at, {"supersededBy": late.id})
    view.changes.unsettled[prepared.ref.id] = None
    atom = made(prepared.ref, memory)
    view.learn(atom)
    episode.claims = (*episode.claims, atom.id)
    return atom


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)
