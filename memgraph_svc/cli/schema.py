"""memgraph-svc migrate and queries: what the service keeps in the database, and what it asks of it."""

from __future__ import annotations

import re

import click
from rich.table import Table
from rich.text import Text

from memgraph_svc import app
from memgraph_svc.cli.common import console, data_option, json_option, print_json, settings
from memgraph_svc.embedded.connect import resolve
from memgraph_svc.graph import catalogue


@click.command()
@data_option
@json_option
def migrate(data: str | None, as_json: bool) -> None:
    """Apply the schema: constraints and indexes that are missing. The API does so at its start as well.

    \b
    Example:
      memgraph-svc migrate
    """
    applied = app.migrate(resolve(settings(data)))
    if as_json:
        print_json({"applied": applied})
        return
    for name in applied:
        click.echo(f"applied {name}")
    if not applied:
        click.echo("The schema is current; there was nothing to apply.")


@click.command()
@click.option("--check", is_flag=True, help="Only check every file against its head; needs no database.")
@json_option
def queries(check: bool, as_json: bool) -> None:
    """List every Cypher query the service can send: its name, its mode and what it is for.

    \b
    Examples:
      memgraph-svc queries
      memgraph-svc queries --check
    """
    found = catalogue.load()
    rows = [{"name": each.name, "mode": each.mode, "doc": first_sentence(each.doc)} for each in found.values()]
    if as_json:
        print_json({"count": len(rows)} if check else {"queries": rows})
    elif check:
        click.echo(f"{len(rows)} queries are well formed.")
    else:
        table = Table.grid(padding=(0, 2))
        for each in rows:
            table.add_row(Text(each["name"], "cyan"), each["mode"], Text(each["doc"]))
        console().print(table)


def first_sentence(doc: str) -> str:
    """The first sentence of a text, on one line."""
    return re.split(r"(?<=[.!?])\s", " ".join(doc.split()), maxsplit=1)[0]
