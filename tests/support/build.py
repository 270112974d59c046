"""Memory in exactly the state a test needs, through the fixture loader."""

from __future__ import annotations

import secrets
from typing import Any

from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.tombstone import TombstoneProposal, Wish
from memgraph_svc.ingest.fixtures import load_fixtures
from memgraph_svc.model.memory import PREFIX, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes

AT = "2026-05-08T16:00:00Z"
ME = {"id": "u1", "kind": "user"}

Thing = dict[str, Any]


def _base(scope: Scope, kind: str, prefix: str, more: Thing) -> Thing:
    name = more.pop("id", f"{prefix}_{secrets.token_hex(8)}")
    shape = {
        "id": name,
        "type": kind,
        "scope": scope.wire(),
        "createdAt": AT,
        "createdBy": ME,
        "status": "active",
        "metadata": {},
    }
    return {**shape, **more}


def episode(scope: Scope, content: Any, **more: Any) -> Thing:
    return _base(scope, "episode", "ep", {"contentType": "text/plain", "content": content, **more})


def atom(scope: Scope, content: str, sources: list[Thing], **more: Any) -> Thing:
    return _base(
        scope, "atom", "at", {"atomType": "claim", "content": content, "provenance": provenance(sources), **more}
    )


def consolidation(scope: Scope, content: str, sources: list[Thing], **more: Any) -> Thing:
    refs = [wire(source) for source in sources]
    shape = {"content": content, "sourceRefs": refs, "provenance": provenance(sources), **more}
    return _base(scope, "consolidation", "co", shape)


def link(scope: Scope, kind: str, source: Thing, target: Thing, **more: Any) -> Thing:
    return _base(scope, "link", "ln", {"linkType": kind, "from": wire(source), "to": wire(target), **more})


def derived(scope: Scope, made: Thing, sources: list[Thing]) -> list[Thing]:
    """The ``derived_from`` links that the seed document asks for beside a provenance."""
    return [link(scope, "derived_from", made, source) for source in sources]


def provenance(sources: list[Thing]) -> Thing:
    return {
        "sourceRefs": [wire(source) for source in sources],
        "producedBy": "tests",
        "createdAt": AT,
        "transformationType": "extraction",
    }


def wire(thing: Thing) -> Thing:
    return {key: thing[key] for key in ("id", "type", "scope")}


def ref(thing: Thing) -> Ref:
    where = thing["scope"]
    scope = Scope(where["tenantId"], where["namespaceId"], where.get("agentId"), where.get("sessionId"))
    return Ref(thing["id"], Kind(thing["type"]), scope)


def seed(lanes: Lanes, *things: Thing) -> None:
    load_fixtures(lanes, {"objects": list(things)})


def tombstone(lanes: Lanes, scope: Scope, *names: str, policy: Policy = Policy.TOMBSTONE) -> None:
    """Delete memories, found by the prefixes of their ids."""
    kinds = {prefix: kind for kind, prefix in PREFIX.items()}
    refs = [Ref(name, kinds[name.split("_")[0]], scope) for name in names]
    lanes.submit(TombstoneProposal(Wish(scope, refs, "test", policy)))
