"""Every example of the README and the documentation does what it says, against a real stack."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.snippets import Block, blocks, matches, run

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = {page.relative_to(ROOT).as_posix(): found for page in PAGES if (found := blocks(page.read_text("utf-8")))}
PROGRAMS = Path(sys.executable).parent


class Stack(NamedTuple):
    """A service of its own for the examples."""

    url: str
    env: dict[str, str]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    data, port = tmp_path_factory.mktemp("data"), free_port()
    env = {key: value for key, value in os.environ.items() if not key.startswith(("MEMGRAPH_", "NEO4J_"))}
    env |= {
        "PATH": f"{PROGRAMS}{os.pathsep}{env['PATH']}",
        "MEMGRAPH_DATA_DIR": str(data),
        "MEMGRAPH_PORT": str(port),
    }
    up = ["memgraph-svc", "up", "--detach", "--data", data, "--port", str(port), "--bolt-port", "0"]
    started = subprocess.run(
        [*up, "--browser-port", "0"], env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert started.returncode == 0, started.stdout + started.stderr
    try:
        yield Stack(f"http://127.0.0.1:{port}", env)
    finally:
        subprocess.run(["memgraph-svc", "down", "--data", data], env=env, check=True, timeout=120)


def test_the_readme_has_an_example_that_runs() -> None:
    assert "README.md" in RUNNABLE


@pytest.mark.parametrize("page", RUNNABLE)
def test_examples_do_what_they_say(page: str, stack: Stack, tmp_path: Path) -> None:
    for ran in run(RUNNABLE[page], stack.url, tmp_path, stack.env):
        where = f"{page}:{ran.block.line}"
        assert ran.finished, f"{where} failed:\n{ran.output}"
        if ran.block.expected is not None:
            assert matches(ran.block.expected, ran.output), f"{where} printed:\n{ran.output}"


# --- the runner itself --------------------------------------------------------------------------------------------


def test_only_sh_blocks_run_and_console_belongs_to_the_one_before() -> None:
    page = (
        "```bash\nmake run\n```\n\n```sh\necho 1\n```\n```console\n1\n```\n```console\nshown\n```\n```sh\necho 2\n```\n"
    )
    assert blocks(page) == [Block(5, "echo 1\n", "1\n"), Block(14, "echo 2\n", None)]


@pytest.mark.parametrize(
    ("expected", "actual", "fits"),
    [
        ("a\nb", "a\nb\n", True),
        ("a   b", "a b", True),
        ("a\nb", "a", False),
        ("a", "a\nb", False),
        ("id: ep_...", "id: ep_01", True),
        ("id: ep_…, x", "id: ep_01, x", True),
        ("first\n...\nlast", "first\n1\n2\nlast", True),
        ("first\n...\nlast", "first\nlast", True),
        ("first\n...\nlast", "first\n1", False),
        ("a.c", "abc", False),
    ],
)
def test_output_is_compared_loosely(expected: str, actual: str, fits: bool) -> None:
    assert matches(expected, actual) is fits


def test_blocks_share_a_shell_and_the_address_is_the_stack_s(tmp_path: Path) -> None:
    page = [Block(1, "name=x\n", None), Block(2, "echo $name http://localhost:8787/v0\n", None)]
    done = list(run(page, "http://127.0.0.1:1", tmp_path, os.environ))
    assert [ran.output.strip() for ran in done] == ["", "x http://127.0.0.1:1/v0"]


def test_a_failing_block_ends_the_page(tmp_path: Path) -> None:
    page = [Block(1, "echo before\nfalse\necho after\n", None), Block(2, "echo never\n", None)]
    (only,) = run(page, "", tmp_path, os.environ)
    assert (only.output, only.finished) == ("before\n", False)


def test_a_block_cannot_eat_the_rest_of_the_page(tmp_path: Path) -> None:
    page = [Block(1, "cat\n", None), Block(2, "echo still here\n", None)]
    assert [ran.finished for ran in run(page, "", tmp_path, os.environ)] == [True, True]
