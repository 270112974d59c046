"""The stem of an English word, as the search index makes it.

In: a lower-case word. Out: its stem by Porter's algorithm (1980), which the index's ``english`` analyzer uses too, so
that ranking recognises the words by which the index found a passage. Pure.
"""

from __future__ import annotations

from itertools import pairwise

_VOWELS = frozenset("aeiou")
_SHORTEST = 3
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip


def stem(word: str) -> str:
    """The stem of a lower-case word; a word of other scripts or shorter than three letters is its own stem."""
    if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    return _step_5(_step_4(_replaced(_replaced(_step_1c(_step_1b(_step_1a(word))), _STEP_2), _STEP_3)))


def _consonant(word: str, at: int) -> bool:
    if word[at] in _VOWELS:
        return False
    return word[at] != "y" or at == 0 or not _consonant(word, at - 1)


def _measure(word: str) -> int:
    # How often a vowel is followed by a consonant: Porter's m.
    kinds = [_consonant(word, at) for at in range(len(word))]
    return sum(1 for before, after in pairwise(kinds) if after and not before)


def _has_vowel(word: str) -> bool:
    return any(not _consonant(word, at) for at in range(len(word)))


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonant(word, len(word) - 1)


def _short_end(word: str) -> bool:
    # consonant, vowel, consonant, the last not w, x or y: "hop", not "how"
    last = len(word) - 1
    return (
        last > 1
        and _consonant(word, last)
        and not _consonant(word, last - 1)
        and _consonant(word, last - 2)
        and word[last] not in "wxy"
    )


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _repaired(word[: -len(ending)])
    return word


def _repaired(base: str) -> str:
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _doubled(base) and base[-1] not in "lsz":
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _short_end(base) else base


def _step_1c(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            base = word[: -len(ending)]
            return base + other if _measure(base) > 0 else word
    return word


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            base = word[: -len(ending)]
            fits = _measure(base) > 1 and (ending != "ion" or base.endswith(("s", "t")))
            return base if fits else word
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        size = _measure(base)
        if size > 1 or (size == 1 and not _short_end(base)):
            word = base
    return word[:-1] if word.endswith("l") and _doubled(word) and _measure(word) > 1 else word
