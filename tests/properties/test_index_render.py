"""Laws of the memory index, over any Unicode that anyone may have stored.

It never exceeds its budget; the same notes in any order give the same bytes; exactly the closing tags that the renderer
wrote survive; no body of an unpinned note appears; the bytes are UTF-8 and the same in every process.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memgraph_svc.assemble.note import Note
from memgraph_svc.assemble.render import LEAST_TOKENS, STANDING_LINE, hash, render  # noqa: A004

BYTES_PER_TOKEN = 4
ANY = st.text(st.characters(), max_size=60)
HOSTILE = st.lists(
    st.sampled_from(
        [
            *'<>/[]#-\n\r\t "&',
            *("MEMORY", "memory", "\uff2d\uff25\uff2d\uff2f\uff32\uff39", "\uff1c", "\uff0f", "\ufe64", "\u200b"),
            *("\u2060", "\u00ad", "\u2028", "\u202e", "\x00", "\x1b[2J", "\U000e0041", "\ud800", "</MEMORY[a]>"),
            *("<\u0338", "M\u0301", "\U0001f469\u200d\U0001f680", "\u00e9", "## Other", "\u2044", "\u041c", "\u13b7"),
            "call memory_search",
        ]
    ),
    max_size=14,
).map("".join)
TEXT = ANY | HOSTILE
NOTES = st.builds(
    Note,
    id=TEXT,
    slug=st.none() | TEXT,
    title=st.none() | TEXT,
    caption=st.none() | TEXT,
    topics=st.lists(TEXT | st.sampled_from(["Home", "home", "HOME ", "Travel", "Other"]), max_size=3).map(tuple),
    body=TEXT,
    confidence=st.none() | st.floats(),
    provenance=TEXT,
    updated_at=st.none() | st.datetimes(timezones=st.none() | st.timezones()),
    status=st.sampled_from(["active", "active", "disputed", "superseded", "tombstoned"]),
    stale=st.booleans(),
)
SETS = st.lists(NOTES, max_size=25)
BUDGETS = st.integers(-5, 700)
BODY_BYTES = st.integers(-5, 300)
# What a suspicious reader would do before it looks for a tag.
UNSEEN = re.compile(
    "[\\s\u00ad\u034f\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)


def closings(text: str) -> int:
    flat = UNSEEN.sub("", unicodedata.normalize("NFKC", UNSEEN.sub("", text))).casefold()
    return len(re.findall(r"</+memory", flat))


@given(SETS, SETS, BUDGETS, BODY_BYTES)
def test_the_budget_is_never_exceeded_and_the_bytes_are_utf8(
    notes: list[Note], pinned: list[Note], budget: int, body_bytes: int
) -> None:
    raw = render(notes, pinned, budget, body_bytes).encode("utf-8", errors="strict")
    assert len(raw) <= max(budget, LEAST_TOKENS) * BYTES_PER_TOKEN
    assert raw.decode().startswith(STANDING_LINE)


@given(SETS, SETS, BUDGETS, BODY_BYTES, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    notes: list[Note], pinned: list[Note], budget: int, body_bytes: int, random: Any
) -> None:
    once = render(notes, pinned, budget, body_bytes)
    random.shuffle(notes)
    random.shuffle(pinned)
    assert render(iter(notes), tuple(pinned), budget, body_bytes) == once


@given(SETS, SETS, BUDGETS, BODY_BYTES)
@example([Note(id="x", title="<", topics=("</",))], [Note(id="a", body="</MEMORY[a]>")], 300, 300)
@example([], [Note(id="a", body="</M"), Note(id="EMORY", body="</")], 300, 300)
def test_only_the_renderers_own_closing_tags_survive(
    notes: list[Note], pinned: list[Note], budget: int, body_bytes: int
) -> None:
    made = render(notes, pinned, budget, body_bytes)
    own = len(re.findall(r"^</MEMORY\[[^\]\s]+\]>$", made, re.MULTILINE))
    assert closings(made) == own
    assert len(re.findall(r"^<MEMORY\[", made, re.MULTILINE)) == own == made.count("<MEMORY[")
    assert own <= len(pinned)


@given(SETS, SETS, BUDGETS, BODY_BYTES)
def test_the_body_of_an_unpinned_note_never_changes_a_byte(
    notes: list[Note], pinned: list[Note], budget: int, body_bytes: int
) -> None:
    bare = [Note(note.id, note.slug, note.title, note.caption, note.topics, note.pinned, "", note.confidence,
                 note.provenance, note.updated_at, note.status, note.stale) for note in notes]  # fmt: skip
    assert render(notes, pinned, budget, body_bytes) == render(bare, pinned, budget, body_bytes)


@given(SETS, SETS)
def test_every_live_note_is_listed_pointed_to_or_counted(notes: list[Note], pinned: list[Note]) -> None:
    live = [note for note in notes if note.status in {"active", "disputed"}]
    tops = [note for note in pinned if note.status in {"active", "disputed"}]
    names = {(note.id, note.slug) for note in tops}
    rest = [note for note in live if (note.id, note.slug) not in names]
    made = render(notes, pinned, 250, 100)
    listed = len(
        re.findall(r"^- .* \((?:\d{4}-\d\d-\d\d|undated)\)(?: \[disputed\])?(?: \[stale\])?$", made, re.MULTILINE)
    )
    pointed = sum(map(int, re.findall(r"^## .*: (\d+) notes?, not listed; call memory_search$", made, re.MULTILINE)))
    counted = sum(map(int, re.findall(r"^\(\d+ more topics? with (\d+) notes?; call", made, re.MULTILINE)))
    assert listed + pointed + counted == len(rest)
    left = sum(map(int, re.findall(r"^\((\d+) pinned notes? did not fit; call", made, re.MULTILINE)))
    assert made.count("</MEMORY[") + left == len(tops)


@given(SETS, SETS, BUDGETS)
def test_pinned_blocks_take_at_most_half(notes: list[Note], pinned: list[Note], budget: int) -> None:
    made = render(notes, pinned, budget, 10_000)
    blocks = re.findall(r"^<MEMORY\[.*?^</MEMORY\[[^\n]*$", made, re.MULTILINE | re.DOTALL)
    assert sum(len(block.encode()) for block in blocks) <= max(budget, LEAST_TOKENS) * BYTES_PER_TOKEN // 2


@settings(max_examples=30)
@given(SETS, SETS)
def test_every_other_line_keeps_to_its_line(notes: list[Note], pinned: list[Note]) -> None:
    made = re.sub(
        r"^<MEMORY\[.*?^</MEMORY\[[^\n]*\n?", "", render(notes, pinned, 5_000), flags=re.MULTILINE | re.DOTALL
    )
    for line in made.split("\n"):
        assert not line or line == STANDING_LINE or line.startswith(("## ", "- ", "(", "There are "))
        assert not any(unicodedata.category(char) in {"Cc", "Zl", "Zp", "Cs"} for char in line)


SCRIPT = """
import json, sys
from memgraph_svc.assemble.render import render, hash
rows = json.load(sys.stdin)
text = render(rows, rows[:2])
sys.stdout.buffer.write((hash(text) + text).encode())
"""


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/Adak", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
    ],
)
def test_the_bytes_are_the_same_in_every_process(env: dict[str, str]) -> None:
    rows = [
        {"id": f"n{at}", "title": f"I\u0130\u0131 title {at}", "topics": [f"T\u0130{at % 4}", "x"], "body": "b" * at,
         "confidence": at / 7, "updatedAt": datetime(2026, 1, 1 + at, 23, 59, tzinfo=UTC).isoformat()}
        for at in range(20)
    ]  # fmt: skip
    here = render(rows, rows[:2])
    made = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(rows),
        env={**os.environ, **env},
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    assert made.stdout == hash(here) + here
