"""What a newcomer and a forge run: make, the hooks, the workflow, the scripts."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.packaging.wheels import ROOT, run

SCRIPTS = [".ci/run", "scripts/suites.sh"]


def make_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text("utf-8")
    return {name for line in re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE) for name in line.split()}


def test_make_alone_explains_every_target() -> None:
    listing = run("make", "--no-print-directory", cwd=ROOT)
    shown = {line.split()[0].replace("\x1b[36m", "") for line in listing.splitlines()}
    assert shown == make_targets()


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_programs_that_bash_can_read(script: str) -> None:
    path = ROOT / script
    assert os.access(path, os.X_OK)
    assert "set -euo pipefail" in path.read_text("utf-8")
    run("bash", "-n", path)


def test_the_checks_of_a_clone_include_every_static_check_and_the_readme_s_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    checks = re.search(r"^check: ([a-z -]+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert checks is not None
    for target in [*checks[1].split(), "suites", "test"]:
        assert f"make {target}" in script, target


def test_the_workflow_has_the_least_rights_and_pinned_actions() -> None:
    path = ROOT / ".github" / "workflows" / "ci.yml"
    flow = yaml.safe_load(path.read_text("utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    used = re.findall(r"uses: (\S+)", path.read_text("utf-8"))
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


def test_the_workflow_covers_every_python_of_the_classifiers() -> None:
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    promised = [name.rsplit(" ", 1)[1] for name in about["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert flow["jobs"]["unit"]["strategy"]["matrix"]["python"] == promised
    assert about["requires-python"] == f">={promised[0]}"


def test_the_workflow_runs_make_targets_that_exist() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    assert set(re.findall(r"run: make ([a-z-]+)", text)) <= make_targets()


def test_hooks_use_tools_of_the_environment_only() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repo["repo"] for repo in hooks["repos"]] == ["local"]
    for hook in hooks["repos"][0]["hooks"]:
        assert hook["entry"].startswith(".venv/bin/"), hook["id"]


def test_the_released_version_is_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    assert compose["services"]["api"]["image"] == f"memgraph-svc:{version}"


def outside_make() -> dict[str, str]:
    """The environment without what a make around this test run passes on."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


def test_make_uses_an_existing_environment_again(tmp_path: Path) -> None:
    """With stamps newer than pyproject.toml nothing is installed."""
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "pyproject.toml").touch()
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").touch()
    for stamp in (".pip-stamp", ".run-stamp", ".dev-stamp"):
        (tmp_path / ".venv" / stamp).touch()
    planned = subprocess.run(
        ["make", "--dry-run", "test"], cwd=tmp_path, env=outside_make(), capture_output=True, text=True, check=True
    )
    assert "pip install" not in planned.stdout
    os.utime(tmp_path / "pyproject.toml", (2**32, 2**32))
    planned = subprocess.run(
        ["make", "--dry-run", "test"], cwd=tmp_path, env=outside_make(), capture_output=True, text=True, check=True
    )
    assert "pip install" in planned.stdout
