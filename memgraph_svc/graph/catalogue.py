"""Find, read and check every query of ``cypher/``.

In: the files. Out: ``Query`` values, the only text that ever reaches the driver. A file whose head and body disagree
stops the start, with its path and the reason. What the rows are used for is decided by the store that names the query.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import LiteralString, cast

from memgraph_svc.errors.start import ConfigError

_MODES = ("read", "write", "schema")
_ROWS = ("none", "one", "maybe", "many")
_HEAD_LINE = re.compile(r"(mode|rows|param|column|allow|slot|unscoped)\s+(.+)")
_SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`", re.DOTALL)
_WRITE_WORD = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|FOREACH|LOAD)\b", re.IGNORECASE)
_SLOT_RANGE = re.compile(r"(\d+)\.\.(\d+)\b.*")
_OPEN_PATH = re.compile(r"\[[^\]]*\*(?:\d+\.\.)?\s*[\]{]|(?:->|\]-)\s*[+*]|\)[+*]\(|\{\d*,\}")


@dataclass(frozen=True, slots=True)
class Query:
    """One statement and what its head says of it."""

    name: str
    text: LiteralString
    doc: str
    mode: str
    rows: str
    params: dict[str, str]
    columns: dict[str, str]
    allow: dict[str, str] = field(default_factory=dict[str, str])
    slots: dict[str, str] = field(default_factory=dict[str, str])
    unscoped: str = ""

    def filled(self, **numbers: int) -> Query:
        """The query with a whole number in each of its slots, the only thing ever put into query text.

        Cypher takes no parameter as the bound of a path. Raises ``ValueError`` for a number outside the range that the
        head declares, and for a slot it does not have.
        """
        text: str = self.text
        if numbers.keys() != self.slots.keys():
            raise ValueError(f"{self.name} has the slots {sorted(self.slots)}, not {sorted(numbers)}")
        for name, number in numbers.items():
            low, high = _slot_range(self.slots[name])
            if not low <= number <= high:
                raise ValueError(f"{self.name}: {name} is {number}, outside {low}..{high}")
            text = text.replace("{" + name + "}", str(int(number)))
        return replace(self, text=cast("LiteralString", text))


class BadQuery(ConfigError):
    """A query file is not well formed."""


@cache
def load() -> dict[str, Query]:
    """Every query by name (``folder/file``), checked; read once per process.

    Raises ``BadQuery`` naming the file and what is wrong with it.
    """
    root = _root()
    found: dict[str, Query] = {}
    for path in sorted(root.rglob("*.cypher")):
        name = path.relative_to(root).with_suffix("").as_posix()
        found[name] = parse(name, path.read_text(encoding="utf-8"))
    if not found:
        raise BadQuery(f"no query files below {root.name}/; the package is incomplete")
    return found


def query(name: str) -> Query:
    """The query of that name; raises ``KeyError`` when there is none."""
    return load()[name]


def _root() -> Path:
    # The wheel carries the folder inside the package; an editable install leaves it beside the package.
    inside = Path(str(files("memgraph_svc"))) / "cypher"
    return inside if inside.is_dir() else inside.parent.parent / "cypher"


def parse(name: str, raw: str) -> Query:
    """Read one file: the head up to the first empty line, then the statement."""
    head, _, body = raw.partition("\n\n")
    prose: list[str] = []
    single: dict[str, str] = {}
    listed: dict[str, dict[str, str]] = {"param": {}, "column": {}, "allow": {}, "slot": {}}
    for line in head.splitlines():
        if not line.startswith("//"):
            raise BadQuery(f"{name}: the head must be comment lines up to the first empty line")
        words = line[2:].strip()
        match = _HEAD_LINE.fullmatch(words)
        if match is None:
            prose.append(words)
        elif match[1] in listed:
            key, _, note = match[2].strip().partition(" ")
            listed[match[1]][key] = note.strip()
        else:
            single[match[1]] = match[2].strip()
    made = Query(
        name=name,
        # The one place that vouches for query text: it comes from our own files and from nowhere else.
        text=cast("LiteralString", body.strip()),
        doc="\n".join(prose).strip(),
        mode=single.get("mode", ""),
        rows=single.get("rows", ""),
        params=listed["param"],
        columns=listed["column"],
        allow=listed["allow"],
        slots=listed["slot"],
        unscoped=single.get("unscoped", ""),
    )
    _check(made)
    return made


def _slot_range(note: str) -> tuple[int, int]:
    match = _SLOT_RANGE.fullmatch(note)
    if match is None:
        raise ValueError(f"a slot must say its range, such as 1..64, not '{note}'")
    return int(match[1]), int(match[2])


def _without_slots(made: Query, text: str) -> str:
    for name in made.slots:
        text = text.replace("{" + name + "}", "1")
    return text


def _check(made: Query) -> None:
    bare = _SKIPPED.sub(" ", made.text)
    used = set(re.findall(r"\$(\w+)", bare))
    problems = [
        (not made.doc, "the head needs a first sentence that says what the rows mean"),
        (made.mode not in _MODES, f"mode must be one of {', '.join(_MODES)}"),
        (made.rows not in _ROWS, f"rows must be one of {', '.join(_ROWS)}"),
        (not made.text, "there is no statement"),
        (used != set(made.params), f"declared parameters {sorted(made.params)} but used {sorted(used)}"),
        (made.mode == "read" and bool(_WRITE_WORD.search(bare)), "a read must not write"),
        (any("{" + name + "}" not in bare for name in made.slots), "a declared slot is not used"),
        (
            any(_SLOT_RANGE.fullmatch(note) is None for note in made.slots.values()),
            "a slot must say its range, as 1..64",
        ),
        (bool(_OPEN_PATH.search(_without_slots(made, bare))), "a path needs an upper bound"),
        (_lacks_scope(made, used), "every query takes $scope_key, or says 'unscoped because …' in its head"),
        (made.rows == "none" and bool(made.columns), "rows none, but columns are declared"),
        (made.mode != "schema" and made.rows != "none" and not made.columns, "columns must be declared"),
        (";" in bare, "one statement per file, without a semicolon"),
    ]
    for wrong, why in problems:
        if wrong:
            raise BadQuery(f"cypher/{made.name}.cypher: {why}")


def _lacks_scope(made: Query, used: set[str]) -> bool:
    return made.mode != "schema" and "scope_key" not in used and not made.unscoped
