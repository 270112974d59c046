"""The small writes on memory that exists: links, pins, confirmations.

In: checked requests. Out: their answers, once they are durable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memgraph_svc.lifecycle.links import LinkDraft, LinkProposal
from memgraph_svc.lifecycle.marks import ConfirmProposal, PinProposal, Target
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.write.lanes import Lanes


class LifecycleService:
    """Answers links, pin, unpin and confirm; each may be repeated without changing more than once."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes

    def link(self, scope: Scope, draft: LinkDraft) -> dict[str, Any]:
        """Join two memories; the link that joins them already is given back.

        Raises ``NotFound`` for a missing end, ``InvalidRequest`` for ends the type cannot join, and ``LinkCircle``.
        """
        return self._lanes.submit(LinkProposal(scope, draft))

    def pin(self, scope: Scope, target: Target, actor: Actor, *, pinned: bool) -> dict[str, Any]:
        """Let a live note's body stand in the memory index, or no longer; raises ``NotFound``."""
        return self._lanes.submit(PinProposal(scope, target, pinned, actor))

    def confirm(self, scope: Scope, target: Target, actor: Actor) -> dict[str, Any]:
        """Note that a memory still holds, now; raises ``NotFound``."""
        return self._lanes.submit(ConfirmProposal(scope, target, actor))
