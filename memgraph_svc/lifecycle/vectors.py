"""Give passages their vectors, now or later.

In: passages about to be stored. Out: the same with vectors, or marked so that a job attaches them. Which model makes them is
decided in ``embed/``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memgraph_svc.clock import now
from memgraph_svc.model.job import JobSpec, job_row
from memgraph_svc.model.memory import SYSTEM
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.embed.plugin import Embedder

Row = dict[str, Any]


EMBED = "embed"


def embed_job(scope: Scope) -> Row:
    """The job that attaches the vectors a namespace waits for; one that is queued already serves all."""
    whole = Scope(scope.tenant_id, scope.namespace_id)
    return job_row(JobSpec(EMBED, merge_key=f"{EMBED}:{scope.key}"), whole, SYSTEM, now())


class Vectors:
    """What this process does about vectors; nothing at all without an embedder."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder = embedder

    @property
    def wanted(self) -> bool:
        """Whether passages are to have vectors."""
        return self.embedder is not None

    def attach(self, passages: Iterable[Row]) -> None:
        """Give each passage its vector; one with nothing the model knows goes without."""
        rows = list(passages)
        if self.embedder is None or not rows:
            return
        for row, vector in zip(rows, self.embedder.documents([row["text"] for row in rows]), strict=True):
            row["embeddingAModel"] = self.embedder.name
            if vector is not None:
                row["vector"] = vector

    def postpone(self, scope: Scope, passages: Iterable[Row]) -> None:
        """Mark each passage as waiting for its vector."""
        if self.embedder is not None:
            for row in passages:
                row["pendingScope"] = scope.key
