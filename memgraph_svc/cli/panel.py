"""What a person sees once a stack serves: where everything is."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from memgraph_svc.cli.common import from_home
from memgraph_svc.embedded.server import USER
from memgraph_svc.embedded.state import StackState


def show(console: Console, found: StackState, data_dir: Path, *, detached: bool) -> None:
    """Print the panel; plain lines when nobody looks at a terminal."""
    rows = lines(found, data_dir, detached=detached)
    if not console.is_terminal:
        for name, value in rows:
            console.print(Text(f"{name:<14}{value}"), soft_wrap=True)
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, Text(value, "cyan" if "://" in value else ""))
    console.print(Panel(table, title="memgraph-svc is up", border_style="green", expand=False, padding=(1, 2)))


def lines(found: StackState, data_dir: Path, *, detached: bool) -> list[tuple[str, str]]:
    """The rows of the panel."""
    rows = [("API", found.api_url), ("Swagger", f"{found.api_url}/docs")]
    if found.embedded:
        password = from_home(data_dir / "neo4j-password")
        rows += [
            ("Neo4j Browser", found.browser_url),
            ("", f"connect to {found.bolt_uri} as {USER}, password in {password}"),
        ]
    else:
        rows.append(("Neo4j", found.bolt_uri))
    rows += [("Data", from_home(data_dir)), ("Logs", from_home(data_dir / "logs"))]
    rows.append(("Stop", f"memgraph-svc down --data {from_home(data_dir)}" if detached else "Ctrl-C"))
    return rows
