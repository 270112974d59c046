"""Whatever the order in which they arrive, dated claims end as the line their times give."""

import secrets
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memgraph_svc.assemble.filters import Filters
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.graph.client import Graph
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.model.memory import Status
from memgraph_svc.model.scope import Scope
from tests.support import told

CITIES = ("Oslo", "Rome", "Bonn", "Lyon", "Cork", "Turku", "Porto")
EVERYTHING = Filters(statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}))
YEARS = st.lists(st.integers(1950, 2020), min_size=1, max_size=len(CITIES), unique=True)


def year(number: int) -> str:
    return f"{number}-01-01T00:00:00Z"


def found(graph: Graph, scope: Scope, filters: Filters | None = None) -> set[str]:
    return {hit.ref.id for hit in QueryService(graph).search(scope, "whereabouts", filters, 100).hits}


@settings(max_examples=25)
@given(YEARS, st.sampled_from(["one by one", "one batch", "two halves", "one episode"]))
def test_claims_in_any_order_end_as_one_line(graph: Graph, ingest: IngestService, years: list[int], how: str) -> None:
    scope = Scope("t-" + secrets.token_hex(8), "n")
    facts = [told.fact(city, year(at)) for city, at in zip(CITIES, years, strict=False)]
    episodes = [told.episode(each, text=f"whereabouts: {each['value']}") for each in facts]
    middle = len(episodes) // 2
    if how == "one episode":
        told.tell(ingest, scope, told.episode(*facts, text="whereabouts"))
    else:
        batches = {"one by one": [[each] for each in episodes], "one batch": [episodes]}
        for batch in batches.get(how, [episodes[:middle], episodes[middle:]]):
            if batch:
                told.tell(ingest, scope, *batch)
    line = [value for _, value in sorted(zip(years, CITIES, strict=False))]
    held = told.claims(graph, scope)
    check_states(held, line)
    check_links(graph, scope, held, line)
    if how != "one episode":
        owners = {value: set(each["sources"]) for value, each in held.items()}
        assert not found(graph, scope) & set().union(*(owners[value] for value in line[:-1]))
        assert owners[line[-1]] <= found(graph, scope)
    assert {name for each in held.values() for name in each["sources"]} <= found(graph, scope, EVERYTHING)
    assert {each["id"] for each in held.values()} <= found(graph, scope, EVERYTHING) or how == "one episode"


def check_states(held: dict[Any, dict[str, Any]], line: list[Any]) -> None:
    assert [held[value]["status"] for value in line] == ["superseded"] * (len(line) - 1) + ["active"]
    assert held[line[-1]].get("validTo") is None
    for value, following in pairwise(line):
        assert held[value]["validTo"] == held[following]["validFrom"]


def check_links(graph: Graph, scope: Scope, held: dict[Any, dict[str, Any]], line: list[Any]) -> None:
    place = {held[value]["id"]: at for at, value in enumerate(line)}
    found = [(place[newer], place[older]) for newer, older in told.links(graph, scope, "SUPERSEDES")]
    assert told.links(graph, scope, "CONTRADICTS") == []
    assert all(newer > older for newer, older in found), "a link leads to something newer"
    assert sorted(found) == [(at + 1, at) for at in range(len(line) - 1)], "the links are one line"
