"""Make stored text safe to stand inside a prompt.

In: text that anyone may have written. Out: valid UTF-8 text that cannot open or close a memory block, break out of its
line, or hide characters from a reader. What the text means and where it stands is decided by the caller.
"""

from __future__ import annotations

import re
import unicodedata

TAG = "memory"

# Everything that compatibility normalisation turns into "<", and what merely looks like it.
_ANGLES = "<\uff1c\ufe64\u226e\u2039\u2329\u3008\u27e8\u276c\u276e\u2770\u02c2\u1438\u29fc"
_ANGLE = re.compile(f"[{_ANGLES}]")
_SLASHES = frozenset("/\\\u2044\u2215\u29f8\u2571\u27cb\u2216\u29f5\u3033")
# Letters of other scripts that are drawn like those of the tag; they are compared after case folding.
_LETTERS = {
    alike: letter
    for letter, others in {
        "m": "\u043c\u1d0d\u03bc\u2c99\u13b7",
        "e": "\u0435\u1d07\u03b5\u2c89\u13ac\u025b\u0454\u04bd",
        "o": "\u043e\u1d0f\u03bf\u2c9f\u05850",
        "r": "\u0433\u1d26\u0280\u027e\u13a1\u13d2",
        "y": "\u0443\u04af\u028f\u03b3\u03c5\u10e7",
    }.items()
    for alike in others
}
_UNSEEN_KINDS = frozenset({"Cf", "Cc", "Cn", "Mn", "Me", "Zs", "Zl", "Zp"})
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Control characters but tab and newline, marks that turn the reading direction, and the invisible tag alphabet.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"\s+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKUP = "#>-*+=~|`_"


def valid(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot carry, replaced."""
    return _SURROGATE.sub("\ufffd", text)


def cut(text: str, limit: int) -> str:
    """The longest start of the text that is at most ``limit`` bytes of UTF-8; never half a character."""
    return valid(text).encode()[: max(0, limit)].decode(errors="ignore")


def body(text: str) -> str:
    """Text of several lines without hidden characters or anything that reads as a memory tag."""
    lines = valid(text).replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return tags(_HIDDEN.sub("", lines))


def line(text: str, limit: int) -> str:
    """Text as one line of at most ``limit`` characters that cannot start a heading, a list or a tag."""
    flat = _SPACES.sub(" ", valid(text))
    flat = _SPACES.sub(" ", _HIDDEN.sub("", flat)).strip()
    if len(flat) > limit:
        flat = flat[: limit - 1].rstrip() + "…"
    # Compatibility forms of "#" and friends start a heading once a reader normalises them.
    if flat and unicodedata.normalize("NFKC", flat[0])[0] in _MARKUP:
        flat = "\\" + flat
    return tags(flat)


def name(text: str, limit: int) -> str:
    """Text as a bare name: letters, digits and ``_ - . :`` only."""
    flat = unicodedata.normalize("NFKC", valid(text))
    return "".join(char if char.isalnum() or char in "_-.:" else "-" for char in flat)[:limit]


def attribute(text: str, limit: int) -> str:
    """Text as the inside of a quoted attribute."""
    flat = _SPACES.sub(" ", _HIDDEN.sub(" ", unicodedata.normalize("NFKC", valid(text)))).strip()[:limit]
    flat = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return tags(flat)


def tags(text: str) -> str:
    """Replace the angle of everything that reads as an opening or closing memory tag, however it is disguised."""

    def neutral(found: re.Match[str]) -> str:
        return "&lt;" if _reads_as_tag(text, found.end()) else found[0]

    return _ANGLE.sub(neutral, text)


def _reads_as_tag(text: str, at: int) -> bool:
    # Stops at the first visible character that does not belong, so the whole text is passed over once.
    matched = 0
    for position in range(at, len(text)):
        for char in _folded(text[position]):
            if matched == 0 and char in _SLASHES:
                continue
            if char != TAG[matched]:
                return False
            matched += 1
            if matched == len(TAG):
                return True
    return False


def _folded(char: str) -> str:
    """What a careless reader takes the character for; nothing at all when it is not seen."""
    flat = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(
        _LETTERS.get(part, part)
        for part in flat
        if part not in _UNSEEN and unicodedata.category(part) not in _UNSEEN_KINDS
    )
