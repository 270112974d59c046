"""The real server agrees with every head: it plans the statement, and its columns and kind are the declared ones."""

import re
from typing import Any

import neo4j
import pytest

from memgraph_svc.config import Settings
from memgraph_svc.graph.catalogue import Query, load
from memgraph_svc.graph.client import Graph

SAMPLES: dict[str, Any] = {"string": "x", "integer": 1, "float": 1.0, "boolean": True, "map": {}, "datetime": None}
KINDS = {"r": {"read"}, "rw": {"write"}, "w": {"write"}, "s": {"schema"}}
# Our parameters are given, and labels that no test has made yet are no mistake.
TOLERATED = {"01N50", "01N51", "01N52"}


def sample(declared: str) -> Any:
    kind = declared.split(maxsplit=1)[0]
    return [] if kind.startswith("list") else SAMPLES[kind]


@pytest.fixture(scope="module")
def session(service_settings: Settings, graph: Graph) -> Any:
    with (
        neo4j.GraphDatabase.driver(
            service_settings.neo4j_uri, auth=(service_settings.neo4j_username, service_settings.neo4j_password)
        ) as driver,
        driver.session() as opened,
    ):
        yield opened


@pytest.mark.parametrize("made", [q for q in load().values() if q.mode != "schema"], ids=lambda q: q.name)
def test_explain(session: Any, made: Query) -> None:
    made = made.filled(**dict.fromkeys(made.slots, 1))
    params = {name: sample(declared) for name, declared in made.params.items()}
    if re.match(r"SHOW\b", made.text):
        result = session.run(made.text, params)  # SHOW cannot be explained; it only reads
    else:
        result = session.run("EXPLAIN " + made.text, params)
    keys, summary = list(result.keys()), result.consume()
    assert keys == list(made.columns)
    assert made.mode in KINDS[summary.query_type] or made.mode == "write"
    noted = [s for s in summary.gql_status_objects if s.is_notification and s.gql_status not in TOLERATED]
    unexpected = [s for s in noted if s.gql_status not in made.allow]
    assert not unexpected, [(s.gql_status, s.status_description) for s in unexpected]
