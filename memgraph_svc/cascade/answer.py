"""What a deletion answers.

In: what it met and planned. Out: the wire form, plain JSON values. Only memory inside the agent and session of the request
is named; what else was affected is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgraph_svc.cascade.plan import Policy, Reached, downstream
from memgraph_svc.cascade.roots import REJECTED, TOMBSTONED, refusal
from memgraph_svc.model.memory import Kind

if TYPE_CHECKING:
    from memgraph_svc.cascade.tombstone import Found, Wish


def shape(wish: Wish, found: Found, receipt_id: str | None = None, jobs: list[str] | None = None) -> dict[str, Any]:
    """The answer: one result for each ref, in order; without a receipt nothing was written.

    ``affectedDerivedRefs`` of a result are those its own root led to, nearest first. ``plan`` counts by distance.
    """
    made = found.plan
    affected = {each.memory.id: each for each in made.affected()}
    answer: dict[str, Any] = {"results": _results(wish, found, affected)}
    if receipt_id is not None:
        answer["receiptId"] = receipt_id
    if jobs:
        answer["followUpJobIds"] = jobs
    if wish.policy is not Policy.NONE:
        answer["plan"] = made.by_depth()
        answer["keptRefs"] = _inside(wish, made.kept)
        hidden = sum(1 for each in affected.values() if not _admitted(wish, each))
        if hidden:
            answer["affectedBeyondScope"] = hidden
    if made.beyond:
        answer["beyondDepth"] = {
            "count": len(made.beyond),
            "refs": _inside(wish, made.beyond),
            "message": f"Memory more than {wish.max_depth} steps away is marked stale, not removed; a job marks the rest.",
        }
    return answer


def _results(wish: Wish, found: Found, affected: dict[str, Reached]) -> list[dict[str, Any]]:
    led_to: dict[str, list[str]] = {}
    for each in found.sources:
        led_to.setdefault(each.id, []).append(each.of)
    results: list[dict[str, Any]] = []
    for ref, verdict in found.roots.verdicts:
        result: dict[str, Any] = {"ref": ref.wire(), "status": verdict}
        if verdict == REJECTED:
            result["error"] = refusal()
        if verdict == TOMBSTONED and ref.kind is not Kind.LINK and wish.policy is not Policy.NONE:
            result["affectedDerivedRefs"] = _inside(wish, downstream(ref.id, led_to, affected))
        results.append(result)
    return results


def _inside(wish: Wish, some: list[Reached]) -> list[dict[str, Any]]:
    return [each.memory.ref.wire() for each in some if _admitted(wish, each)]


def _admitted(wish: Wish, each: Reached) -> bool:
    where = each.memory.ref.scope
    return wish.scope.admits(where.agent_id, where.session_id)
