"""Find the claims of episodes: run the extractors on each, and store what they say.

In: a claimed job that names episodes. Out: atoms that name their episode, committed some episodes at a time; the last
commit ends the job. An episode on which an extractor fails does not stop the others: they are stored, then the job fails
and tries only the rest again. What a claim does to those that are held is decided in ``lifecycle/claims.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memgraph_svc.derive import store
from memgraph_svc.derive.extractor import Extracted, Told
from memgraph_svc.derive.sandbox import Sandbox
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.errors.work import ExtractorFault, ExtractorTimeout
from memgraph_svc.lifecycle.claim_write import PreparedClaim, decide_claim, prepare_claim
from memgraph_svc.lifecycle.claims import Claim
from memgraph_svc.lifecycle.relate import Hand
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.job import Job, job_end
from memgraph_svc.model.memory import SYSTEM
from memgraph_svc.model.scope import Scope
from memgraph_svc.model.times import lenient
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.graph.client import Graph
    from memgraph_svc.graph.consistent import Reader
    from memgraph_svc.write.lanes import Lanes

AT_ONCE, _CLAIMS, _SHOWN = 20, 200, 5
_PATIENCE = 3  # times an extractor may run out of time in one attempt before its other episodes wait for the next
Beat = Callable[..., None]
Hold = Callable[["Reader"], None]


@dataclass(frozen=True, slots=True)
class Draft:
    """One episode and what it claims, ready to be stored."""

    episode_id: str
    claims: Sequence[PreparedClaim]
    whole: bool = True  # whether every extractor has answered; it is counted only then


@dataclass(frozen=True, slots=True)
class ExtractProposal:
    """Store the claims of some episodes; with ``ends``, also the end of the job, counting what came ``before``."""

    job: Job
    drafts: Sequence[Draft]
    hold: Hold
    before: Mapping[str, int]
    ends: bool
    jobs: Sequence[dict[str, Any]] = ()

    @property
    def scope(self) -> Scope:
        """The job's."""
        return self.job.scope

    @property
    def weight(self) -> int:
        """Never shared: it holds its job's lock."""
        return 1

    def questions(self) -> Questions:
        """The episodes as they are by now, and the claims they meet."""
        return Questions(
            claim_keys=tuple({claim.key for each in self.drafts for claim in each.claims}),
            memory_ids=tuple(each.episode_id for each in self.drafts),
            alone=True,
        )

    def decide(self, view: View) -> dict[str, int]:
        """The job's result so far; raises what ``hold`` raises, and nothing is written then."""
        self.hold(view.read)
        atoms, episodes = set[str](), 0
        for each in self.drafts:
            episode = view.memories.get(each.episode_id)
            # One that was deleted or replaced meanwhile claims nothing any more.
            if episode is None or not episode.is_current():
                continue
            hand = Hand(view, episode.ref.scope, SYSTEM)
            atoms |= {decide_claim(hand, claim, episode).id for claim in each.claims}
            episodes += each.whole
        if view.changes.memories:
            view.changes.jobs.extend(self.jobs)
        result = {"atoms": self.before["atoms"] + len(atoms), "episodes": self.before["episodes"] + episodes}
        if self.ends:
            view.changes.job_ends.append(job_end(self.job, result))
        return result


@dataclass(slots=True)
class _Run:
    """What one attempt has come to."""

    job: Job
    beat: Beat
    hold: Hold
    result: dict[str, int]
    drafts: list[Draft] = field(default_factory=list[Draft])
    failed: dict[str, ExtractorFault] = field(default_factory=dict[str, ExtractorFault])
    untried: list[str] = field(default_factory=list[str])
    late: Counter[str] = field(default_factory=Counter[str])
    last_fault: dict[str, ExtractorFault] = field(default_factory=dict[str, ExtractorFault])


class Extraction:
    """The handler of ``extract``: every configured extractor on every episode of the job."""

    def __init__(self, graph: Graph, lanes: Lanes, vectors: Vectors, sandbox: Sandbox, names: Sequence[str]) -> None:
        self._graph, self._lanes, self._vectors = graph, lanes, vectors
        self._sandbox, self._names = sandbox, names

    def run(self, job: Job, beat: Beat, hold: Hold) -> None:
        """Extract and end the job; raises ``ExtractorFault`` when some episodes failed, the others being stored.

        Raises ``ConfigError`` on a worker without extractors, rather than to say that nothing was found.
        """
        if not self._names:
            raise ConfigError("This worker has no extractors: set MEMGRAPH_EXTRACTORS, then retry the job.")
        told = job.progress or {}
        # An attempt that went through all of them left a list of those to try again; else it begins anew.
        ids: list[str] = told.get("left") or job.payload["episodes"]
        run = _Run(job, beat, hold, {name: told[name] if told.get("left") else 0 for name in ("atoms", "episodes")})
        for at in range(0, len(ids), AT_ONCE):
            some = store.episodes_to_extract(self._graph, job.scope.key, ids[at : at + AT_ONCE])
            for place, (scope, each) in enumerate(some):
                beat({"done": at + place, "of": len(ids)})
                claims = self._claims(run, scope, each)
                run.drafts.append(Draft(each.id, claims, each.id not in run.failed))
                if len(run.drafts) >= AT_ONCE or sum(len(one.claims) for one in run.drafts) >= _CLAIMS:
                    self._commit(run)
        self._commit(run, ends=not run.failed)
        if run.failed:
            # Those that were not tried come first, so that the same few cannot keep all others waiting for ever.
            left = list(dict.fromkeys([*run.untried, *run.failed]))
            beat({**run.result, "left": left})
            raise _failure(run.failed, left, len(ids))

    def _claims(self, run: _Run, scope: Scope, told: Told) -> list[PreparedClaim]:
        made: list[PreparedClaim] = []
        for name in self._names:
            if run.late[name] >= _PATIENCE:
                run.failed[told.id] = run.last_fault[name]
                run.untried.append(told.id)
                continue
            try:
                given = self._sandbox.extract(name, told, run.beat)
            except ExtractorFault as fault:
                run.failed[told.id] = run.last_fault[name] = fault
                run.late[name] += isinstance(fault, ExtractorTimeout)
                continue
            made += [prepare_claim(scope, claim_of(each, told), SYSTEM, name, "extraction") for each in given]
        return made

    def _commit(self, run: _Run, *, ends: bool = False) -> None:
        if not run.drafts and not ends:
            return
        rows = (row for each in run.drafts for claim in each.claims for row in claim.passages)
        waiting = self._vectors.ready(run.job.scope, rows)
        run.result = self._lanes.submit(ExtractProposal(run.job, run.drafts, run.hold, run.result, ends, waiting))
        run.drafts = []


def claim_of(given: Extracted, told: Told) -> Claim:
    """What a plugin extracted, as a claim of its episode.

    A time that the plugin or the episode tells counts as known; the time at which an episode was stored does not.
    """
    at = given.valid_from or lenient(told.metadata.get("validFrom"))
    begins = at or told.occurred_at
    ends = given.valid_to or lenient(told.metadata.get("validTo"))
    return Claim(
        subject=given.subject,
        predicate=given.predicate,
        value=given.value,
        at=begins,
        dated=at is not None or lenient(told.metadata.get("occurredAt")) is not None,
        cardinality=given.cardinality,
        valid_to=ends if ends is not None and ends > begins else None,
        confidence=given.confidence,
        topics=given.topics,
        text=given.text,
    )


def _failure(failed: Mapping[str, ExtractorFault], left: Sequence[str], of: int) -> ExtractorFault:
    """One error for all that failed; of the kind of the first."""
    first = next(iter(failed.values()))
    shown = ", ".join(left[:_SHOWN]) + (", …" if len(left) > _SHOWN else "")
    message = f"{first.message} Claims of {len(left)} of {of} episodes are missing: {shown}."
    return type(first)(message, {"episodes": list(left)})
