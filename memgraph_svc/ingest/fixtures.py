"""Load durable objects exactly as given, for suites that need a graph no operation can make.

In: a document ``{"objects": [...]}`` of episodes, atoms, consolidations and links in their wire form. Out: the same in the
graph, searchable by their state. No extraction, no events, no side effects of links. Never reachable in production.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.lifecycle.rows import identity, passage_rows
from memgraph_svc.model.content import dumps, readable
from memgraph_svc.model.digest import content_hash
from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.passages import cut
from memgraph_svc.model.scope import Scope
from memgraph_svc.model.times import lenient
from memgraph_svc.write.changes import link_row
from memgraph_svc.write.view import Questions, View

if TYPE_CHECKING:
    from memgraph_svc.write.lanes import Lanes

Thing = Mapping[str, Any]


def load_fixtures(lanes: Lanes, document: Thing) -> int:
    """Write every object of the document, one transaction for each namespace; how many objects there were.

    Raises ``InvalidRequest`` when an object lacks what its kind needs.
    """
    by_scope: dict[str, list[Thing]] = {}
    objects = document.get("objects")
    if not isinstance(objects, list):
        raise InvalidRequest('The document must be {"objects": [...]}.')
    for each in objects:  # pyright: ignore[reportUnknownVariableType]
        by_scope.setdefault(_scope(each["scope"]).key, []).append(each)  # pyright: ignore[reportUnknownArgumentType]
    for some in by_scope.values():
        lanes.submit(FixtureProposal(_scope(some[0]["scope"]), some))
    return len(objects)  # pyright: ignore[reportUnknownArgumentType]


@dataclass(frozen=True, slots=True)
class FixtureProposal:
    """Store the objects of one namespace as they are."""

    scope: Scope
    objects: list[Thing]

    @property
    def weight(self) -> int:
        """Counted as one large write."""
        return 1_000_000

    def questions(self) -> Questions:
        """Nothing: statuses are final."""
        return Questions(alone=True)

    def decide(self, view: View) -> int:
        """Add every object; how many."""
        view.changes.as_given = True
        places: dict[tuple[str, str], int] = {
            (each["id"], source["id"]): at for each in self.objects for at, source in enumerate(_sources(each))
        }
        for each in self.objects:
            if each["type"] == Kind.LINK:
                _add_link(view, each, places)
            else:
                _add_memory(view, each)
        _add_missing_sources(view, self.objects, places)
        return len(self.objects)


def _add_memory(view: View, thing: Thing) -> None:
    scope, kind, status = _scope(thing["scope"]), Kind(thing["type"]), Status(thing["status"])
    ref, content = Ref(thing["id"], kind, scope), thing.get("content")
    given: Thing = thing.get("provenance") or {}
    live = kind is not Kind.EPISODE and status in (Status.ACTIVE, Status.DISPUTED)
    memory = {
        **identity(ref, Actor(thing["createdBy"]["id"], thing["createdBy"]["kind"]), readable(content)),
        "status": status.value,
        "content": content if isinstance(content, str) else dumps(content),
        "contentIsJson": None if isinstance(content, str) else True,
        "contentType": thing.get("contentType"),
        "contentHash": content_hash(content),
        "dedupeKey": thing.get("dedupeKey"),
        "createdAt": lenient(thing["createdAt"]),
        "occurredAt": lenient(thing["createdAt"]) if kind is Kind.EPISODE else None,
        "atomType": thing.get("atomType"),
        "title": thing.get("title"),
        "confidence": thing.get("confidence"),
        "producedBy": _producer(given.get("producedBy")),
        "transformation": given.get("transformationType") or given.get("transformation"),
        "producedAt": lenient(given.get("createdAt")),
        "metadataJson": dumps(thing["metadata"]) if thing.get("metadata") else None,
        "noteScope": scope.key if live else None,
    }
    shown = [] if status is Status.TOMBSTONED else passage_rows(ref, cut(content, thing.get("title") or ""), status)
    view.changes.add_memory(kind, memory, shown, view.tick(), view.seq)


def _add_link(view: View, thing: Thing, places: Mapping[tuple[str, str], int]) -> None:
    source, target = thing["from"]["id"], thing["to"]["id"]
    if _scope(thing["from"]["scope"]).key != _scope(thing["to"]["scope"]).key:
        raise InvalidRequest(f"Link {thing['id']} joins two namespaces.")
    link = {
        "id": thing["id"],
        "status": thing["status"],
        "createdAt": lenient(thing["createdAt"]),
        "createdById": thing["createdBy"]["id"],
        "createdByKind": thing["createdBy"]["kind"],
        "agentId": thing["scope"].get("agentId"),
        "sessionId": thing["scope"].get("sessionId"),
        "seq": view.seq,
        "knownFrom": view.tick(),
        "metadataJson": dumps(thing["metadata"]) if thing.get("metadata") else None,
        "position": places.get((source, target)),
    }
    view.changes.add_link(thing["linkType"], source, target, link)


def _add_missing_sources(view: View, objects: list[Thing], places: Mapping[tuple[str, str], int]) -> None:
    joined = {(each["from"]["id"], each["to"]["id"]) for each in objects if each.get("linkType") == "derived_from"}
    for (source, target), at in places.items():
        if (source, target) not in joined:
            row = link_row(_scope(objects[0]["scope"]), Actor("fixtures", "system"), view.tick(), view.seq, position=at)
            view.changes.add_link("derived_from", source, target, row)


def _sources(thing: Thing) -> list[Thing]:
    given: Thing = thing.get("provenance") or {}
    return given.get("sourceRefs") or []


def _producer(given: Any) -> str | None:
    return cast("Thing", given)["id"] if isinstance(given, Mapping) else given


def _scope(given: Thing) -> Scope:
    return Scope(given["tenantId"], given["namespaceId"], given.get("agentId"), given.get("sessionId"))
