"""Read a request body as JSON, strictly.

In: bytes. Out: a tree in which every value can be stored and given back equal. What may stand where is decided by the
schemas.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, cast

from memgraph_svc.errors.request import InvalidRequest

MAX_DEPTH = 100
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(raw: bytes) -> dict[str, Any]:
    """The JSON object of a body.

    Raises ``InvalidRequest`` for what is not UTF-8, not JSON, not an object, nested deeper than 100 levels, holds a
    name twice, a lone surrogate, or a number that no IEEE 754 double holds (RFC 8259 section 6); ``details.path`` names
    the place where there is one.
    """
    if not raw.strip():
        raise InvalidRequest("The body is empty; send a JSON object.")
    try:
        tree: Any = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except UnicodeDecodeError as cause:
        raise InvalidRequest(f"The body is not UTF-8 (byte {cause.start}).") from None
    except json.JSONDecodeError as cause:
        raise InvalidRequest(f"The body is not JSON: line {cause.lineno}, column {cause.colno}.") from None
    except RecursionError:
        raise InvalidRequest(f"The body is nested deeper than {MAX_DEPTH} levels.") from None
    except ValueError as cause:  # an integer of more digits than the interpreter reads
        if isinstance(cause, InvalidRequest):
            raise
        raise InvalidRequest("The body holds a number with too many digits; send it as a string.") from None
    if not isinstance(tree, dict):
        raise InvalidRequest("The body must be a JSON object.")
    made = cast("dict[str, Any]", tree)
    _check(made, surrogates=_SURROGATE_ESCAPE.search(raw) is not None)
    return made


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise InvalidRequest(f"The name {shown(twice)} stands twice in one object.", {"path": shown(twice)})
    return made


def _no_constant(word: str) -> None:
    raise InvalidRequest(f"{word} is not JSON; leave the field out or send null.")


def _check(tree: dict[str, Any], *, surrogates: bool) -> None:
    for depth, path, value in _walk(tree):
        if depth > MAX_DEPTH:
            raise InvalidRequest(f"The body is nested deeper than {MAX_DEPTH} levels.", {"path": path_text(path[:5])})
        if surrogates and isinstance(value, str) and _SURROGATE.search(value):
            raise InvalidRequest(
                f"{path_text(path)}: a lone surrogate is not a character; send whole characters.",
                {"path": path_text(path)},
            )
        if isinstance(value, float) and math.isinf(value):
            raise InvalidRequest(
                f"{path_text(path)}: the number is out of range; send it as a string.", {"path": path_text(path)}
            )


def _walk(tree: Any) -> Iterator[tuple[int, tuple[str | int, ...], Any]]:
    # Iterative, so that depth is bounded by the check above and not by the interpreter's stack.
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), tree)]
    while waiting:
        path, value = waiting.pop()
        yield len(path), path, value
        if isinstance(value, dict):
            for key, item in cast("dict[str, Any]", value).items():
                yield len(path) + 1, (*path, key), key
                waiting.append(((*path, key), item))
        elif isinstance(value, list):
            waiting.extend(((*path, at), item) for at, item in enumerate(cast("list[Any]", value)))


def path_text(path: tuple[str | int, ...]) -> str:
    """A path as ``episodes[0].metadata.user``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else ("." if text else "") + shown(part)
    return text


def shown(name: str) -> str:
    """A name from the caller, safe to repeat: short, and without characters that are none."""
    safe = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return safe if len(safe) <= 80 else safe[:77] + "..."  # noqa: PLR2004  display width
