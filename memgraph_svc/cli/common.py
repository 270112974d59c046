"""What several commands share: their options, the settings made from them, and how they write."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from memgraph_svc.config import Settings, load

_PLAIN_WIDTH = 120
_MOST_PORT = 65_535
F = TypeVar("F", bound=Callable[..., Any])


def data_option(command: F) -> F:
    """``--data``, the data folder."""
    made = click.option(
        "--data",
        metavar="DIR",
        help="Data folder; default MEMGRAPH_DATA_DIR, else the platform's folder for user data.",
    )
    return made(command)


def json_option(command: F) -> F:
    """``--json``, for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def port_option(name: str, meaning: str, variable: str) -> Callable[[F], F]:
    """An option for a port; 0 picks a free one."""
    kind = click.IntRange(0, _MOST_PORT)
    return click.option(name, type=kind, metavar="N", help=f"{meaning}; 0 picks a free one. Default {variable}.")


def settings(data: str | None = None, **changed: Any) -> Settings:
    """The settings, with what the options say in place of the environment; an option not given changes nothing."""
    found = load()
    given = {name: value for name, value in changed.items() if value is not None}
    folder = Path(data or found.data_dir).expanduser().absolute()
    return replace(found, data_dir=str(folder), **given)


def console(*, stderr: bool = False) -> Console:
    """Where to write: colours and the terminal's width on a terminal, plain lines elsewhere."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else _PLAIN_WIDTH)


def say(line: str) -> None:
    """A line about what is happening, on standard error, so that it never mixes with output."""
    click.echo(line, err=True)


def print_json(shape: Any) -> None:
    """Print a value for programs."""
    click.echo(json.dumps(shape, ensure_ascii=False, indent=2))


def from_home(path: Path) -> str:
    """A path as a person writes it, from the home folder where it lies below that."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        return str(path)
