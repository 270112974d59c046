"""Who may see a memory.

In: the four names of a request. Out: the keys under which everything of that scope is stored. Which scopes a caller may
use is decided at the API.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

ANY_TOKEN = "xnonex"  # noqa: S105  an index term, nothing secret


def length_prefixed(*parts: str) -> bytes:
    """Join texts so that no two different lists of texts give the same bytes."""
    return b"".join(f"{len(raw)}:".encode() + raw for raw in (part.encode() for part in parts))


def token(*parts: str) -> str:
    """A digest that a full-text analyzer keeps as one term: it folds, stems and splits names, but not ``x<hex>x``."""
    return "x" + hashlib.sha256(length_prefixed(*parts)).hexdigest()[:32] + "x"


@dataclass(frozen=True)
class Scope:
    """Tenant and namespace isolate; agent and session attribute a write and narrow a read."""

    tenant_id: str
    namespace_id: str
    agent_id: str | None = None
    session_id: str | None = None

    @cached_property
    def key(self) -> str:
        """The ``scopeKey``: tenant and namespace only, injective in practice."""
        return token(self.tenant_id, self.namespace_id)

    @property
    def agent_token(self) -> str:
        """The agent as one index term; a fixed term when there is none."""
        return ANY_TOKEN if self.agent_id is None else token("agent", self.agent_id)

    @property
    def session_token(self) -> str:
        """The session as one index term; a fixed term when there is none."""
        return ANY_TOKEN if self.session_id is None else token("session", self.session_id)

    def full(self) -> tuple[str, ...]:
        """All four parts; an absent part differs from every present one."""
        return (
            self.tenant_id,
            self.namespace_id,
            "-" if self.agent_id is None else "=" + self.agent_id,
            "-" if self.session_id is None else "=" + self.session_id,
        )

    def admits(self, agent_id: str | None, session_id: str | None) -> bool:
        """Whether a memory written under that agent and session is inside this scope."""
        return (self.agent_id is None or self.agent_id == agent_id) and (
            self.session_id is None or self.session_id == session_id
        )

    def wire(self) -> dict[str, Any]:
        """The scope as it is sent: absent parts are left out."""
        shape = {"tenantId": self.tenant_id, "namespaceId": self.namespace_id}
        if self.agent_id is not None:
            shape["agentId"] = self.agent_id
        if self.session_id is not None:
            shape["sessionId"] = self.session_id
        return shape
