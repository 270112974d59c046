"""Examples in the documentation, as programs.

A fenced block with the info string ``sh`` runs; a ``console`` block below it is what it prints. All ``sh`` blocks of
one page run in order in one shell, so a later one may use what an earlier one set. Blocks with any other info string
(``bash`` for set-up, ``text``, ``json``) are only shown.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

DEFAULT_URL = re.compile(r"http://(?:127\.0\.0\.1|localhost):8787")
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_ENDED = "--- block ended ---"


@dataclass(frozen=True, slots=True)
class Block:
    """One example: where it stands, what it runs, what it should print (None: anything)."""

    line: int
    code: str
    expected: str | None


class Ran(NamedTuple):
    """What one block did."""

    block: Block
    output: str
    finished: bool


def blocks(markdown: str) -> list[Block]:
    """The examples of one page, in order."""
    found: list[Block] = []
    for match in _FENCE.finditer(markdown):
        info = match["info"].strip()
        if info == "sh":
            found.append(Block(markdown.count("\n", 0, match.start()) + 1, match["body"], None))
        elif info == "console" and found and found[-1].expected is None:
            found[-1] = Block(found[-1].line, found[-1].code, match["body"])
    return found


def matches(expected: str, actual: str) -> bool:
    """Whether the output is as shown.

    Blanks count loosely. ``...`` or ``…`` inside a line stands for anything in that line; alone, for any number of
    lines.
    """
    pattern = ""
    for line in expected.strip().splitlines():
        words = " ".join(line.split())
        if words in {"...", "…"}:
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(re.escape(part) for part in re.split(r"\.\.\.|…", words)) + "\n"
    shown = "".join(" ".join(line.split()) + "\n" for line in actual.strip().splitlines())
    return re.fullmatch(pattern, shown) is not None


def run(examples: list[Block], url: str, folder: Path, env: Mapping[str, str]) -> Iterator[Ran]:
    """Run the blocks in one shell; the service's usual address becomes ``url``. Stops after the first that fails."""
    with subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        cwd=folder,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        shell.stdin.write("set -e -o pipefail\n")
        for number, block in enumerate(examples):
            script = folder / f"block{number}.sh"
            script.write_text(DEFAULT_URL.sub(url, block.code), encoding="utf-8")
            shell.stdin.write(f". ./{script.name} </dev/null\nprintf '\\n{_ENDED}\\n'\n")
            shell.stdin.flush()
            output, finished = "", False
            for line in shell.stdout:
                if line.strip() == _ENDED:
                    finished = True
                    break
                output += line
            yield Ran(block, output, finished)
            if not finished:
                return
