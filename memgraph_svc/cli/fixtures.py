"""memgraph-svc import: objects exactly as given, for suites."""

from __future__ import annotations

import json
from typing import IO, Any, cast

import click

from memgraph_svc import app
from memgraph_svc.cli.common import data_option, json_option, print_json, settings
from memgraph_svc.embedded.connect import resolve
from memgraph_svc.errors.request import InvalidRequest


@click.command(name="import")
@click.option(
    "--fixtures",
    "source",
    type=click.File("rb"),
    required=True,
    metavar="FILE",
    help="JSON document with the objects; - reads standard input.",
)
@data_option
@json_option
def import_(source: IO[bytes], data: str | None, as_json: bool) -> None:
    """Load objects into the database exactly as given; for tests only, and only with MEMGRAPH_ALLOW_FIXTURES=1.

    \b
    Example:
      MEMGRAPH_ALLOW_FIXTURES=1 memgraph-svc import --fixtures - <fixtures.json
    """
    loaded = app.import_fixtures(resolve(settings(data)), _read(source))
    if as_json:
        print_json({"loaded": loaded})
    else:
        click.echo(f"{loaded} objects loaded.")


def _read(source: IO[bytes]) -> dict[str, Any]:
    try:
        found: object = json.loads(source.read())
    except ValueError as cause:
        raise InvalidRequest(f"The fixtures are no JSON: {cause}.") from cause
    if not isinstance(found, dict):
        raise InvalidRequest("The fixtures must be one JSON object.")
    return cast("dict[str, Any]", found)
