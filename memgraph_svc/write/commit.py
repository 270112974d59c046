"""Run one group of proposals as one transaction.

In: proposals of one namespace. Out: their outcomes, durable. The first statement takes the namespace's lock; verdicts are
computed in code over the whole group in arrival order; the last statement moves the counters and records the commit, so
that a group whose acknowledgement was lost finds its own outcome instead of writing twice.
"""

from __future__ import annotations

import json
from typing import Any

from memgraph_svc.clock import Clock
from memgraph_svc.errors.base import Internal
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph, Row, Tx, chunks
from memgraph_svc.model.content import dumps
from memgraph_svc.model.memory import Kind
from memgraph_svc.write.settle import settle
from memgraph_svc.write.view import Proposal, Questions, View

_ROWS_AT_ONCE = 1_000
_PUT = {
    Kind.EPISODE: "write/put_episodes",
    Kind.ATOM: "write/put_atoms",
    Kind.CONSOLIDATION: "write/put_consolidations",
}


def commit_group(graph: Graph, clock: Clock, lane: str, commit_id: str, group: list[Proposal]) -> list[Any]:
    """Write the whole group or nothing of it; one outcome for each proposal, in order.

    Safe to call again with the same ``commit_id``: what was committed is found and not written twice. Raises
    ``Unavailable`` when the database stays away, and whatever a proposal raises.
    """
    return graph.write(lambda tx: _attempt(tx, clock, lane, commit_id, group))


def _attempt(tx: Tx, clock: Clock, lane: str, commit_id: str, group: list[Proposal]) -> list[Any]:
    scope = group[0].scope
    names = {"scope_key": scope.key, "tenant_id": scope.tenant_id, "namespace_id": scope.namespace_id}
    tx.run(query("write/take_lock"), **names, lane=lane)
    found = tx.run(query("write/read_head"), **names, lane=lane, **_asked([each.questions() for each in group]))
    if not found:
        raise Internal("Two namespaces share one key; nothing was written.")
    row = found[0]
    last = row["lastCommit"]
    if last is not None and last["commitId"] == commit_id:
        return json.loads(last["result"])
    view = View.of(row, clock, tx.run)
    outcomes = [each.decide(view) for each in group]
    view.changes.require_provenance()
    _apply(tx, scope.key, view, {each["id"]: each["last"] for each in row["sessions"]})
    _finish(
        tx, scope.key, lane, view, row["head"], {"commitId": commit_id, "seq": row["seq"], "result": dumps(outcomes)}
    )
    return outcomes


def _asked(questions: list[Questions]) -> Row:
    return {
        "dedupe_hashes": [hash_ for each in questions for hash_ in each.dedupe_hashes],
        "slug_keys": list({key for each in questions for key in each.slug_keys}),
        "session_ids": list({name for each in questions for name in each.session_ids}),
        "claim_keys": list({key for each in questions for key in each.claim_keys}),
        "memory_ids": list({name for each in questions for name in each.memory_ids}),
    }


def _apply(tx: Tx, scope_key: str, view: View, tails: dict[str, str | None]) -> None:
    changes = view.changes
    # States first: a superseded note must have left its slug before its successor takes it.
    _put(tx, "write/set_state", scope_key, changes.states)
    for kind, rows in changes.memories.items():
        _put(tx, _PUT[kind], scope_key, rows)
    _put(tx, "write/set_state", scope_key, changes.late_states)
    _put(tx, "write/put_topics", scope_key, changes.topics)
    for link_type, rows in changes.links.items():
        _put(tx, f"write/link_{link_type}", scope_key, rows)
    _put(tx, "write/end_links", scope_key, changes.link_ends)
    _put(tx, "write/put_sessions", scope_key, [_session(name, ids, tails) for name, ids in changes.sessions.items()])
    _erase(tx, scope_key, changes.erasures)
    _put(tx, "write/put_receipts", scope_key, changes.receipts)
    settle(tx, scope_key, view)
    _put(tx, "write/put_jobs", scope_key, changes.jobs)
    _put(tx, "write/end_jobs", scope_key, changes.job_ends)


def _put(tx: Tx, name: str, scope_key: str, rows: list[Row]) -> None:
    for some in chunks(rows, _ROWS_AT_ONCE):
        tx.run(query(name), scope_key=scope_key, rows=some)


def _erase(tx: Tx, scope_key: str, rows: list[Row]) -> None:
    _put(tx, "write/erase_memories", scope_key, rows)
    for some in chunks([row["id"] for row in rows], _ROWS_AT_ONCE):
        if tx.run(query("write/unconfirmed_erasures"), scope_key=scope_key, ids=some):
            raise Internal("The removal from the indexes was not confirmed; nothing was deleted. Try again.")


def _session(name: str, ids: list[str], tails: dict[str, str | None]) -> Row:
    before = [tails.get(name), *ids[:-1]]
    pairs = [{"id": each, "previous": previous} for each, previous in zip(ids, before, strict=True)]
    return {"sessionId": name, "last": ids[-1], "pairs": pairs}


def _finish(tx: Tx, scope_key: str, lane: str, view: View, head: Row, commit: Row) -> None:
    changes, first = view.changes, head["eventSeq"] + 1
    events = [{**event, "eventSeq": first + at} for at, event in enumerate(changes.events)]
    after: Row = {"eventSeq": head["eventSeq"] + len(events)}
    after["clock"] = view.latest.isoformat() if view.latest is not None else None
    if changes.notes_changed:
        after |= {"noteCount": head["noteCount"] + changes.note_delta, "noteSeq": view.seq}
    tx.run(query("write/put_events"), scope_key=scope_key, head=after, events=events, lane=lane, commit=commit)
