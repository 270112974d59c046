"""Bring the rest of the graph in line with what a commit changed.

In: an open transaction in which the changes are written. Out: vectors attached, disputes ended, episodes standing as their
claims do, and consolidations marked that tell what no longer stands; each with its events. Only what a change can reach is
looked at.
"""

from __future__ import annotations

from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Row, Tx, chunks, vector
from memgraph_svc.graph.records import ref_of
from memgraph_svc.model.job import consolidate_job
from memgraph_svc.model.memory import Status, visibility
from memgraph_svc.write.view import View

_ROWS_AT_ONCE = 1_000
_SHOWN, _HIDDEN = visibility(Status.ACTIVE), visibility(Status.SUPERSEDED)
_STALE = visibility(Status.ACTIVE, stale=True)
_STALE_DISPUTED = visibility(Status.DISPUTED, stale=True)


def settle(tx: Tx, scope_key: str, view: View) -> None:
    """Settle everything, in the order in which one thing follows from another."""
    _put_vectors(tx, scope_key, view)
    _disputes(tx, scope_key, view)
    _episodes(tx, scope_key, view)
    _consolidations(tx, scope_key, view)


def _put_vectors(tx: Tx, scope_key: str, view: View) -> None:
    by_model: dict[str, list[Row]] = {}
    for row in view.changes.vectors:
        numbers = row.get("vector")
        by_model.setdefault(row["model"], []).append({**row, "vector": None if numbers is None else vector(numbers)})
    for model, rows in by_model.items():
        indexed = tx.run(query("write/put_vectors"), scope_key=scope_key, model=model, rows=rows)
        for each in indexed:
            view.changes.add_event("memory.indexed", ref_of(each["memory"]), view.tick())


def _disputes(tx: Tx, scope_key: str, view: View) -> None:
    for some in chunks(list(view.changes.undisputed), _ROWS_AT_ONCE):
        at = view.tick()
        freed = tx.run(
            query("write/settle_disputes"),
            scope_key=scope_key,
            ids=some,
            shown=_SHOWN,
            stale=_STALE,
            at=at.isoformat(),
            seq=view.seq,
        )
        view.changes.notes_changed = view.changes.notes_changed or bool(freed)
        for row in freed:
            view.changes.add_event("memory.restored", ref_of(row["memory"]), at)


def _episodes(tx: Tx, scope_key: str, view: View) -> None:
    for some in chunks(list(view.changes.unsettled), _ROWS_AT_ONCE):
        tx.run(
            query("write/settle_episodes"),
            scope_key=scope_key,
            ids=some,
            shown=_SHOWN,
            hidden=_HIDDEN,
            at=view.tick().isoformat(),
            seq=view.seq,
        )


def _consolidations(tx: Tx, scope_key: str, view: View) -> None:
    changed = dict.fromkeys([row["id"] for row in (*view.changes.states, *view.changes.late_states)])
    for some in chunks(list(changed | view.changes.unsettled), _ROWS_AT_ONCE):
        at = view.tick()
        rows = tx.run(
            query("write/settle_consolidations"),
            scope_key=scope_key,
            ids=some,
            active=_STALE,
            disputed=_STALE_DISPUTED,
            at=at.isoformat(),
            seq=view.seq,
        )
        view.changes.notes_changed = view.changes.notes_changed or bool(rows)
        for row in rows:
            view.changes.add_event("memory.stale", ref_of(row["memory"]), at, {"reason": row["reason"]})
        for scope in {ref_of(row["memory"]).scope for row in rows if row["renewable"]}:
            view.changes.jobs.append(consolidate_job(scope, at, "cascade"))
