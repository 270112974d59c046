"""memgraph-svc serve: only the API, in the foreground."""

from __future__ import annotations

import os
import sys

import click

from memgraph_svc.app import check_exposure
from memgraph_svc.cli.common import data_option, settings
from memgraph_svc.embedded.connect import resolve

_API = ("-m", "gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", "memgraph_svc.wsgi:app")


@click.command()
@click.option("--port", type=click.IntRange(1, 65_535), metavar="N", help="Default MEMGRAPH_PORT, else 8787.")
@click.option("--host", metavar="HOST", help="Address to listen on. Default MEMGRAPH_HOST, else 127.0.0.1.")
@data_option
def serve(port: int | None, host: str | None, data: str | None) -> None:
    """Run only the API, in the foreground, on the Neo4j of NEO4J_URI or on the embedded one that runs.

    This is what a container runs; nothing watches it, and Ctrl-C stops it once running requests are done.

    \b
    Example:
      NEO4J_URI=bolt://db:7687 NEO4J_PASSWORD=… memgraph-svc serve --host 127.0.0.1 --port 8787
    """
    found = resolve(settings(data, port=port, host=host))
    check_exposure(found)
    decided = {
        "NEO4J_URI": found.neo4j_uri,
        "NEO4J_USERNAME": found.neo4j_username,
        "NEO4J_PASSWORD": found.neo4j_password,
        "MEMGRAPH_HOST": found.host,
        "MEMGRAPH_PORT": str(found.port),
    }
    # In our place rather than below us: signals of a terminal or of a container reach it without a go-between.
    os.execve(sys.executable, [sys.executable, *_API], {**os.environ, **decided})  # noqa: S606
