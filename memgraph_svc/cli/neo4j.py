"""memgraph-svc neo4j: only the embedded server."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memgraph_svc.cli.common import console, data_option, from_home, json_option, port_option, print_json, say, settings
from memgraph_svc.cli.status import look
from memgraph_svc.config import Settings
from memgraph_svc.errors.start import ConfigError, DataFolderBusy

if TYPE_CHECKING:
    from memgraph_svc.embedded.server import EmbeddedServer

_LOOK_S = 0.3


@click.group()
def neo4j() -> None:
    """Start, stop or look at only the embedded Neo4j, without the API.

    \b
    Example:
      memgraph-svc neo4j start && memgraph-svc serve
    """


@neo4j.command()
@data_option
@port_option("--bolt-port", "Bolt port", "MEMGRAPH_BOLT_PORT, else 7687")
@port_option("--browser-port", "Port of Neo4j Browser", "MEMGRAPH_BROWSER_PORT, else 7474")
def start(data: str | None, bolt_port: int | None, browser_port: int | None) -> None:
    """Start the server in the background; returns once it answers.

    \b
    Example:
      memgraph-svc neo4j start --data ./memory --bolt-port 0 --browser-port 0
    """
    from memgraph_svc.embedded.stack import pick_ports  # noqa: PLC0415  help needs none of the [local] packages

    asked = pick_ports(settings(data, bolt_port=bolt_port, browser_port=browser_port))
    server = _server(asked)
    found = server.start(say)
    folder = Path(asked.data_dir)
    out = console()
    out.print(f"Bolt           {found.uri} as {found.username}, password in {from_home(folder / 'neo4j-password')}")
    out.print(f"Neo4j Browser  http://127.0.0.1:{asked.browser_port}/browser/")


@neo4j.command()
@data_option
def stop(data: str | None) -> None:
    """Stop the server in good order; does nothing when it does not run.

    \b
    Example:
      memgraph-svc neo4j stop --data ./memory
    """
    from memgraph_svc.embedded.stack import find  # noqa: PLC0415  as above

    asked = settings(data)
    if find(Path(asked.data_dir)) is not None:
        raise DataFolderBusy("A stack runs on this folder and would start it again; use 'memgraph-svc down'.")
    click.echo("Stopped." if _server(asked).stop() else f"No Neo4j runs on {asked.data_dir}.")


@neo4j.command()
@data_option
@json_option
@click.pass_context
def status(ctx: click.Context, data: str | None, as_json: bool) -> None:
    """Show whether the server runs, and where; ends with 1 when it does not.

    \b
    Example:
      memgraph-svc neo4j status --json
    """
    asked = settings(data)
    found = look(Path(asked.data_dir), asked.bolt_port, asked.browser_port)["neo4j"]
    if as_json:
        print_json(found)
    elif found.get("running"):
        click.echo(f"{found['uri']}  process {found['pid']}\n{found['browser']}")
    else:
        click.echo(f"No embedded Neo4j runs on {asked.data_dir}.")
    ctx.exit(0 if found.get("running") else 1)


@neo4j.command()
@click.option("--follow", "-f", is_flag=True, help="Go on printing until Ctrl-C.")
@click.option("--lines", "-n", default=40, show_default=True, help="How many of the last lines to print.")
@data_option
def logs(follow: bool, lines: int, data: str | None) -> None:
    """Print what the server printed.

    \b
    Examples:
      memgraph-svc neo4j logs -n 100
      memgraph-svc neo4j logs -f
    """
    path = _server(settings(data)).log_file
    if not path.exists():
        raise ConfigError(f"No Neo4j was started here yet: {path} is not there.")
    with path.open(encoding="utf-8", errors="replace") as source:
        for line in deque(source, maxlen=lines):
            click.echo(line, nl=False)
        while follow:
            if line := source.readline():
                click.echo(line, nl=False)
            else:
                time.sleep(_LOOK_S)


def _server(asked: Settings) -> EmbeddedServer:
    from memgraph_svc.embedded.stack import embedded_server  # noqa: PLC0415  as above

    return embedded_server(asked)
