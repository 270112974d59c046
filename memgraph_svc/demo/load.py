"""Load the conversation that ships with the package.

In: an API and a namespace. Out: its turns as episodes and its notes, each stored once however often this runs. What the
service makes of them is shown by ``tour``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from memgraph_svc.demo.client import Api, DemoError

_ASSISTANT = "Atlas"
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns and notes of the demo, in order."""

    turns: list[Line]
    notes: list[Line]

    @property
    def sessions(self) -> list[str]:
        """The names of its sessions, in order."""
        return list(dict.fromkeys(turn["session"] for turn in self.turns))


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a run of the demo stored, and what it found there already."""

    turns: int
    notes: int
    sessions: int
    new_turns: int
    new_notes: int

    def wire(self) -> dict[str, int]:
        """The counts as JSON."""
        return {
            "turns": self.turns,
            "notes": self.notes,
            "sessions": self.sessions,
            "newTurns": self.new_turns,
            "newNotes": self.new_notes,
        }


def conversation() -> Conversation:
    """The shipped conversation."""
    text = (files("memgraph_svc.demo") / "conversation.jsonl").read_text(encoding="utf-8")
    lines: list[Line] = [json.loads(line) for line in text.splitlines() if line]
    return Conversation(
        turns=[line for line in lines if line["kind"] == "turn"],
        notes=[line for line in lines if line["kind"] == "note"],
    )


def load(api: Api, scope: dict[str, str], step: Callable[[int], object] = lambda _: None) -> Loaded:
    """Store the conversation in a scope; ``step`` hears how many more lines are done.

    Safe to repeat: every line has a dedupe key, so a second run stores nothing. Raises ``DemoError`` when the API is
    away or refuses.
    """
    told = conversation()
    results = api.post("/v0/ingest", {"scope": scope, "episodes": [episode(turn) for turn in told.turns]})["results"]
    for result in results:
        if result["status"] == "rejected":
            raise DemoError(
                f"A turn was refused: {result['error']['message']}\n"
                f"Namespace '{scope['namespaceId']}' holds other content under the demo's keys; take --fresh."
            )
    step(len(told.turns))
    new_notes = 0
    for at, line in enumerate(told.notes, start=1):
        new_notes += api.post("/v0/remember", {"scope": scope, **note(line, at)})["status"] == "created"
        step(1)
    return Loaded(
        turns=len(told.turns),
        notes=len(told.notes),
        sessions=len(told.sessions),
        new_turns=sum(result["status"] == "created" for result in results),
        new_notes=new_notes,
    )


def episode(turn: Line) -> dict[str, Any]:
    """A turn as an episode to ingest."""
    speaker = turn["speaker"]
    return {
        "contentType": "text/plain",
        "content": turn["text"],
        "dedupeKey": f"demo/turn/{turn['turn']:03}",
        "createdBy": {"id": speaker.lower(), "kind": "agent" if speaker == _ASSISTANT else "user"},
        "metadata": {"speaker": speaker, "session": turn["session"], "occurredAt": turn["at"]},
    }


def note(line: Line, position: int) -> dict[str, Any]:
    """A note as a statement to remember."""
    kept = ("slug", "title", "body", "topics", "pinned", "confidence", "validFrom")
    return {
        **{name: line[name] for name in kept if name in line},
        "dedupeKey": f"demo/note/{position:02}",
        "createdBy": {"id": _ASSISTANT.lower(), "kind": "agent"},
        "metadata": {"speaker": _ASSISTANT, "session": line["session"], "occurredAt": line["at"]},
    }
