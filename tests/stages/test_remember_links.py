"""A remembered note says what it rests on and stands against; what it names must be there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memgraph_svc.assemble.index_section import IndexService
from memgraph_svc.errors.request import NotFound
from memgraph_svc.errors.work import LinkCircle
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.note import NoteDraft, NoteLinks
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build, told
from tests.support.cypher import rows

FIELDS = ["supersedes", "contradicts", "supports", "sources"]
TYPES = {
    "supersedes": "SUPERSEDES",
    "contradicts": "CONTRADICTS",
    "supports": "SUPPORTS",
    "sources": "DERIVED_FROM",
}


def save(ingest: IngestService, scope: Scope, body: str, slug: str | None = None, **links: Any) -> dict[str, Any]:
    named = NoteLinks(**{field: tuple(ids) for field, ids in links.items()})
    return ingest.remember(scope, NoteDraft(body=body, created_by=told.ME, slug=slug, links=named))


def note(ingest: IngestService, scope: Scope, body: str, slug: str | None = None, **links: Any) -> str:
    return save(ingest, scope, body, slug, **links)["ref"]["id"]


def stored(graph: Graph, scope: Scope) -> dict[str, int]:
    text = (
        "MATCH (x {scopeKey: $k}) WHERE NOT x:Namespace AND NOT x:Commit UNWIND labels(x) AS l RETURN l, count(*) AS n"
    )
    return {row["l"]: row["n"] for row in rows(graph, text, k=scope.key)}


@pytest.mark.parametrize("field", FIELDS)
def test_what_a_note_names_is_linked(graph: Graph, ingest: IngestService, scope: Scope, field: str) -> None:
    one, two = note(ingest, scope, "one"), note(ingest, scope, "two")
    made = note(ingest, scope, "three", None, **{field: [one, two]})
    assert {(made, one), (made, two)} <= set(told.links(graph, scope, TYPES[field]))
    expected = {"supersedes": "superseded", "contradicts": "disputed"}.get(field, "active")
    assert {told.status(graph, each) for each in (one, two)} == {expected}
    assert told.status(graph, made) == ("disputed" if field == "contradicts" else "active")


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("missing", ["unknown", "foreign", "another agent's", "deleted"])
def test_a_missing_memory_is_refused_by_field_and_nothing_is_written(
    graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope, field: str, missing: str
) -> None:
    mine = Scope(scope.tenant_id, scope.namespace_id, "a1")
    where = {
        "foreign": Scope(scope.tenant_id, scope.namespace_id + "-2"),
        "another agent's": Scope(scope.tenant_id, scope.namespace_id, "a2"),
    }.get(missing, mine)
    name = "at_none" if missing == "unknown" else note(ingest, where, "one")
    if missing == "deleted":
        build.tombstone(lanes, where, name)
    there = note(ingest, mine, "there")
    before = stored(graph, scope)
    with pytest.raises(NotFound) as refused:
        save(ingest, mine, "two", None, **{field: [there, name]})
    assert refused.value.details == {"path": field}
    assert stored(graph, scope) == before
    assert told.status(graph, there) == "active"


def test_a_note_saved_again_adds_no_link_twice(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    one = note(ingest, scope, "one")
    links = {field: [one] for field in FIELDS if field != "supersedes"}
    made = note(ingest, scope, "two", "s", **links)
    for _ in range(3):
        assert save(ingest, scope, "two", "s", **links)["status"] == "restated"
    for field in links:
        assert told.links(graph, scope, TYPES[field]).count((made, one)) == 1
    assert len(told.events(graph, scope, "memory.disputed")) == 2


def test_what_has_the_same_slug_and_is_named_as_well_is_replaced_once(
    graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    one = note(ingest, scope, "one", "s")
    two = note(ingest, scope, "two", "s", supersedes=[one])
    assert save(ingest, scope, "two", "s", supersedes=[one])["status"] == "restated"
    assert told.links(graph, scope, "SUPERSEDES") == [(two, one)]
    assert len(told.events(graph, scope, "memory.superseded")) == 1


def test_a_note_is_never_linked_to_itself(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    made = note(ingest, scope, "one", "s")
    assert save(ingest, scope, "one", "s", **{field: [made] for field in FIELDS})["ref"]["id"] == made
    assert all((made, made) not in told.links(graph, scope, TYPES[field]) for field in FIELDS)
    assert told.status(graph, made) == "active"


def test_a_note_cannot_come_to_rest_on_what_rests_on_it(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    one = note(ingest, scope, "one", "s")
    three = note(ingest, scope, "three", sources=[note(ingest, scope, "two", sources=[one])])
    before = stored(graph, scope)
    with pytest.raises(LinkCircle) as refused:
        save(ingest, scope, "one", "s", sources=[three])
    assert refused.value.details == {"path": "sources"}
    assert stored(graph, scope) == before


def test_standing_against_what_is_replaced_disputes_nothing(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    old = note(ingest, scope, "old", "s")
    note(ingest, scope, "new", "s")
    late = note(ingest, scope, "late", contradicts=[old])
    assert told.links(graph, scope, "CONTRADICTS") == [(late, old)]
    assert (told.status(graph, old), told.status(graph, late)) == ("superseded", "active")


def test_a_note_that_replaces_a_disputed_one_frees_the_other(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    one = note(ingest, scope, "one")
    two = note(ingest, scope, "two", contradicts=[one])
    note(ingest, scope, "three", supersedes=[two])
    assert (told.status(graph, one), told.status(graph, two)) == ("active", "superseded")
    assert told.events(graph, scope, "memory.restored") == [("memory.restored", one, {})]


def test_a_replaced_episode_answers_no_more(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    (old,) = told.tell(ingest, scope, told.episode(text="The office is in Oslo."))
    note(ingest, scope, "The office is in Rome.", supersedes=[old])
    assert told.status(graph, old) == "superseded"
    (row,) = rows(graph, "MATCH (e:Episode {id: $id}) RETURN e.status AS s", id=old)
    assert row["s"] == "active"


def test_thirty_saves_of_a_slug_are_one_line(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    made = [note(ingest, scope, f"body {at}", "plan") for at in range(30)]
    assert set(told.links(graph, scope, "SUPERSEDES")) == {(made[at + 1], made[at]) for at in range(29)}
    assert [told.status(graph, each) for each in made] == ["superseded"] * 29 + ["active"]
    text = "MATCH (a:Atom {scopeKey: $k}) WHERE a.liveSlugKey IS NOT NULL RETURN a.id AS id"
    assert rows(graph, text, k=scope.key) == [{"id": made[-1]}]
    index = IndexService(graph).section(scope)
    assert (index.note_count, index.text.count("body 29")) == (1, 1)
    text = "MATCH (a:Atom {id: $id})-[:CHANGED]->(c) RETURN c.status AS s ORDER BY c.seq"
    assert [row["s"] for row in rows(graph, text, id=made[0])] == ["active", "superseded"]


def test_a_version_ends_when_the_next_begins(graph: Graph, ingest: IngestService, scope: Scope) -> None:
    for year in (2020, 2024):
        draft = NoteDraft(body=str(year), created_by=told.ME, slug="s", valid_from=datetime(year, 1, 1, tzinfo=UTC))
        ingest.remember(scope, draft)
    text = "MATCH (a:Atom {scopeKey: $k, content: '2020'}) RETURN a.validTo.year AS y"
    assert rows(graph, text, k=scope.key) == [{"y": 2024}]
