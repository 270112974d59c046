"""Find the Neo4j server that a command is to use.

In: settings. Out: the same with address, user name and password filled in. What is done with them is decided by the
command.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memgraph_svc.config import Settings
from memgraph_svc.errors.start import ConfigError


def resolve(settings: Settings) -> Settings:
    """The settings with a server: that of ``NEO4J_URI``, else the embedded one that runs on the data folder.

    Raises ``ConfigError`` when there is neither.
    """
    if settings.neo4j_uri:
        return settings
    from memgraph_svc.embedded.server import EmbeddedServer  # noqa: PLC0415  needs the [local] extra, NEO4J_URI does not

    server = EmbeddedServer(Path(settings.data_dir), settings.bolt_port, settings.browser_port)
    if server.pid() is None:
        raise ConfigError(
            f"No Neo4j runs on {settings.data_dir}. Start one with 'memgraph-svc up', or set NEO4J_URI to a server of "
            "your own."
        )
    found = server.connection()
    return replace(settings, neo4j_uri=found.uri, neo4j_username=found.username, neo4j_password=found.password)
