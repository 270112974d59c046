"""memgraph-svc demo: a conversation goes in; a query, a context and the memory index come out."""

from __future__ import annotations

import json
import secrets
import sys
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from memgraph_svc.demo.client import Api, DemoError
from memgraph_svc.demo.load import Loaded, conversation, load
from memgraph_svc.demo.tour import QUESTION, TASK, Tour, tour
from memgraph_svc.model.content import one_line

_PLAIN_WIDTH = 100
_WIDEST = 110
_BAR = 24
_EXCERPT, _NAME = 400, 20


@click.command()
@click.option("--url", default="http://127.0.0.1:8787", show_default=True, help="Address of a running API.")
@click.option("--tenant", default="demo", show_default=True, help="Tenant to load into.")
@click.option("--namespace", default="demo", show_default=True, help="Namespace to load into.")
@click.option("--fresh", is_flag=True, help="Load into a new namespace, named after --namespace.")
@click.option("--token", envvar="MEMGRAPH_API_TOKEN", help="Bearer token, when the API asks for one.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON document.")
def demo(url: str, tenant: str, namespace: str, fresh: bool, token: str | None, as_json: bool) -> None:
    """Load a small conversation and show what the service makes of it.

    Six talks over four months: a move, a changed habit, a date two people disagree on. Loading it again into the same
    namespace stores nothing twice.
    """
    scope = {"tenantId": tenant, "namespaceId": f"{namespace}-{secrets.token_hex(3)}" if fresh else namespace}
    try:
        api = Api(url, token)
        if as_json:
            loaded = load(api, scope)
            shape = {"url": api.url, "scope": scope, "loaded": loaded.wire(), **tour(api, scope).wire()}
            click.echo(json.dumps(shape, ensure_ascii=False, indent=2))
            return
        console = _console()
        _head(console, api, scope)
        loaded = _load(console, api, scope)
        _show(console, loaded, tour(api, scope))
        _foot(console, api, scope)
    except DemoError as error:
        raise click.ClickException(str(error)) from None


def _console() -> Console:
    # Not on a terminal: no colour, and a width that does not depend on who redirects where.
    if not sys.stdout.isatty():
        return Console(width=_PLAIN_WIDTH, highlight=False)
    console = Console(highlight=False)
    return console if console.width <= _WIDEST else Console(width=_WIDEST, highlight=False)


def _head(console: Console, api: Api, scope: dict[str, str]) -> None:
    console.print()
    console.print(Text.assemble(("memgraph-svc demo", "bold"), f"   {api.url}   ", (_place(scope), "cyan")))


def _place(scope: dict[str, str]) -> str:
    return f"{scope['tenantId']} / {scope['namespaceId']}"


def _load(console: Console, api: Api, scope: dict[str, str]) -> Loaded:
    told = conversation()
    bar = Progress(
        TextColumn("  loading"),
        BarColumn(bar_width=_BAR),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("load", total=len(told.turns) + len(told.notes))
        return load(api, scope, lambda more: bar.advance(task, more))


def _show(console: Console, loaded: Loaded, seen: Tour) -> None:
    _section(console, "1", "What went in", _loaded(loaded))
    _section(console, "2", f"Query: {QUESTION}", _hits(seen))
    _section(console, "3", "Working context", _context(seen.context))
    _section(console, "4", "Memory index", _index(seen.index))


def _section(console: Console, number: str, title: str, body: RenderableType) -> None:
    console.print()
    console.print(Text.assemble((f" {number} ", "bold reverse"), " ", (title, "bold")))
    console.print(Padding(body, (0, 0, 0, 2)))


def _loaded(loaded: Loaded) -> RenderableType:
    told = conversation()
    days = f"{told.turns[0]['at'][:10]} to {told.turns[-1]['at'][:10]}"
    new = f"{loaded.new_turns} turns and {loaded.new_notes} notes are new"
    if not loaded.new_turns and not loaded.new_notes:
        new = "all of it was here already, nothing was stored twice"
    moments = Table.grid(padding=(0, 2))
    moments.add_column(style="cyan", justify="right")
    moments.add_column()
    for speaker, text in _moments():
        moments.add_row(speaker, Text(text))
    lines = [
        Text(f"{loaded.turns} turns in {loaded.sessions} sessions, {days}; {loaded.notes} notes saved on the way"),
        Text(new, "dim"),
    ]
    return Group(*lines, Text(""), moments)


def _moments() -> list[tuple[str, str]]:
    """The three turns on which the rest of the demo turns."""
    marks = ("I live in Porto", "The lease does not start", "I live in Ghent now")
    turns = conversation().turns
    return [(turn["speaker"], turn["text"]) for mark in marks for turn in turns if mark in turn["text"]]


def _hits(seen: Tour) -> RenderableType:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True)
    table.add_column("score", justify="right", style="green")
    table.add_column("kind", style="magenta")
    table.add_column("date", style="dim", no_wrap=True)
    table.add_column("by", style="cyan")
    table.add_column("text, fetched by hydrate", ratio=1)
    for hit in seen.hits:
        table.add_row(f"{hit.score:.3f}", hit.kind, hit.day, Text(hit.who), Text(one_line(hit.text, _EXCERPT)))
    return table if seen.hits else Text("nothing found", "yellow")


def _context(context: dict[str, Any]) -> RenderableType:
    budget = context["budget"]
    usable = budget["maxTokens"] - budget.get("reservedTokens", 0)
    parts: list[RenderableType] = [
        Text(f"Task: {TASK}", "italic"),
        _meter(context["tokenEstimate"], usable, "tokens", " (cut to fit)" if context["truncated"] else ""),
    ]
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True)
    table.add_column("segment", ratio=1)
    table.add_column("source", no_wrap=True)
    for segment in context["segments"]:
        table.add_row(Text(one_line(segment["content"], _EXCERPT)), _source(segment))
    warned = [Text(f"! {each['code']}: {each.get('message', '')}", "yellow") for each in context["warnings"]]
    return Group(*parts, table, *warned)


def _source(segment: dict[str, Any]) -> Text:
    ref, provenance = segment["ref"], segment["provenance"]
    when = str(segment.get("occurredAt") or provenance.get("createdAt") or "")[:10]
    who = one_line(str(provenance.get("producedBy") or ""), _NAME)
    return Text.assemble((f"{who} ", "cyan"), f"{when}  {ref['type']} …{ref['id'][-6:]}")


def _index(index: dict[str, Any]) -> RenderableType:
    lines = [
        Text("This text goes into a system prompt; it changes only when a note does.", "italic"),
        Text.assemble(
            "hash ", (index["hash"], "bold green"), f"   {index['noteCount']} notes, {index['pinnedCount']} pinned"
        ),
        _meter(index["bytes"], index["budgetBytes"], "bytes"),
        Text(""),
        *(Text(line, _style_of(line)) for line in index["text"].split("\n")),
    ]
    return Group(*lines)


def _style_of(line: str) -> str:
    if line.startswith(("<MEMORY[", "</MEMORY[")):
        return "magenta"
    return "bold cyan" if line.startswith("## ") else ""


def _meter(used: int, most: int, unit: str, note: str = "") -> Text:
    filled = min(_BAR, round(_BAR * used / most)) if most > 0 else _BAR
    return Text.assemble(("█" * filled, "green"), ("░" * (_BAR - filled), "dim"), f" {used:,} of {most:,} {unit}{note}")


def _foot(console: Console, api: Api, scope: dict[str, str]) -> None:
    named = json.dumps(scope["namespaceId"])
    query = f"MATCH (a:Atom {{namespaceId: {named}}})-[r]-(n:Memory|Topic) RETURN a, r, n LIMIT 100"
    lines = Group(
        Text.assemble("Every route, to try out:  ", (f"{api.url}/docs", "cyan")),
        Text.assemble("In Neo4j Browser:         ", (query, "cyan")),
        Text.assemble("The same as JSON:         ", ("memgraph-svc demo --json", "cyan")),
    )
    _section(console, "→", "Look around", lines)
    console.print()
