"""What the embedded server needs of a client: to know that it answers, and to get its first password."""

from __future__ import annotations

from memgraph_svc.config import Settings
from memgraph_svc.errors.availability import CredentialsRefused
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph

_FIRST_PASSWORD = "neo4j"  # noqa: S105  the server's own, valid until its first use


def answers(uri: str, password: str) -> bool:
    """Whether the server takes this password; a fresh server is given it, and says so when asked again.

    Raises ``CredentialsRefused`` when it takes neither this nor the first one. Wait some seconds before asking again:
    the server shuts out whoever tries passwords in a row, and each further try makes that longer.
    """
    graph = _graph(uri, password)
    try:
        graph.read(query("graph/ping"))
    except CredentialsRefused:
        if _set_first_password(uri, password):
            return False
        raise
    except ServiceError:
        return False
    finally:
        graph.close()
    return True


def _set_first_password(uri: str, password: str) -> bool:
    graph = _graph(uri, _FIRST_PASSWORD, database="system")
    try:
        graph.execute(query("graph/set_password"), old=_FIRST_PASSWORD, new=password)
    except ServiceError:
        return False
    finally:
        graph.close()
    return True


def _graph(uri: str, password: str, database: str = "neo4j") -> Graph:
    return Graph(Settings(neo4j_uri=uri, neo4j_password=password, neo4j_database=database, retry_s=0))
