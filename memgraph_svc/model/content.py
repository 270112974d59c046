"""What a person reads in a content, and how much of it there is.

In: any JSON content. Out: its readable text and the rest of its words. Where text is cut is decided in
``model/passages.py`` and ``assemble/budget.py``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

BYTES_PER_TOKEN = 4
CAPTION_CHARACTERS = 60
_STRUCTURAL = frozenset({"text", "speaker", "role", "content", "type"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+")
_BLANKS = re.compile(r"\s+")
# Unicode category Cf: they steer how text is shown and are no part of a word.
_STEERING = re.compile(
    "["
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U00013438"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
    "]"
)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def readable(content: Any) -> str:
    """The text of a content: a string itself, an object's ``text``, else its JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict) and isinstance(content.get("text"), str):  # pyright: ignore[reportUnknownMemberType]
        return content["text"]  # pyright: ignore[reportUnknownVariableType]
    return dumps(content)


def has_text(content: Any) -> bool:
    """Whether ``readable`` is prose rather than JSON."""
    return isinstance(content, str) or (
        isinstance(content, dict) and isinstance(content.get("text"), str)  # pyright: ignore[reportUnknownMemberType]
    )


def other_words(content: Any) -> str:
    """What can be searched in a content beside its text: the names and values of its fields."""
    if isinstance(content, str):
        return ""
    return _BLANKS.sub(" ", " ".join(_leaves(content, top=True))).strip()


def _leaves(value: Any, *, top: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            if top and key == "text" and isinstance(inner, str):
                continue
            if key not in _STRUCTURAL:
                yield _CAMEL.sub(" ", str(key))  # pyright: ignore[reportUnknownArgumentType]
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _leaves(inner)
    elif isinstance(value, str):
        yield value
    elif value is not None:
        yield json.dumps(value)


def dumps(value: Any) -> str:
    """JSON text as stored: compact, real characters, key order kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text costs: its UTF-8 bytes over four, rounded up, at least 1.

    Counting bytes instead of characters keeps the estimate honest for scripts of which a character costs a token.
    """
    return max(1, -(-len(text.encode()) // BYTES_PER_TOKEN))


def one_line(text: str, most: int) -> str:
    """A text as one line without control characters, cut with an ellipsis at ``most`` characters."""
    flat = _BLANKS.sub(" ", _UNSEEN.sub(" ", text)).strip()
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def searchable(text: str) -> str:
    """A text as it is compared with others: NFC, without characters that only steer its display, one apostrophe.

    The analyzer would keep a soft hyphen or a direction mark as part of the word it touches.
    """
    plain = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    return plain if plain.isascii() else _STEERING.sub("", plain)


def topic_key(name: str) -> str:
    """The form in which two spellings of a topic are equal: NFKC, case folded, blanks collapsed.

    Normalized again after folding, which can leave a form of its own.
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def caption(text: str) -> str:
    """The short text by which a memory is known in Browser."""
    # A long text is cut first: a caption needs no second look at two megabytes.
    return one_line(text[: CAPTION_CHARACTERS * 8], CAPTION_CHARACTERS)
