"""memgraph-svc status: what runs on a data folder, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from memgraph_svc.cli.common import console, data_option, json_option, print_json, settings


@click.command()
@data_option
@json_option
@click.pass_context
def status(ctx: click.Context, data: str | None, as_json: bool) -> None:
    """Show what runs on a data folder, and where; ends with 1 when nothing serves.

    \b
    Examples:
      memgraph-svc status
      memgraph-svc status --json --data ./memory
    """
    asked = settings(data)
    found = look(Path(asked.data_dir), asked.bolt_port, asked.browser_port)
    if as_json:
        print_json(found)
    else:
        _show(found)
    ctx.exit(0 if found["running"] and found["api"]["ready"] else 1)


def look(data_dir: Path, bolt_port: int, browser_port: int) -> dict[str, Any]:
    """What runs on the data folder, as data."""
    from memgraph_svc.embedded import stack  # noqa: PLC0415  help needs none of the [local] packages
    from memgraph_svc.embedded.ready import ask_ready  # noqa: PLC0415
    from memgraph_svc.embedded.server import EmbeddedServer  # noqa: PLC0415

    server = EmbeddedServer(data_dir, bolt_port, browser_port)
    pid, noted = server.pid(), server.state()
    neo4j: dict[str, Any] = {"embedded": True, "running": pid is not None, "pid": pid}
    if pid is not None:
        browser = f"http://127.0.0.1:{noted.get('httpPort')}/browser/"
        neo4j |= {"uri": server.connection().uri, "browser": browser}
    found = stack.find(data_dir)
    if found is None:
        return {"running": False, "dataDir": str(data_dir), "neo4j": neo4j}
    if not found.embedded:
        neo4j = {"embedded": False, "uri": found.bolt_uri}
    answer = ask_ready(found.api_url)
    api: dict[str, Any] = {"url": found.api_url, "docs": f"{found.api_url}/docs", "ready": bool(answer.get("ready"))}
    if answer.get("message"):
        api["reason"] = answer["message"]
    processes = {name: mark.pid for name, mark in found.children.items() if mark.process()}
    return {
        "running": True,
        "dataDir": str(data_dir),
        "api": api,
        "neo4j": neo4j,
        "processes": {"supervisor": found.supervisor.pid, **processes},
    }


def _show(found: dict[str, Any]) -> None:
    out = console()
    neo4j = found["neo4j"]
    if found["running"]:
        api = found["api"]
        state = "[green]ready[/]" if api["ready"] else f"[yellow]not ready[/] {api.get('reason', '')}"
        out.print(f"API            {api['url']}  {state}", soft_wrap=True)
        out.print(f"Swagger        {api['docs']}", soft_wrap=True)
    else:
        out.print("API            [yellow]not running[/]; start it with 'memgraph-svc up'")
    if neo4j["embedded"]:
        where = f"{neo4j['uri']}  process {neo4j['pid']}" if neo4j["running"] else "[yellow]not running[/]"
        out.print(f"Neo4j          {where}", soft_wrap=True)
        if neo4j["running"]:
            out.print(f"Neo4j Browser  {neo4j['browser']}", soft_wrap=True)
    else:
        out.print(f"Neo4j          {neo4j['uri']}", soft_wrap=True)
    if found["running"]:
        out.print(
            f"Processes      {', '.join(f'{name} {pid}' for name, pid in found['processes'].items())}", soft_wrap=True
        )
    out.print(f"Data           {found['dataDir']}", soft_wrap=True)
