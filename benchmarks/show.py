"""Show what was found: a table in the terminal, and the same in the documentation.

In: reports. Out: text. The page keeps its prose; only what stands between the two markers is replaced.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.results import Figure, Report, reports

PAGE = Path(__file__).resolve().parents[1] / "docs" / "explain" / "performance.md"
BEGIN, END = "<!-- figures: written by `python -m benchmarks --page` -->", "<!-- end of figures -->"
_HEAD = ("what", "measured", "floor", "ratio", "goal")


def number(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cells(figure: Figure) -> tuple[str, str, str, str, str]:
    """One line of a table."""
    floor = "" if figure.floor is None else f"{number(figure.floor)} ({figure.floor_name})"
    share = "" if figure.ratio is None else f"{figure.ratio:.2f} ×"
    verdict = {True: " met", False: " missed", None: ""}[figure.met]
    return figure.name, f"{number(figure.value)} {figure.unit}", floor, share, figure.goal + verdict


def terminal(console: Console, report: Report) -> None:
    """Print one report."""
    table = Table(title=f"{report.title} ({report.seconds:.0f} s)", title_justify="left", title_style="bold")
    for name in _HEAD:
        table.add_column(name, justify="left" if name in {"what", "floor"} else "right")
    table.add_column("note", style="dim")
    for figure in report.figures:
        colour = {True: "green", False: "red", None: ""}[figure.met]
        table.add_row(*cells(figure), figure.note, style=colour)
    console.print(table)
    if report.memory:
        console.print(
            "  resident memory: " + ", ".join(f"{name} {mib:,.0f} MiB" for name, mib in report.memory.items())
        )


def markdown(document: dict[str, Any]) -> str:
    """The figures of a run as the documentation shows them."""
    machine = document["machine"]
    where = f"{machine['cores']} cores and {machine['memoryGiB']} GiB"
    with_what = f"Python {machine['python']}, Neo4j {machine['neo4j']}, {machine['bolt']}"
    lines = [f"Measured on {document['date']} on {where}; {with_what}. All processes share the cores."]
    if document["quick"]:
        lines += ["", "**A quick run: it shows that the suite works, its figures are rough.**"]
    for report in reports(document):
        lines += ["", f"### {report.title}", "", "| " + " | ".join(_HEAD) + " |", "|" + " --- |" * len(_HEAD)]
        lines += ["| " + " | ".join(cells(figure)) + " |" for figure in report.figures]
        notes = list(dict.fromkeys(f"{figure.name}: {figure.note}" for figure in report.figures if figure.note))
        lines += ["", *(f"- {note}" for note in notes)] if notes else []
        if report.memory:
            held = ", ".join(f"{name} {mib:,.0f} MiB" for name, mib in report.memory.items())
            lines += ["", f"Resident memory at the end: {held}."]
    return "\n".join(lines)


def write_page(document: dict[str, Any], page: Path = PAGE) -> None:
    """Put the figures into the page; raises ``ValueError`` when its markers are gone."""
    text = page.read_text(encoding="utf-8")
    before, found, rest = text.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{page.name} has lost its markers")
    page.write_text(f"{before}{BEGIN}\n\n{markdown(document)}\n\n{END}{after}", encoding="utf-8")
