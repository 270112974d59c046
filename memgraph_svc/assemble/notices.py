"""What an answer says about its own weakness.

In: the memories concerned. Out: ``{code, message, refs?}``. One warning per code, not one per memory. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memgraph_svc.model.memory import Ref


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning: a stable code, a sentence, and the memories it is about."""

    code: str
    message: str
    refs: tuple[Ref, ...] = ()

    def wire(self) -> dict[str, Any]:
        """The warning as it is sent."""
        shape: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.refs:
            shape["refs"] = [ref.wire() for ref in self.refs]
        return shape

    @classmethod
    def empty(cls) -> Warned:
        """Nothing was found."""
        return cls("empty_context", "No memory of this scope matches the task.")

    @classmethod
    def truncated(cls) -> Warned:
        """Something relevant did not fit."""
        return cls("truncated", "Relevant memory was cut or left out to stay within the budget.")

    @classmethod
    def omitted(cls, refs: Sequence[Ref]) -> Warned:
        """A required memory is not in the context."""
        return cls(
            "required_ref_omitted",
            "Required memory is missing, not available to this request, or does not fit the budget.",
            tuple(refs),
        )

    @classmethod
    def stale(cls, refs: Sequence[Ref]) -> Warned:
        """Memory whose sources changed after it was made."""
        return cls(
            "stale_consolidation", "The sources of this memory have changed or gone since it was made.", tuple(refs)
        )

    @classmethod
    def disputed(cls, refs: Sequence[Ref]) -> Warned:
        """Memory in a known conflict."""
        return cls(
            "disputed_memory_included", "This memory is, or states, one side of an open contradiction.", tuple(refs)
        )

    @classmethod
    def superseded(cls, refs: Sequence[Ref]) -> Warned:
        """Memory that something newer replaced."""
        return cls("superseded_memory_included", "Newer memory has replaced this, or a part of it.", tuple(refs))

    @classmethod
    def partial(cls, refs: Sequence[Ref]) -> Warned:
        """Memory that was found and could not be read."""
        return cls("partial_hydration", "This memory was found but could not be read.", tuple(refs))

    @classmethod
    def eventual(cls) -> Warned:
        """The caller allowed an answer that may lag."""
        return cls("eventual_consistency", "This answer may lag behind the latest writes, as the request allowed.")

    @classmethod
    def unindexed(cls) -> Warned:
        """The model failed on some memory."""
        return cls("partial_index", "Some memory of this scope is found by its words only: the embedder failed on it.")

    @classmethod
    def shortened(cls) -> Warned:
        """The text had more different words than a query can hold."""
        return cls("query_shortened", "The text has too many different words; only the first of them were looked for.")
