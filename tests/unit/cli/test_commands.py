"""Commands that need no server: what they print, and how they refuse."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memgraph_svc import app
from memgraph_svc.cli import serve as serving
from memgraph_svc.cli.common import from_home, settings
from memgraph_svc.cli.main import cli
from memgraph_svc.cli.panel import lines
from memgraph_svc.cli.schema import first_sentence
from memgraph_svc.config import Settings
from memgraph_svc.embedded import state
from memgraph_svc.embedded.state import Mark, StackState
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.errors.request import InvalidRequest
from memgraph_svc.errors.start import ConfigError, DataFolderBusy
from memgraph_svc.graph import catalogue


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("NEO4J_")]:
        monkeypatch.delenv(name)


def run(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, args, input=stdin)


def refused(made: Result, kind: type[ServiceError], words: str) -> None:
    assert isinstance(made.exception, kind), made.output
    assert words in made.exception.message


def stack(data: Path, port: int = 1) -> StackState:
    found = StackState(Mark.of(os.getpid()), "127.0.0.1", port, "bolt://127.0.0.1:2", True, 2, 3, True)
    state.write(data, found)
    return found


def test_queries_lists_all() -> None:
    made = json.loads(run("queries", "--json").stdout)["queries"]
    assert [each["name"] for each in made] == list(catalogue.load())
    assert all(each["mode"] in {"read", "write", "schema"} and each["doc"] for each in made)
    plain = run("queries").stdout
    assert all(each["name"] in plain for each in made)


def test_queries_check_reports_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(catalogue.load())
    assert run("queries", "--check").stdout == f"{count} queries are well formed.\n"
    assert json.loads(run("queries", "--check", "--json").stdout) == {"count": count}

    def broken() -> None:
        raise catalogue.BadQuery("cypher/a/b.cypher: a read must not write")

    monkeypatch.setattr(catalogue, "load", broken)
    refused(run("queries", "--check"), ConfigError, "cypher/a/b.cypher")


def test_first_sentence() -> None:
    assert first_sentence("One row\nper thing. And more.") == "One row per thing."
    assert first_sentence("No stop") == "No stop"


@pytest.mark.parametrize("command", [["migrate"], ["serve"], ["import", "--fixtures", "-"]])
def test_without_a_server_it_says_how_to_get_one(command: list[str], tmp_path: Path) -> None:
    refused(run(*command, "--data", str(tmp_path), stdin="{}"), ConfigError, "memgraph-svc up")


def test_migrate_prints_what_was_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:1")
    applied = ["001_scope", "002_text"]
    monkeypatch.setattr(app, "migrate", lambda found: applied if found.neo4j_uri == "bolt://elsewhere:1" else [])
    assert run("migrate").stdout == "applied 001_scope\napplied 002_text\n"
    assert json.loads(run("migrate", "--json").stdout) == {"applied": applied}
    applied.clear()
    assert "nothing to apply" in run("migrate").stdout


def test_import_reads_a_file_or_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:1")
    monkeypatch.setattr(app, "import_fixtures", lambda _, document: len(document["objects"]))
    (tmp_path / "a.json").write_text('{"objects": [1, 2]}')
    assert run("import", "--fixtures", str(tmp_path / "a.json")).stdout == "2 objects loaded.\n"
    assert json.loads(run("import", "--fixtures", "-", "--json", stdin='{"objects": [1]}').stdout) == {"loaded": 1}
    refused(run("import", "--fixtures", "-", stdin="{"), InvalidRequest, "are no JSON")
    refused(run("import", "--fixtures", "-", stdin="[]"), InvalidRequest, "one JSON object")


def test_import_is_off_unless_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:1")
    refused(run("import", "--fixtures", "-", stdin="{}"), ConfigError, "MEMGRAPH_ALLOW_FIXTURES")


def test_serve_becomes_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:1")
    seen: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr(serving.os, "execve", lambda _, command, env: seen.append((command, env)))
    assert run("serve", "--port", "4711").exit_code == 0
    command, env = seen[0]
    assert command[1:3] == ["-m", "gunicorn"]
    assert (env["NEO4J_URI"], env["MEMGRAPH_PORT"], env["MEMGRAPH_HOST"]) == ("bolt://elsewhere:1", "4711", "127.0.0.1")


@pytest.mark.parametrize("command", ["up", "serve"])
def test_nothing_listens_beyond_this_machine_without_a_token(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:1")
    refused(run(command, "--host", "0.0.0.0"), ConfigError, "MEMGRAPH_API_TOKEN")


def test_down_and_status_where_nothing_runs(tmp_path: Path) -> None:
    made = run("down", "--data", str(tmp_path))
    assert (made.exit_code, made.stdout) == (0, f"Nothing runs on {tmp_path}.\n")
    made = run("status", "--json", "--data", str(tmp_path))
    assert made.exit_code == 1
    assert json.loads(made.stdout)["running"] is False
    made = run("status", "--data", str(tmp_path))
    assert "memgraph-svc up" in made.stdout
    made = run("neo4j", "status", "--data", str(tmp_path))
    assert (made.exit_code, made.stdout) == (1, f"No embedded Neo4j runs on {tmp_path}.\n")
    assert run("neo4j", "stop", "--data", str(tmp_path)).stdout == f"No Neo4j runs on {tmp_path}.\n"


def test_restart_where_nothing_was_started(tmp_path: Path) -> None:
    refused(run("restart", "--data", str(tmp_path)), ConfigError, "memgraph-svc up")


@pytest.mark.parametrize("how", [[], ["--detach"]])
def test_a_second_up_names_the_first(how: list[str], tmp_path: Path) -> None:
    found = stack(tmp_path)
    made = run("up", *how, "--data", str(tmp_path))
    refused(made, DataFolderBusy, found.api_url)
    refused(made, DataFolderBusy, found.browser_url)


def test_neo4j_stop_leaves_a_stack_alone(tmp_path: Path) -> None:
    stack(tmp_path)
    refused(run("neo4j", "stop", "--data", str(tmp_path)), DataFolderBusy, "memgraph-svc down")


def test_neo4j_logs(tmp_path: Path) -> None:
    refused(run("neo4j", "logs", "--data", str(tmp_path)), ConfigError, "No Neo4j was started")
    log = tmp_path / "neo4j" / "logs" / "console.log"
    log.parent.mkdir(parents=True)
    log.write_text("one\ntwo\nthree\n")
    assert run("neo4j", "logs", "-n", "2", "--data", str(tmp_path)).stdout == "two\nthree\n"


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMGRAPH_PORT", "4000")
    monkeypatch.chdir(tmp_path)
    assert settings(port=None).port == 4000
    assert settings(port=4001).port == 4001
    assert settings("here").data_dir == str(tmp_path / "here")
    assert isinstance(settings(), Settings)


def test_the_panel_shows_where_everything_is_and_no_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    data = tmp_path / "memory"
    data.mkdir()
    (data / "neo4j-password").write_text("secret-word")
    rows = dict(lines(stack(data, 8787), data, detached=True))
    assert rows["API"] == "http://127.0.0.1:8787"
    assert rows["Swagger"] == "http://127.0.0.1:8787/docs"
    assert rows["Neo4j Browser"] == "http://127.0.0.1:3/browser/"
    assert "~/memory/neo4j-password" in rows[""]
    assert "bolt://127.0.0.1:2 as neo4j" in rows[""]
    assert rows["Stop"] == "memgraph-svc down --data ~/memory"
    assert "secret-word" not in str(rows)


def test_paths_outside_the_home_folder_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert from_home(Path("/srv/memory")) == "/srv/memory"
