"""Tell a window of episodes in a few lines of their own words.

In: what the episodes say, and which of their claims are disputed. Out: the text and title of a consolidation. Pure, and the
same for the same window. Extractive: nothing is said that no source says, and disputes are listed instead of hidden.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgraph_svc.model.content import one_line, readable

LINE = 240
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？।؟]|\n")
_SHORTEST_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class Told:
    """One episode of a window."""

    id: str
    content: Any
    metadata: Mapping[str, Any]
    date: str
    disputed: tuple[tuple[str, str], ...] = ()


def text_of(told: Sequence[Told]) -> str:
    """One line for each episode, in order, then the open disputes."""
    lines = [line for each in told if (line := _line(each))]
    disputed = dict.fromkeys(one_line(text, LINE) for each in told for _, text in each.disputed)
    if disputed:
        lines += ["", "In dispute:", *(f"- {text}" for text in disputed)]
    return "\n".join(lines)


def title_of(grouping: str, told: Sequence[Told]) -> str:
    """What is told and of when."""
    dates = sorted(each.date for each in told if each.date)
    when = "" if not dates else f", {dates[0]}" if dates[0] == dates[-1] else f", {dates[0]} to {dates[-1]}"
    return one_line(f"Session {grouping}{when}" if grouping else f"Summary{when}", 120)


def _line(each: Told) -> str:
    said = _excerpt(readable(each.content))
    speaker = each.metadata.get("speaker")
    if not said:
        return ""
    return f"- {one_line(speaker, 60)}: {said}" if isinstance(speaker, str) and speaker.strip() else f"- {said}"


def _excerpt(text: str) -> str:
    """The first sentences of a text, as many as a line holds."""
    # A long text is cut before it is looked at: a line needs no second look at two megabytes.
    flat = text[: LINE * 8].strip()
    if len(flat) <= LINE and "\n" not in flat:
        return one_line(flat, LINE)
    end = 0
    for match in _SENTENCE.finditer(flat):
        if match.start() > LINE:
            break
        end = match.end()
    return one_line(flat[:end] if end > LINE * _SHORTEST_SHARE else flat, LINE)
