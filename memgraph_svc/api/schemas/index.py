"""The shapes of the memory index."""

from __future__ import annotations

import re
from typing import Any, NoReturn, cast

import marshmallow as ma
from marshmallow import fields, validate

from memgraph_svc.api.schemas.common import Open, ScopeSchema, Strict, Whole, name
from memgraph_svc.assemble.render import BUDGET_TOKENS, LEAST_TOKENS, PINNED_BODY_BYTES
from memgraph_svc.errors.request import InvalidScope
from memgraph_svc.model.scope import Scope

MAX_BUDGET_TOKENS = 100_000
MAX_PINNED_BODY_BYTES = 100_000
_BUDGET: dict[str, Any] = {
    "validate": validate.Range(min=1, max=MAX_BUDGET_TOKENS),
    "load_default": BUDGET_TOKENS,
    "metadata": {"description": f"most tokens, counted as 4 bytes each; below {LEAST_TOKENS} counts as {LEAST_TOKENS}"},
}
_BODY: dict[str, Any] = {
    "validate": validate.Range(min=0, max=MAX_PINNED_BODY_BYTES),
    "load_default": PINNED_BODY_BYTES,
    "metadata": {"description": "most bytes of each pinned note's body"},
}
_SCOPE_NAMES = ("tenantId", "namespaceId", "agentId", "sessionId")


class WholeText(fields.Integer):
    """A whole number written in the query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not re.fullmatch(r"-?[0-9]{1,12}", str(value)):
            raise self.make_error("invalid", input=value)
        return int(value)


class IndexRequest(Strict):
    """Whose memory index, and how large."""

    scope = fields.Nested(ScopeSchema, required=True)
    budgetTokens = Whole(**_BUDGET)
    pinnedBodyBytes = Whole(**_BODY)


class IndexQuery(Strict):
    """The same in a query string."""

    tenantId = name(doc="the strongest boundary")
    namespaceId = name(doc="the collection")
    agentId = name(required=False, doc="narrows to one agent")
    sessionId = name(required=False, doc="narrows to one session")
    budgetTokens = WholeText(**_BUDGET)
    pinnedBodyBytes = WholeText(**_BODY)

    def handle_error(self, error: ma.ValidationError, data: Any, *, many: bool, **kwargs: Any) -> NoReturn:
        """Report a bad scope under the same code as everywhere, though it is flat here."""
        del data, many, kwargs
        found = cast("dict[str, list[str]]", error.messages)
        for each in _SCOPE_NAMES:
            if each in found:
                raise InvalidScope(f"{each}: {found[each][0]}", {"path": each})
        raise error

    @ma.post_load
    def _made(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        parts = [data.pop(each, None) for each in _SCOPE_NAMES]
        return {"scope": Scope(*parts), **data}


class IndexResponse(Open):
    """The index and what it holds."""

    text = fields.String(required=True, metadata={"description": "ready for a system prompt"})
    hash = fields.String(required=True, metadata={"description": "first 16 hex digits of the text's SHA-256"})
    noteCount = fields.Integer(required=True, metadata={"description": "live notes read"})
    pinnedCount = fields.Integer(required=True, metadata={"description": "those of them that are pinned"})
    bytes = fields.Integer(required=True, metadata={"description": "size of the text in UTF-8"})
    budgetBytes = fields.Integer(required=True, metadata={"description": "the most it may have"})
