"""The reference is complete and current: what the code offers stands in the documentation, and no link is dead."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

import memgraph_svc
from memgraph_svc.config import Settings
from memgraph_svc.errors.base import ServiceError
from scripts import gen_docs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^(`{3,}).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def reference(page: str) -> str:
    return (DOCS / "reference" / page).read_text("utf-8")


def headings(markdown: str) -> set[str]:
    return {line.lstrip("#").strip() for line in markdown.splitlines() if line.startswith("#")}


def anchors(markdown: str) -> set[str]:
    """The anchors a forge makes of the headings."""
    bare = re.sub(r"^(`{3,}).*?^\1", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings(bare)}


def pages() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split() if (ROOT / name).is_file()]


@pytest.mark.parametrize("page", gen_docs.PAGES)
def test_generated_pages_are_current(page: str) -> None:
    assert reference(page) == gen_docs.render(page), "run 'make docs'"


def test_every_setting_is_documented() -> None:
    rows = {line.split("|")[1].strip(" `") for line in reference("settings.md").splitlines() if line.startswith("| `")}
    assert rows == {item.metadata["env"] for item in fields(Settings)}


def test_every_error_code_is_documented() -> None:
    """Also the code of an error class that some other module adds."""
    for found in pkgutil.walk_packages(memgraph_svc.__path__, "memgraph_svc."):
        if found.name not in {"memgraph_svc.wsgi", "memgraph_svc.gunicorn_conf"}:  # importing these starts something
            importlib.import_module(found.name)
    waiting, codes = [ServiceError], set[str]()
    while waiting:
        kind = waiting.pop()
        codes.add(kind.code)
        waiting += kind.__subclasses__()
    assert codes <= headings(reference("errors.md"))


def test_every_command_is_documented() -> None:
    paths = {path for path, _, _ in gen_docs.commands(gen_docs.root_command(), "memgraph-svc")}
    assert paths <= headings(reference("cli.md"))


def test_every_query_file_is_documented() -> None:
    root = ROOT / "cypher"
    names = {path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher")}
    assert names <= headings(reference("queries.md"))


def test_every_decision_is_numbered_and_listed() -> None:
    folder = DOCS / "decisions"
    records = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [int(name[:4]) for name in records] == list(range(len(records))), "numbers are dense; 0000 is the template"
    listed = (folder / "README.md").read_text("utf-8")
    assert [name for name in records if f"({name})" not in listed] == []
    for name in records:
        text = (folder / name).read_text("utf-8")
        assert {"Context", "Choice", "Consequence"} <= headings(text), name
        assert len(text.splitlines()) <= 60, f"{name}: a record is one page"


def test_every_change_fragment_has_an_issue_and_a_kind() -> None:
    names = [path.name for path in (DOCS / "changes").iterdir() if path.name != "README.md"]
    kinds = "added|changed|fixed|removed|security"
    assert [name for name in names if not re.fullmatch(rf"\+?[\w-]+\.({kinds})(\.\d+)?\.md", name)] == []


def links(page: Path) -> list[str]:
    """The targets inside this repository that the page links to."""
    found = [match[1] or match[2] for match in _LINK.finditer(_CODE.sub("", page.read_text("utf-8")))]
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def test_no_link_is_dead() -> None:
    dead: list[str] = []
    for page in pages():
        for target in links(page):
            path, _, anchor = target.partition("#")
            aim = (page.parent / path).resolve() if path else page
            if not aim.exists() or (anchor and aim.suffix == ".md" and anchor not in anchors(aim.read_text("utf-8"))):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert dead == []


def test_every_file_that_a_page_names_exists() -> None:
    """``memgraph_svc/…``, ``cypher/…`` and the like, in backticks; patterns and placeholders are left alone."""
    named = re.compile(r"`((?:memgraph_svc|cypher|tests|docs|scripts)/[\w./-]+)`")
    lost = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in pages()
        for path in named.findall(page.read_text("utf-8"))
        if not (ROOT / path).exists()
    ]
    assert lost == []


def test_every_page_can_be_reached_from_the_index() -> None:
    seen: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.suffix == ".md" and page.is_file():
            seen.add(page)
            waiting += [(page.parent / target.partition("#")[0]).resolve() for target in links(page)]
    left_out = {page for page in DOCS.rglob("*.md") if page.parent.name != "changes"} - seen
    assert {page.relative_to(ROOT).as_posix() for page in left_out} == set()
