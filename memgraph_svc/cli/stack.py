"""memgraph-svc up, down, restart: the whole service on this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from memgraph_svc.app import check_exposure
from memgraph_svc.cli.common import console, data_option, port_option, say, settings


@click.command()
@click.option("--detach", "-d", is_flag=True, help="Run in the background; returns once everything serves.")
@data_option
@port_option("--port", "Port of the API", "MEMGRAPH_PORT, else 8787")
@click.option("--host", metavar="HOST", help="Address the API listens on. Default MEMGRAPH_HOST, else 127.0.0.1.")
@port_option("--bolt-port", "Bolt port of the embedded Neo4j", "MEMGRAPH_BOLT_PORT, else 7687")
@port_option("--browser-port", "Port of Neo4j Browser", "MEMGRAPH_BROWSER_PORT, else 7474")
def up(
    detach: bool, data: str | None, port: int | None, host: str | None, bolt_port: int | None, browser_port: int | None
) -> None:
    """Start Neo4j, the API and the worker, and keep them running.

    Neo4j is a server of its own that is downloaded at the first start (about 190 MB); with NEO4J_URI set, that server is
    used instead. Ctrl-C stops everything in good order; a second Ctrl-C kills.

    \b
    Examples:
      memgraph-svc up
      memgraph-svc up --detach --data ./memory --port 0 --bolt-port 0 --browser-port 0
    """
    from memgraph_svc.cli.panel import show  # noqa: PLC0415  help needs none of the [local] packages
    from memgraph_svc.embedded import control, stack  # noqa: PLC0415

    asked = settings(data, port=port, host=host, bolt_port=bolt_port, browser_port=browser_port)
    check_exposure(asked)
    folder = Path(asked.data_dir)
    if detach:
        show(console(), control.start_detached(asked, say, os.environ), folder, detached=True)
    else:
        out = console()
        stack.run(asked, _say_when, lambda found: show(out, found, folder, detached=not out.is_terminal))


@click.command()
@data_option
def down(data: str | None) -> None:
    """Stop the worker, the API and the embedded Neo4j of a data folder, in good order; does nothing when nothing runs.

    \b
    Example:
      memgraph-svc down --data ./memory
    """
    from memgraph_svc.embedded import control  # noqa: PLC0415  as above

    asked = settings(data)
    stopped = control.down(asked)
    click.echo("Stopped." if stopped else f"Nothing runs on {asked.data_dir}.")


@click.command()
@click.option("--hard", is_flag=True, help="Kill everything at once, as a power cut would, before the start.")
@data_option
def restart(hard: bool, data: str | None) -> None:
    """Stop, and start again in the background on the same data, with the ports and settings of the last start.

    Returns once everything serves again.

    \b
    Example:
      memgraph-svc restart --hard --data ./memory
    """
    from memgraph_svc.cli.panel import show  # noqa: PLC0415  as above
    from memgraph_svc.embedded import control  # noqa: PLC0415

    asked = settings(data)
    show(console(), control.restart(asked, say, hard=hard), Path(asked.data_dir), detached=True)


def _say_when(line: str) -> None:
    say(f"{time.strftime('%H:%M:%S')}  {line}")
