"""One memory with all around it, and lists that page without gaps or repeats, on a real graph."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import neo4j
import pytest

from memgraph_svc.assemble.memories import MemoriesService, between, decode, encode
from memgraph_svc.assemble.memories_store import LAST, Listed, MemoriesStore
from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.service import CascadeService
from memgraph_svc.cascade.tombstone import Wish
from memgraph_svc.config import Settings
from memgraph_svc.errors.request import InvalidCursor, NotFound, ScopeMismatch
from memgraph_svc.graph.catalogue import Query
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.note import NoteDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.lifecycle.marks import Target
from memgraph_svc.lifecycle.service import LifecycleService
from memgraph_svc.model.content import topic_key
from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import build
from tests.support.cypher import rows

MARA = Actor("mara", "user")


@pytest.fixture(scope="session")
def service(graph: Graph) -> MemoriesService:
    return MemoriesService(graph, Secrets(graph))


def seed(lanes: Lanes, *things: build.Thing) -> None:
    """With a link for every source, as the seed document has them; each of the scope of what it starts at."""
    known = {each["id"]: each for each in things}
    links = [
        build.link(build.ref(each).scope, "derived_from", each, known[source["id"]])
        for each in things
        for source in each.get("provenance", {}).get("sourceRefs", [])
    ]
    build.seed(lanes, *things, *links)


def say(ingest: IngestService, scope: Scope, *texts: str) -> list[str]:
    made = ingest.ingest(scope, [EpisodeDraft("text/plain", text, MARA, None, {}) for text in texts])
    return [each["ref"]["id"] for each in made]


def save(ingest: IngestService, scope: Scope, body: str, **more: Any) -> str:
    return ingest.remember(scope, NoteDraft(body, MARA, **more))["ref"]["id"]


def delete(graph: Graph, lanes: Lanes, scope: Scope, name: str, kind: Kind) -> None:
    wish = Wish(scope, [Ref(name, kind, scope)], "test", Policy.MARK, MARA)
    assert CascadeService(graph, lanes).tombstone(wish)["results"][0]["status"] == "tombstoned"


def ids(page: list[dict[str, Any]]) -> list[str]:
    return [each["id"] for each in page]


def pages(service: MemoriesService, scope: Scope, wanted: Listed, limit: int) -> Iterator[list[str]]:
    cursor = None
    while True:
        page = service.list(scope, wanted, limit, cursor)
        yield ids(page.memories)
        cursor = page.next_cursor
        if cursor is None:
            return


def every(service: MemoriesService, scope: Scope, limit: int = 1_000, **wanted: Any) -> list[str]:
    return [each for page in pages(service, scope, Listed(**wanted), limit) for each in page]


# ------------------------------------------------------------------------------------------------- one memory


def test_a_note_has_its_history_and_all_its_versions(
    service: MemoriesService, ingest: IngestService, lanes: Lanes, scope: Scope
) -> None:
    names = [save(ingest, scope, f"body {at}", slug="home", pinned=at == 2) for at in range(3)]
    LifecycleService(lanes).confirm(scope, Target(slug="home"), MARA)
    found = service.get(scope, names[2])
    shape = found["object"]
    assert (shape["id"], shape["content"], shape["slug"], shape["pinned"]) == (names[2], "body 2", "home", True)
    assert shape["lastVerifiedAt"].endswith("Z")
    assert [each["ref"]["id"] for each in found["versions"]] == names[::-1]
    assert [each["status"] for each in found["versions"]] == ["active", "superseded", "superseded"]
    for name in names:
        assert service.get(scope, name)["versions"] == found["versions"]
    old = service.get(scope, names[0])
    assert [each["status"] for each in old["history"]] == ["active", "superseded"]
    assert [set(each) for each in old["history"]] == [
        {"at", "status", "stale", "pinned"},
        {"at", "status", "stale", "pinned", "validTo"},
    ]
    assert old["history"][0]["at"] == old["object"]["createdAt"] < old["history"][1]["at"]
    assert "lastVerifiedAt" not in old["object"]


def test_links_stand_by_direction_and_are_counted(
    service: MemoriesService, lanes: Lanes, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = build.episode(scope, "source")
    claims = [build.atom(scope, f"claim {at}", [source]) for at in range(5)]
    strange = build.link(scope, "reminds_of", claims[0], claims[1], metadata={"why": "x"})
    gone = build.link(scope, "supports", claims[0], claims[2], status="tombstoned")
    seed(lanes, source, *claims, strange, gone)
    found = service.get(scope, source["id"])["links"]
    assert (found["outgoing"], found["total"]) == ([], {"outgoing": 0, "incoming": 5})
    assert {each["from"]["id"] for each in found["incoming"]} == {each["id"] for each in claims}
    assert {each["linkType"] for each in found["incoming"]} == {"derived_from"}
    found = service.get(scope, claims[0]["id"])["links"]
    assert {each["linkType"] for each in found["outgoing"]} == {"derived_from", "reminds_of"}
    (named,) = [each for each in found["outgoing"] if each["linkType"] == "reminds_of"]
    assert (named["to"], named["metadata"], named["type"]) == (build.wire(claims[1]), {"why": "x"}, "link")
    monkeypatch.setattr("memgraph_svc.assemble.memories.MOST_LINKS", 3)
    found = service.get(scope, source["id"])["links"]
    assert (len(found["incoming"]), found["total"]["incoming"]) == (3, 5)


def test_links_of_deleted_memory_and_of_other_sessions_are_left_out(
    service: MemoriesService, graph: Graph, lanes: Lanes, scope: Scope
) -> None:
    one, two = replace(scope, session_id="one"), replace(scope, session_id="two")
    sources = [build.episode(where, "source") for where in (one, two, one)]
    claim = build.atom(one, "claim", sources)
    other = build.atom(two, "other", sources[:1])
    seed(lanes, *sources, claim, other, build.link(one, "supports", other, claim))
    everywhere = service.get(scope, claim["id"])["links"]
    assert everywhere["total"] == {"outgoing": 3, "incoming": 1}
    inside = service.get(one, claim["id"])["links"]
    assert inside["total"] == {"outgoing": 2, "incoming": 0}
    assert {each["to"]["id"] for each in inside["outgoing"]} == {sources[0]["id"], sources[2]["id"]}
    delete(graph, lanes, one, sources[2]["id"], Kind.EPISODE)
    assert ids(service.get(one, claim["id"])["links"]["outgoing"]) == [
        each["id"] for each in inside["outgoing"] if each["to"]["id"] == sources[0]["id"]
    ]


def test_the_object_names_the_chain_back_to_the_episodes(service: MemoriesService, lanes: Lanes, scope: Scope) -> None:
    source = build.episode(scope, "source")
    claim = build.atom(scope, "claim", [source])
    report = build.consolidation(scope, "report", [claim])
    seed(lanes, source, claim, report)
    chain = service.get(scope, report["id"])["object"]["provenance"]["metadata"]["chain"]
    assert [(each["ref"]["id"], each["depth"]) for each in chain] == [(claim["id"], 1), (source["id"], 2)]


def test_what_may_not_be_seen_is_like_what_never_was(
    service: MemoriesService, graph: Graph, lanes: Lanes, ingest: IngestService, scope: Scope
) -> None:
    inside = replace(scope, agent_id="a", session_id="s")
    name, gone = say(ingest, inside, "here", "gone")
    delete(graph, lanes, inside, gone, Kind.EPISODE)
    elsewhere = [
        (replace(scope, tenant_id="other"), name),
        (replace(scope, namespace_id="other"), name),
        (replace(scope, agent_id="b"), name),
        (replace(inside, session_id="t"), name),
        (scope, gone),
        (scope, "ep_nothing"),
        (scope, "\x00"),
    ]
    said: set[str] = set()
    for where, asked in elsewhere:
        with pytest.raises(NotFound) as refused:
            service.get(where, asked)
        said.add(str(refused.value.body()))
    assert len(said) == 1
    assert service.get(inside, name)["object"]["id"] == name


def test_a_long_line_of_succession_is_walked_once(
    service: MemoriesService, graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope
) -> None:
    source = build.episode(scope, "source")
    notes = [build.atom(scope, f"v{at}", [source], status="superseded") for at in range(300)]
    steps = [build.link(scope, "supersedes", new, old) for old, new in pairwise(notes)]
    # Shortcuts would double the number of ways at each step.
    steps += [build.link(scope, "supersedes", notes[at + 2], notes[at]) for at in range(0, 298, 2)]
    seed(lanes, source, *notes, *steps)
    last = service.get(scope, notes[-1]["id"])["versions"]
    assert len(last) == 100
    assert last[0]["ref"]["id"] == notes[-1]["id"]
    first = service.get(scope, notes[0]["id"])["versions"]
    assert len(first) == 100
    assert service.get(scope, source["id"])["versions"] == [
        {"ref": build.wire(source), "status": "active", "createdAt": "2026-05-08T16:00:00.000000Z"}
    ]


def test_a_deleted_version_keeps_its_place_and_a_foreign_one_is_left_out(
    service: MemoriesService, graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope
) -> None:
    one, two = replace(scope, agent_id="one"), replace(scope, agent_id="two")
    source = build.episode(scope, "source")
    old, mine = build.atom(one, "a", [source], status="superseded"), build.atom(one, "b", [source], status="superseded")
    foreign = build.atom(two, "c", [source], status="superseded")
    newest = build.atom(one, "d", [source])
    line = [old, mine, foreign, newest]
    seed(lanes, source, *line, *[build.link(scope, "supersedes", new, was) for was, new in pairwise(line)])
    delete(graph, lanes, one, mine["id"], Kind.ATOM)
    found = service.get(one, newest["id"])["versions"]
    assert [(each["ref"]["id"], each["status"]) for each in found] == [
        (newest["id"], "active"), (mine["id"], "tombstoned"), (old["id"], "superseded"),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------------- lists


def test_a_list_is_in_order_and_pages_to_its_end(service: MemoriesService, ingest: IngestService, scope: Scope) -> None:
    names = say(ingest, scope, *[f"n {at}" for at in range(25)])
    for limit in (1, 7, 25, 1_000):
        assert every(service, scope, limit) == names
        assert every(service, scope, limit, newest=True) == names[::-1]
    assert service.list(scope, Listed(), 25).next_cursor is None
    assert service.list(replace(scope, namespace_id="other"), Listed()).memories == []
    (shape,) = service.list(scope, Listed(), 1).memories
    assert shape["content"] == "n 0"


def test_memories_of_one_instant_are_told_apart(service: MemoriesService, lanes: Lanes, scope: Scope) -> None:
    things = [build.episode(scope, str(at)) for at in range(20)]
    seed(lanes, *things)
    expected = sorted(each["id"] for each in things)
    assert every(service, scope, 3) == expected
    assert every(service, scope, 3, newest=True) == expected[::-1]


def test_each_filter_keeps_what_it_names(
    service: MemoriesService, graph: Graph, ingest: IngestService, lanes: Lanes, scope: Scope
) -> None:
    (first, second) = say(ingest, replace(scope, session_id="s1"), "one", "two")
    (third,) = say(ingest, replace(scope, agent_id="a"), "three")
    old = save(ingest, scope, "old", slug="home", topics=("Home",), pinned=True)
    new = save(ingest, scope, "new", slug="home", topics=("HOME  sweet", "home"))
    source = build.episode(scope, "base")
    claim = build.atom(scope, "claim", [source])
    seed(lanes, source, claim)
    delete(graph, lanes, scope, source["id"], Kind.EPISODE)
    notes = every(service, scope, topic=topic_key(" hOmE"))
    assert notes == [old, new]
    assert every(service, scope, 1, topic="home", newest=True) == [new, old]
    assert every(service, scope, session="s1") == every(service, replace(scope, session_id="s1")) == [first, second]
    assert every(service, scope, 1, session="s1", newest=True) == [second, first]
    assert every(service, scope, session="s1", topic="home") == []
    assert every(service, replace(scope, agent_id="a")) == [third]
    assert every(service, scope, slug="home") == notes
    assert every(service, scope, pinned=True) == [old]
    assert every(service, scope, stale=True) == [claim["id"]]
    assert every(service, scope, status=Status.SUPERSEDED) == [old]
    assert every(service, scope, status=Status.TOMBSTONED) == []
    assert set(every(service, scope, kind=Kind.ATOM)) == {old, new, claim["id"]}
    assert source["id"] not in every(service, scope)
    assert claim["id"] not in every(service, scope, stale=False)
    assert old not in every(service, scope, pinned=False)


def test_times_bound_a_list_and_a_cursor_narrows_them(service: MemoriesService, lanes: Lanes, scope: Scope) -> None:
    days = [datetime(2026, 5, day, tzinfo=UTC) for day in range(1, 11)]
    things = [build.episode(scope, "x", createdAt=day.isoformat()) for day in days]
    seed(lanes, *things)
    names = [each["id"] for each in things]
    for newest in (False, True):
        wanted = between(Listed(newest=newest), days[2], days[7])
        found = [each for page in pages(service, scope, wanted, 2) for each in page]
        assert found == (names[2:7][::-1] if newest else names[2:7])
    assert ids(service.list(scope, between(Listed(), days[9], None)).memories) == names[9:]


def test_cursors_are_ours_and_of_one_namespace(service: MemoriesService, ingest: IngestService, scope: Scope) -> None:
    say(ingest, scope, "a", "b")
    cursor = service.list(scope, Listed(), 1).next_cursor
    assert cursor is not None
    with pytest.raises(ScopeMismatch):
        service.list(replace(scope, namespace_id="other"), Listed(), 1, cursor)
    flipped = cursor[:-1] + ("A" if cursor[-1] != "A" else "B")
    for bad in ("", "x", "me_", "%%%", "é" * 50, "ev_" + cursor[3:], cursor + "A", flipped, cursor[:-4], "a" * 5_000):
        with pytest.raises(InvalidCursor):
            service.list(scope, Listed(), 1, bad)


def test_a_cursor_gives_back_its_position() -> None:
    for at in (LAST, (datetime(2026, 5, 8, 1, 2, 3, 4, tzinfo=UTC), "ep_Ω\x00")):
        text = encode(b"k", "scope", at)
        assert decode(b"k", "scope", text) == at
        with pytest.raises(InvalidCursor):
            decode(b"other", "scope", text)
    assert base64.urlsafe_b64decode(text[3:] + "==").endswith("ep_Ω\x00".encode())


def test_a_reader_that_pages_while_others_write_meets_everything_once(
    service: MemoriesService, ingest: IngestService, scope: Scope
) -> None:
    written: list[str] = []

    def write(at: int) -> None:
        for turn in range(20):
            written.extend(say(ingest, scope, f"{at} {turn} a", f"{at} {turn} b"))

    seen = say(ingest, scope, "first")
    written += seen
    writers = [threading.Thread(target=write, args=(at,)) for at in range(4)]
    for writer in writers:
        writer.start()
    while True:
        finished = not any(writer.is_alive() for writer in writers)
        # From where the reader stands to wherever the end is now.
        page = service.list(scope, Listed(low=_position(service, scope, seen[-1])), 7).memories
        seen = seen + ids(page)
        if finished and not page:
            break
    assert sorted(seen) == sorted(written)


def _position(service: MemoriesService, scope: Scope, name: str) -> tuple[datetime, str]:
    return datetime.fromisoformat(service.get(scope, name)["object"]["createdAt"]), name


def test_newest_first_never_repeats_while_others_write(
    service: MemoriesService, ingest: IngestService, scope: Scope
) -> None:
    names = say(ingest, scope, *[str(at) for at in range(30)])
    seen: list[str] = []
    for page in pages(service, scope, Listed(newest=True), 7):
        seen += page
        say(ingest, scope, "later")
    assert seen == names[::-1]


def test_a_page_is_of_one_state(
    service: MemoriesService, ingest: IngestService, lanes: Lanes, graph: Graph, scope: Scope
) -> None:
    # A note and its episode are one commit; the old version leaves as the new one comes.
    save(ingest, scope, "0", slug="counter")
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not done.is_set():
            seen.append(len(service.list(scope, Listed(slug="counter", status=Status.ACTIVE)).memories))

    reader = threading.Thread(target=read)
    reader.start()
    for at in range(1, 30):
        save(ingest, scope, str(at), slug="counter")
    done.set()
    reader.join()
    assert set(seen) == {1}


# ------------------------------------------------------------------------------------------------------- costs


@pytest.mark.parametrize("newest", [False, True])
def test_a_page_costs_its_own_length(
    service_settings: Settings, graph: Graph, ingest: IngestService, scope: Scope, *, newest: bool
) -> None:
    for _ in range(4):
        say(ingest, scope, *["x"] * 500)
    asked: list[tuple[Query, dict[str, Any]]] = []

    def listen(query: Query, /, **params: Any) -> list[dict[str, Any]]:
        asked.append((query, params))
        return []

    store = MemoriesStore(graph, listen)
    now = (datetime.now(UTC), "")
    store.page(scope, Listed(newest=newest), 101)
    store.page(scope, Listed(newest=newest, high=now), 101)
    auth = (service_settings.neo4j_username, service_settings.neo4j_password)
    with (
        neo4j.GraphDatabase.driver(service_settings.neo4j_uri, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session() as session,
    ):
        for query, params in asked:
            plan = session.run("PROFILE " + query.text, params).consume().profile
            found = list(_operators(plan))
            assert "Memory(scopeKey, createdAt)" in found[-1][0]
            assert max(rows for _, rows in found) < 200


def _operators(plan: Any) -> Iterator[tuple[str, int]]:
    yield plan["operatorType"] + " " + plan["args"].get("Details", ""), plan["args"].get("Rows", 0)
    for child in plan.get("children", []):
        yield from _operators(child)


def test_a_long_history_ends_with_what_is_newest(
    service: MemoriesService, graph: Graph, ingest: IngestService, scope: Scope
) -> None:
    (name,) = say(ingest, scope, "x")
    rows(
        graph,
        "MATCH (m:Memory {scopeKey: $k, id: $id}) UNWIND range(1, 1200) AS n "
        "CREATE (m)-[:CHANGED]->(:Change {scopeKey: $k, seq: 100 + n, at: datetime({epochSeconds: n}), "
        "status: 'active', standing: toString(n)})",
        k=scope.key,
        id=name,
    )
    found = service.get(scope, name)["history"]
    assert [each["standing"] for each in found] == [str(at) for at in range(201, 1_201)]
