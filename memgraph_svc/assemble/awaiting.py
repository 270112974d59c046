"""Keep the promise of a strong read.

In: a scope and whether less will do. Out: warnings, or a refusal: a strong read sees everything that was acknowledged before
it began, or it fails, or it is downgraded where the caller allows that. It never lags in silence.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memgraph_svc.assemble.notices import Warned
from memgraph_svc.errors.availability import ConsistencyTimeout
from memgraph_svc.model.scope import Scope

if TYPE_CHECKING:
    from memgraph_svc.assemble.store import Store

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.2


@dataclass(frozen=True, slots=True)
class Wanted:
    """How fresh an answer has to be."""

    eventual: bool = False
    allow_downgrade: bool = False


STRONG = Wanted()


class Freshness:
    """Waits until the vectors have caught up; without an embedder nothing ever lags."""

    def __init__(self, *, embeds: bool, patience_s: float) -> None:
        self._embeds, self._patience_s = embeds, patience_s

    def settle(self, store: Store, scope: Scope, wanted: Wanted) -> list[Warned]:
        """Wait as the request asks; what the answer must say about itself.

        An eventual read never waits and says that it lags only when it does. Raises ``ConsistencyTimeout`` when a strong
        one would lag and may not be downgraded.
        """
        if not self._embeds:
            return []
        lag = store.index_lag(scope)
        warnings = [Warned.unindexed()] if lag.failed else []
        if not lag.waiting:
            return warnings
        if wanted.eventual:
            return [*warnings, Warned.eventual()]
        if self._wait(store, scope, lag.head):
            return warnings
        if wanted.allow_downgrade:
            return [*warnings, Warned.eventual()]
        raise ConsistencyTimeout

    def caught_up(self, store: Store, scope: Scope, head: int | None = None) -> bool:
        """Wait until everything up to a commit, or up to the latest one, is indexed; whether it came to that in time."""
        lag = store.index_lag(scope, head)
        return not lag.waiting or self._wait(store, scope, lag.head)

    def _wait(self, store: Store, scope: Scope, head: int) -> bool:
        until, pause = time.monotonic() + self._patience_s, _FIRST_PAUSE_S
        while time.monotonic() + pause < until:
            time.sleep(pause)
            if not store.index_lag(scope, head).waiting:
                return True
            pause = min(pause * 1.5, _LONGEST_PAUSE_S)
        return False
