"""Turn what a person wrote into a full-text query that is always well formed.

In: any text, and what the filters allow. Out: Lucene query text, or None when nothing is left to look for. Operators,
wildcards and field names in the text are words or nothing. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memgraph_svc.assemble.words import CJK, MARKS, PICTURES, STOP, pairs
from memgraph_svc.model.content import searchable
from memgraph_svc.model.scope import Scope

MOST_CLAUSES = 900  # the index refuses more than 1,024; filters and surprises of the analyzer need some
_LONGEST_TOKEN = 255  # the analyzer cuts longer ones into several
_INNER = ".,:'\u2018\u2019\u00b7\u2027;"  # characters that the analyzer keeps inside a word, between letters or digits
_CHUNK = re.compile(
    f"(?P<cjk>[{CJK}]+)|(?P<picture>[{PICTURES}](?:[{PICTURES}\ufe0f\u200d]{{0,63}}))"
    f"|[^\\W{CJK}]+(?:[{MARKS}{_INNER}\u200c\u200d]+[^\\W{CJK}]*)*"
)
_PART = re.compile("[^.,:\u00b7\u2027;_]+")
# Where the analyzer breaks between letters: Katakana, the scripts of South-East Asia, and everything else.
_KANA, _EASTERN = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f", "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RUN = re.compile(f"[{_KANA}]+|[{_EASTERN}]+|[^{_KANA}{_EASTERN}]+")
_SPECIAL = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/<>=])')


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words to look for, as escaped clauses, and whether the text had more of them."""

    clauses: tuple[str, ...]
    shortened: bool = False

    def halved(self) -> Wanted:
        """The first half of the words: the last resort when the index still finds them too many."""
        return replace(self, clauses=self.clauses[: max(1, len(self.clauses) // 2)], shortened=True)


def wanted(text: str) -> Wanted | None:
    """The words of a text; None when it has none but stop words and signs."""
    found: dict[str, str] = {}
    cost = 0
    for clause, weight in _clauses(searchable(text)):
        key = clause.lower()
        if key in found:
            continue
        if cost + weight > MOST_CLAUSES:
            return Wanted(tuple(found.values()), shortened=True)
        found[key] = clause
        cost += weight
    return Wanted(tuple(found.values())) if found else None


def lucene(
    words: Wanted, scope: Scope, *, kinds: Sequence[str] = (), states: Sequence[str] = (), narrow: bool = True
) -> str:
    """The whole query: scope, filters and words, of which only the words count for the score."""
    parts = [f"+scopeKey:{scope.key}^0", f"+visibility:({' '.join(states)})^0"]
    if kinds:
        parts.append(f"+kind:({' '.join(kinds)})^0")
    if narrow and scope.agent_id is not None:
        parts.append(f"+agentToken:{scope.agent_token}^0")
    if narrow and scope.session_id is not None:
        parts.append(f"+sessionToken:{scope.session_token}^0")
    parts.append(f"+text:({' '.join(words.clauses)})")
    return " ".join(parts)


def _clauses(text: str) -> Iterator[tuple[str, int]]:
    for match in _CHUNK.finditer(text):
        if match["cjk"]:
            # Neighbours as a phrase: single characters would match half of all texts.
            yield from ((f'"{pair}"', len(pair)) for pair in pairs(match["cjk"]))
        elif match["picture"]:
            yield match[0], len(match[0])
        else:
            yield from _word(match[0].strip(_INNER))


def _word(chunk: str) -> Iterator[tuple[str, int]]:
    # The analyzer keeps "main.py" as one word and a person may mean either: the whole and its parts.
    parts = _PART.findall(chunk)
    if len(parts) > 1 and len(chunk) <= _LONGEST_TOKEN:
        yield _escaped(chunk), len(parts)
    for part in parts:
        if part.lower() not in STOP:
            yield from ((_escaped(piece), _weight(piece)) for piece in _pieces(part))


def _pieces(part: str) -> Iterator[str]:
    return (part[at : at + _LONGEST_TOKEN] for at in range(0, len(part), _LONGEST_TOKEN))


def _weight(part: str) -> int:
    return 1 if part.isascii() else len(_RUN.findall(part))


def _escaped(word: str) -> str:
    # AND, OR and NOT need nothing: they are stop words and never come this far.
    return _SPECIAL.sub(r"\\\1", word)
