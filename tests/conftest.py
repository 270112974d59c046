"""One real Neo4j for the whole run, a fresh scope for every test, and no setting leaking in from the shell."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_KEPT = {"MEMGRAPH_CACHE_DIR"}
for _name in [name for name in os.environ if name.startswith("MEMGRAPH_") and name not in _KEPT]:
    if not _name.startswith("MEMGRAPH_TEST_"):
        del os.environ[_name]

from memgraph_svc.app import lanes as make_lanes  # noqa: E402  after the environment is clean
from memgraph_svc.config import Settings, load  # noqa: E402
from memgraph_svc.graph.client import Graph  # noqa: E402
from memgraph_svc.graph.migrate import migrate  # noqa: E402
from memgraph_svc.graph.secrets import Secrets  # noqa: E402
from memgraph_svc.ingest.service import IngestService  # noqa: E402
from memgraph_svc.model.scope import Scope  # noqa: E402
from memgraph_svc.write.lanes import Lanes  # noqa: E402
from tests.support import server  # noqa: E402
from tests.support.api import Api, Client, free_port  # noqa: E402

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

_UNIT = {"unit", "packaging"}


def pytest_configure(config: pytest.Config) -> None:
    """Start the server once, before any worker, and hand its address down through the environment."""
    if not hasattr(config, "workerinput"):
        server.start_for(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop what was started."""
    if not hasattr(config, "workerinput"):
        server.stop_for(config)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test with the name of its folder."""
    root = Path(__file__).parent
    for item in items:
        folder = item.path.relative_to(root).parts[0]
        item.add_marker(getattr(pytest.mark, folder))


@pytest.fixture(scope="session")
def service_settings() -> Settings:
    """Settings that point at the test server."""
    found = server.ensure()
    return load(
        {**os.environ, "NEO4J_URI": found.uri, "NEO4J_USERNAME": found.username, "NEO4J_PASSWORD": found.password}
    )


@pytest.fixture(scope="session")
def graph(service_settings: Settings) -> Iterator[Graph]:
    """The real database with its schema applied."""
    made = Graph(service_settings)
    migrate(made)
    yield made
    made.close()


@pytest.fixture(scope="session")
def lanes(graph: Graph, service_settings: Settings) -> Lanes:
    """The write lanes of this process."""
    return make_lanes(graph, service_settings)


@pytest.fixture(scope="session")
def ingest(graph: Graph, lanes: Lanes) -> IngestService:
    """The ingest service."""
    return IngestService(graph, lanes, Secrets(graph))


@pytest.fixture
def scope() -> Scope:
    """A scope that no other test uses."""
    return Scope(f"t-{secrets.token_hex(6)}", f"n-{secrets.token_hex(6)}")


@pytest.fixture(scope="session")
def api_env(service_settings: Settings) -> dict[str, str]:
    """The environment in which an API of this run is started."""
    return {
        "NEO4J_URI": service_settings.neo4j_uri,
        "NEO4J_USERNAME": service_settings.neo4j_username,
        "NEO4J_PASSWORD": service_settings.neo4j_password,
        "MEMGRAPH_API_WORKERS": "1",
    }


@pytest.fixture(scope="session")
def client(graph: Graph, api_env: dict[str, str]) -> Iterator[Client]:
    """A client of the real API under gunicorn, shared by the tests of one worker."""
    running = Api(free_port(), api_env).start()
    yield running.client
    running.stop()
