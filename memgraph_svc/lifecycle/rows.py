"""The rows by which every kind of memory is stored.

In: refs, authors, texts. Out: the properties that all memories carry, and their passages with the mirrors that searches
filter by. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memgraph_svc.model.content import caption, estimate_tokens
from memgraph_svc.model.memory import Actor, Ref, Status, visibility
from memgraph_svc.model.passages import Passage

Row = dict[str, Any]


def identity(ref: Ref, actor: Actor, text: str) -> Row:
    """What every memory carries: its name, its scope in clear, its author, its caption."""
    return {
        "id": ref.id,
        "type": ref.kind.value,
        "tenantId": ref.scope.tenant_id,
        "namespaceId": ref.scope.namespace_id,
        "agentId": ref.scope.agent_id,
        "sessionId": ref.scope.session_id,
        "createdById": actor.id,
        "createdByKind": actor.kind,
        "caption": caption(text),
        "tokenCount": estimate_tokens(text),
    }


def passage_rows(ref: Ref, passages: Iterable[Passage], status: Status) -> list[Row]:
    """The stored form of a memory's passages."""
    shared = {
        "memoryId": ref.id,
        "kind": ref.kind.value,
        "visibility": visibility(status),
        "agentToken": ref.scope.agent_token,
        "sessionToken": ref.scope.session_token,
    }
    return [
        {**shared, "position": each.position, "text": each.text, "start": each.start, "end": each.end}
        for each in passages
    ]
