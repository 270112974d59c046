"""Give passages their vectors, now or later.

In: passages about to be stored. Out: the same with vectors, or marked so that a job attaches them. Which model makes them is
decided in ``embed/``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog

from memgraph_svc import clock
from memgraph_svc.model.job import JobSpec, job_row
from memgraph_svc.model.memory import SYSTEM
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder

Row = dict[str, Any]


EMBED = "embed"
_log = structlog.get_logger(__name__)


def embed_job(scope: Scope) -> Row:
    """The job that attaches the vectors a namespace waits for; one that is queued already serves all."""
    whole = Scope(scope.tenant_id, scope.namespace_id)
    return job_row(JobSpec(EMBED, merge_key=f"{EMBED}:{scope.key}"), whole, SYSTEM, clock.now())


class Vectors:
    """What this process does about vectors; nothing at all without an embedder."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder = embedder

    def ready(self, scope: Scope, passages: Iterable[Row], *, now: bool = True) -> list[Row]:
        """Make passages ready to be stored: each with its vector, or marked as waiting for it.

        The jobs that the commit must queue: none when the vectors are there, one when they are put off or when the model
        failed on the texts, which must not keep them from being stored.
        """
        rows = list(passages)
        if self.embedder is None or not rows or (now and self._attach(self.embedder, rows)):
            return []
        for row in rows:
            row["pendingScope"] = scope.key
        return [embed_job(scope)]

    def _attach(self, embedder: Embedder, rows: list[Row]) -> bool:
        try:
            vectors = embedder.documents([row["text"] for row in rows])
        except Exception as fault:  # noqa: BLE001  a plugin may raise anything
            _log.warning("embedding_put_off", kind=type(fault).__name__)
            return False
        for row, vector in zip(rows, vectors, strict=True):
            row["embeddingAModel"] = embedder.name
            if vector is not None:  # one with nothing the model knows goes without
                row["vector"] = vector
        return True
