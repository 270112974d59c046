"""The real Neo4j of a test run: ``NEO4J_URI`` when it is set, else an embedded server of our own.

Started once by the controlling process and handed to parallel workers through the environment. When it cannot be started
the run fails; nothing is skipped for want of a server.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from memgraph_svc.embedded.ports import free_port
from memgraph_svc.embedded.server import Connection, EmbeddedServer

_running: tuple[EmbeddedServer, Path] | None = None


def ensure() -> Connection:
    """How to reach the server of this run; started now when a test is the first to need one."""
    global _running  # noqa: PLW0603  one server for the whole process
    if not os.environ.get("NEO4J_URI"):
        folder = Path(tempfile.mkdtemp(prefix="memgraph-test-"))
        server = EmbeddedServer(folder, free_port(), free_port(), heap_mb=1024, pagecache_mb=256)
        _running = (server, folder)
        found = server.start(print)
        os.environ |= {"NEO4J_URI": found.uri, "NEO4J_USERNAME": found.username, "NEO4J_PASSWORD": found.password}
    return Connection(
        os.environ["NEO4J_URI"], os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    )


def start_for(config: pytest.Config) -> None:
    """In the controller of a parallel run: start before the workers do, since they inherit the environment."""
    if getattr(config.option, "numprocesses", None) and not config.option.collectonly:
        ensure()


def stop_for(config: pytest.Config) -> None:
    """Stop what ``ensure`` started, and forget its data."""
    global _running  # noqa: PLW0603
    if _running is not None:
        server, folder = _running
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
        _running = None
