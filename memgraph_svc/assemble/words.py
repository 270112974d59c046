"""Words of a text, cut and stemmed like the search index does.

In: any text. Out: terms that are equal when the index takes the words for equal. Scripts without blanks between words
(Han, Hiragana) give pairs of neighbouring characters. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from memgraph_svc.assemble.stem import stem

# The stop words of the index's analyzer.
STOP = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of"}
    | {
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    }
)
CJK = "\u3005-\u3007\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Marks that belong to the letter before them; Python's \w does not hold them.
MARKS = "".join(chr(code) for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code))[0] == "M")
PICTURES = "\u2190-\u2bff\U0001f000-\U0001faff"
_LETTERS = f"[^\\W_{CJK}]+(?:[{MARKS}]+[^\\W_{CJK}]*)*"
_WORD = re.compile(f"[{CJK}]+|[{PICTURES}]|{_LETTERS}(?:['\u2019]{_LETTERS})*")
_IS_CJK = re.compile(f"[{CJK}]")


def words(text: str) -> Iterator[tuple[str, str]]:
    """Every word of a text with its term, in order; stop words are left out."""
    for word in _WORD.findall(text):
        if _IS_CJK.match(word):
            yield from ((pair, pair) for pair in pairs(word))
        elif term := term_of(word):
            yield word, term


def terms(text: str) -> list[str]:
    """The terms of a text, in order, with repetitions."""
    if _IS_CJK.search(text):
        return [term for _, term in words(text)]
    return [term for term in map(term_of, _WORD.findall(text)) if term]


@lru_cache(maxsize=65_536)
def term_of(word: str) -> str:
    """The term of one word; empty for a stop word."""
    low = word.lower().replace("\u2019", "'").removesuffix("'s")
    return "" if low in STOP else stem(low)


def pairs(run: str) -> list[str]:
    """A run of characters as overlapping pairs; a single character is its own."""
    return [run[at : at + 2] for at in range(len(run) - 1)] if len(run) > 1 else [run]
