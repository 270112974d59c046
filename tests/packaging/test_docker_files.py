"""The container files, judged without Docker.

The image runs as its own user, from pinned bases, out of files that exist and suffice to build the package. The compose
file starts what it says, keeps data in volumes, publishes on loopback only, and holds no secret.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from memgraph_svc.config import Settings
from memgraph_svc.jobs.worker import GRACE_S
from tests.packaging.wheels import ROOT, build_wheel, names_in

SECRET_NAMES = re.compile(r"PASSWORD|TOKEN|SECRET|AUTH|KEY")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as (instruction, arguments), continued lines joined, comments left out."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0].upper(), line.split(None, 1)[1]) for line in lines]


def final_stage() -> list[tuple[str, str]]:
    steps = instructions()
    last = max(number for number, (name, _) in enumerate(steps) if name == "FROM")
    return steps[last:]


def copied_from_context() -> list[str]:
    """Every path that a COPY takes out of this folder."""
    found: list[str] = []
    for name, rest in instructions():
        if name in {"COPY", "ADD"} and "--from=" not in rest:
            found += [part for part in rest.split()[:-1] if not part.startswith("--")]
    return found


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))


def test_bases_are_pinned() -> None:
    for name, rest in instructions():
        if name == "FROM":
            image, _, tag = rest.split()[0].partition(":")
            assert re.match(r"\d+\.\d+", tag), f"{image} needs a version, not '{tag or 'latest'}'"


def test_the_image_does_not_run_as_root() -> None:
    users = [rest for name, rest in final_stage() if name == "USER"]
    assert users, "the last stage needs a USER"
    assert users[-1] not in {"root", "0"}


def test_the_image_says_whether_it_is_ready() -> None:
    checks = [rest for name, rest in final_stage() if name == "HEALTHCHECK"]
    assert len(checks) == 1
    assert "/health/ready" in checks[0]


def test_the_image_is_built_in_stages_and_starts_gunicorn() -> None:
    assert sum(name == "FROM" for name, _ in instructions()) > 1
    assert [rest for name, rest in final_stage() if name == "CMD"] == [
        '["gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", "memgraph_svc.wsgi:app"]'
    ]


def test_what_is_copied_exists_and_is_let_through() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for path in copied_from_context():
        assert (ROOT / path).exists(), path
        assert path in allowed, f".dockerignore keeps {path} out"


def test_what_is_copied_suffices_to_build_the_package(tmp_path: Path) -> None:
    """The wheel built from the image's files is the wheel built from the checkout."""
    context = tmp_path / "context"
    context.mkdir()
    for path in copied_from_context():
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, context / path, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / path, context / path)
    built = names_in(build_wheel(context, tmp_path / "dist"))
    assert {"memgraph_svc/wsgi.py", "memgraph_svc/gunicorn_conf.py"} <= built
    assert any(name.startswith("memgraph_svc/cypher/schema/") for name in built)


@pytest.mark.parametrize("service", ["neo4j", "api"])
def test_services_are_healthy_restarted_and_kept_to_this_machine(service: str) -> None:
    about = compose()["services"][service]
    assert about["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert about["restart"] == "unless-stopped"
    for port in about["ports"]:
        assert port.startswith("127.0.0.1:"), f"{port} is open to the network"


def test_images_are_pinned() -> None:
    for name, about in compose()["services"].items():
        tag = about["image"].partition(":")[2]
        assert re.match(r"\d+\.\d+", tag), f"{name}: {about['image']}"
    assert compose()["services"]["neo4j"]["image"] == "neo4j:2026.08.1"


def test_data_lives_in_named_volumes() -> None:
    made = compose()
    for service, folder in (("neo4j", "/data"), ("api", "/var/lib/memgraph")):
        mounted = dict(volume.split(":")[:2] for volume in made["services"][service]["volumes"])
        by_folder = {target: source for source, target in mounted.items()}
        assert by_folder[folder] in made["volumes"]


@pytest.mark.parametrize("service", ["api", "worker"])
def test_what_uses_the_database_waits_for_it(service: str) -> None:
    assert compose()["services"][service]["depends_on"]["neo4j"]["condition"] == "service_healthy"


def test_the_worker_is_of_the_same_image_and_can_finish() -> None:
    made = compose()["services"]
    assert made["worker"]["image"] == made["api"]["image"]
    assert made["worker"]["command"] == ["memgraph-svc", "worker"]
    assert int(made["worker"]["stop_grace_period"].removesuffix("s")) > GRACE_S
    # The check of the image asks an API, which a worker is not.
    assert made["worker"]["healthcheck"] == {"disable": True}
    assert "ports" not in made["worker"]


def test_secrets_are_asked_for_and_never_written_down() -> None:
    for name, about in compose()["services"].items():
        for key, value in about["environment"].items():
            if SECRET_NAMES.search(key):
                assert re.fullmatch(r"(neo4j/)?\$\{[A-Z0-9_]+:\?[^}]+\}", str(value)), f"{name}: {key}={value}"


def test_the_example_file_names_every_required_variable_without_a_value() -> None:
    required = set(re.findall(r"\$\{([A-Z0-9_]+):\?", (ROOT / "docker-compose.yml").read_text("utf-8")))
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(given) == required
    assert set(given.values()) == {""}


def test_every_setting_handed_over_exists() -> None:
    known = {item.metadata["env"] for item in Settings.__dataclass_fields__.values()}
    image = {part.split("=")[0] for name, rest in final_stage() if name == "ENV" for part in rest.split()}
    image = {name for name in image if name.startswith("MEMGRAPH_")}
    handed = {name for service in ("api", "worker") for name in compose()["services"][service]["environment"]}
    assert handed | image <= known


def has_compose() -> bool:
    return (
        shutil.which("docker") is not None
        and not subprocess.run(["docker", "compose", "version"], check=False, capture_output=True).returncode
    )


# Where docker is not at hand, the tests above judge the file; this one is then not there, rather than skipped.
if has_compose():

    def test_docker_agrees(tmp_path: Path) -> None:
        env = tmp_path / "env"
        env.write_text("NEO4J_PASSWORD=only-for-this-test\nMEMGRAPH_API_TOKEN=only-for-this-test\n")
        command = ["docker", "compose", "--env-file", str(env), "config", "--quiet"]
        subprocess.run(command, cwd=ROOT, check=True, timeout=60)
