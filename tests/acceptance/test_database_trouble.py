"""A database of its own that is started four times at once, loses an index, goes away and comes back."""

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memgraph_svc.config import Settings
from memgraph_svc.embedded.ports import free_port
from memgraph_svc.embedded.server import EmbeddedServer
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.migrate import migrate, report, schema_steps
from memgraph_svc.model.scope import Scope
from tests.support.api import Answer, Api, Client
from tests.support.cypher import rows

ACTOR = {"id": "u", "kind": "user"}


@dataclass
class Place:
    """A server and an API of this module alone."""

    server: EmbeddedServer
    graph: Graph
    api: Api

    @property
    def client(self) -> Client:
        return self.api.client


def wait_for(what: str, client: Client, status: int, seconds: float = 40) -> Answer:
    end = time.monotonic() + seconds
    while True:
        answer = client.get("/health/ready", timeout=30)
        if answer.status == status or time.monotonic() > end:
            assert answer.status == status, f"{what}: {answer.raw[:300]!r}"
            return answer
        time.sleep(0.3)


def store(client: Client, scope: Scope, text: str, consistency: str = "indexed") -> Answer:
    episode = {"contentType": "text/plain", "content": text, "createdBy": ACTOR, "dedupeKey": text}
    return client.post("/v0/ingest", {"scope": scope.wire(), "episodes": [episode], "consistency": consistency})


def find(client: Client, scope: Scope, text: str) -> Answer:
    return client.post("/v0/query", {"scope": scope.wire(), "query": text})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("data")
    server = EmbeddedServer(folder, free_port(), free_port(), heap_mb=512, pagecache_mb=128)
    found = server.start()
    settings = Settings(neo4j_uri=found.uri, neo4j_password=found.password)
    env = {
        "NEO4J_URI": found.uri,
        "NEO4J_PASSWORD": found.password,
        "MEMGRAPH_API_WORKERS": "4",
        "MEMGRAPH_RETRY_S": "1",
        "MEMGRAPH_EMBEDDER": "none",  # no worker runs here that would attach vectors to what is accepted
    }
    api, graph = Api(free_port(), env), Graph(settings)
    yield Place(server, graph, api)
    api.stop()
    graph.close()
    server.stop()


def four_processes_start_on_an_empty_database_at_once(place: Place) -> None:
    place.api.start()  # four workers, each applies the schema
    made = rows(place.graph, "MATCH (s:SchemaStep) RETURN s.name AS name")
    assert sorted(each["name"] for each in made) == sorted(step.name for step in schema_steps())
    assert report(place.graph).ready
    assert migrate(place.graph) == []  # waits for the workers that are still at it
    end = time.monotonic() + 30
    while rows(place.graph, "MATCH (l:SchemaLock) RETURN l.owner AS owner") != [{"owner": None}]:
        assert time.monotonic() < end, "the schema lock is never given back"
        time.sleep(0.2)


def a_dropped_index_is_reported_and_can_be_built_again(place: Place, scope: Scope) -> None:
    assert store(place.client, scope, "before").status == 200
    rows(place.graph, "DROP INDEX passage_text")
    refused = find(place.client, scope, "before")
    assert refused.status == 503
    assert refused.json["code"] == "index_missing"
    assert "migrate" in refused.json["message"]
    told = wait_for("index dropped", place.client, 503)
    assert told.json["details"]["missing"] == ["passage_text"]
    assert store(place.client, scope, "meanwhile", "accepted").status == 200
    end = time.monotonic() + 30  # each process looks for itself
    while (promised := store(place.client, scope, "promised")).status != 503:
        assert time.monotonic() < end, "episodes are still said to be indexed"
        time.sleep(0.5)
    assert promised.json["code"] == "index_missing"
    env = {**place.api.env, "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-m", "memgraph_svc.cli.main", "migrate"], env=env, check=True, timeout=60)
    wait_for("index built again", place.client, 200)
    assert [len(find(place.client, scope, text).json["refs"]) for text in ("before", "meanwhile")] == [1, 1]


def a_database_that_goes_away_is_a_503_and_comes_back_by_itself(place: Place, scope: Scope) -> None:
    assert store(place.client, scope, "kept").status == 200
    place.server.kill()
    for answer in (
        store(place.client, scope, "lost"),
        find(place.client, scope, "kept"),
        place.client.get("/health/ready"),
    ):
        assert answer.status == 503
        assert answer.json["retryable"] is True
        assert answer.headers["retry-after"].isdigit()
        assert "bolt" not in answer.raw.decode().lower()
    assert place.client.get("/health/live").status == 200
    place.server.start()
    wait_for("database back", place.client, 200)
    assert len(find(place.client, scope, "kept").json["refs"]) == 1
    assert store(place.client, scope, "lost").json["results"][0]["status"] == "created"


def test_a_database_in_trouble(place: Place, scope: Scope) -> None:
    # One test, since each part begins where the one before it ended.
    four_processes_start_on_an_empty_database_at_once(place)
    a_dropped_index_is_reported_and_can_be_built_again(place, scope)
    a_database_that_goes_away_is_a_503_and_comes_back_by_itself(place, scope)
