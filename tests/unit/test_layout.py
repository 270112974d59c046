"""The house rules that a machine can check.

Modules stay under 250 lines and functions under 40; ``__init__.py`` files are empty; only the catalogue vouches for
query text; no tracked file names a person's folder, a package registry or a secret.
"""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("memgraph_svc", "scripts") for path in (ROOT / folder).rglob("*.py"))
MODULE_LINES = 250
FUNCTION_LINES = 40

# Longer than the rule on purpose. Each entry says why; an entry that is no longer needed fails.
LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}

# Query text comes from files, through one module. Nothing else may promise that a string is a literal.
VOUCHES_FOR_QUERY_TEXT = {"memgraph_svc/graph/catalogue.py"}

# Built from parts, so that this file does not hold what it looks for.
FORBIDDEN = {
    "a person's folder": re.compile(r"/(?:home|Users)/(?!(?:memgraph|someone)\b)\w+|/" + r"root/|/" + r"work/"),
    "a package registry": re.compile(
        "|".join(("pypi" + r"\.org", "registry" + r"\.npmjs", "files\\.python" + "hosted"))
    ),
    "a private key": re.compile("-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE " + "KEY"),
    "a cloud or forge key": re.compile(r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|sk-[A-Za-z0-9]{32,})\b"),
}


class Function(NamedTuple):
    """Where a function stands and how long it is."""

    name: str
    lines: int


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tracked_files() -> list[Path]:
    """What is, or on the next commit would be, part of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def functions(path: Path) -> list[Function]:
    """Every function of the module; its docstring and decorators do not count as length."""
    found: list[Function] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            documented = ast.get_docstring(node) is not None
            first = node.body[0]
            doc_lines = (first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0
            found.append(Function(f"{relative(path)}::{node.name}", node.end_lineno - node.lineno + 1 - doc_lines))
    return found


def test_modules_are_short() -> None:
    lines = {relative(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    long = {name: count for name, count in lines.items() if count >= MODULE_LINES}
    assert set(long) == set(LONG_MODULES), f"modules of {MODULE_LINES} lines or more: {long}"


def test_functions_are_short() -> None:
    long = {found.name: found.lines for path in MODULES for found in functions(path) if found.lines >= FUNCTION_LINES}
    assert set(long) == set(LONG_FUNCTIONS), f"functions of {FUNCTION_LINES} lines or more: {long}"


def test_init_files_are_empty() -> None:
    full = [
        relative(path)
        for path in (ROOT / "memgraph_svc").rglob("__init__.py")
        if path.parent.name != "memgraph_svc" and path.read_text("utf-8").strip()
    ]
    assert full == []


def test_every_module_opens_with_what_it_is_for() -> None:
    silent = [
        relative(path)
        for path in MODULES
        if path.name != "__init__.py" and ast.get_docstring(ast.parse(path.read_text("utf-8"))) is None
    ]
    assert silent == []


def test_only_the_catalogue_vouches_for_query_text() -> None:
    """Pyright refuses a built string where a LiteralString is asked for, unless it is cast or ignored."""
    loophole = re.compile(r"""cast\(\s*["']?(?:typing\.)?LiteralString|#\s*(?:type|pyright):\s*ignore(?!\[)""")
    vouching = {relative(path) for path in MODULES if loophole.search(path.read_text("utf-8"))}
    assert vouching - VOUCHES_FOR_QUERY_TEXT == set()


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    found: list[str] = []
    for path in tracked_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        hits = [number for number, line in enumerate(text.splitlines(), 1) if FORBIDDEN[what].search(line)]
        found += [f"{relative(path)}:{number}" for number in hits]
    assert found == [], f"{what} in {found}"
