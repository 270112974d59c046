"""Find the embedder that the setting names.

In: the value of ``MEMGRAPH_EMBEDDER``. Out: an embedder whose description is sound, or None when search goes by words
alone. A plugin is a function without arguments that gives an embedder, under an entry point of the group
``memgraph_svc.plugins``. When embedders run is decided by those who are given one.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, cast

from memgraph_svc.embed.plugin import Embedder
from memgraph_svc.errors.start import ConfigError

GROUP = "memgraph_svc.plugins"
_SETTING = "MEMGRAPH_EMBEDDER"
_NEEDED = ("wordllama", "spellchecker", "numpy", "safetensors", "tokenizers")
_LONGEST = 4_096  # the most that a vector index takes


def load(name: str) -> Embedder | None:
    """The embedder of that name; raises ``ConfigError`` when there is none or its description is not sound."""
    if name == "none" or (name == "auto" and not _installed()):
        return None
    if name in {"auto", "local"}:
        return _checked(name, _local())
    return _checked(name, _plugin(name))


def _installed() -> bool:
    return all(find_spec(package) is not None for package in _NEEDED)


def _local() -> Embedder:
    if not _installed():
        raise ConfigError(f"{_SETTING}=local needs packages that are not installed: pip install 'memgraph-svc[embed]'")
    from memgraph_svc.embed.local import LocalEmbedder  # noqa: PLC0415  the packages of the extra may be missing

    return LocalEmbedder()


def _plugin(name: str) -> Any:
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ", ".join(["auto", "none", "local", *sorted(found)])
        raise ConfigError(
            f"{_SETTING}: there is no embedder '{name}'. Use one of {known}, or install the package that brings it under "
            f"the entry point group '{GROUP}'."
        )
    try:
        return found[name].load()()
    except Exception as cause:
        raise ConfigError(f"{_SETTING}: the plugin '{name}' ({found[name].value}) does not start: {cause}") from cause


def _checked(name: str, made: Any) -> Embedder:
    title: Any = getattr(made, "name", None)
    dimension: Any = getattr(made, "dimension", None)
    floor: Any = getattr(made, "floor", None)
    problems = [
        (not isinstance(title, str) or not title.strip(), "name must be a text that is not blank"),
        (
            not _number(dimension, int) or not 1 <= dimension <= _LONGEST,
            f"dimension must be between 1 and {_LONGEST:,}",
        ),
        (not _number(floor, int, float) or not -1 < floor < 1, "floor must be a number between -1 and 1"),
        (not callable(getattr(made, "documents", None)), "documents must be a method"),
        (not callable(getattr(made, "query", None)), "query must be a method"),
    ]
    for wrong, why in problems:
        if wrong:
            raise ConfigError(f"{_SETTING}: the embedder '{name}' cannot be used: {why}.")
    return cast("Embedder", made)


def _number(value: Any, *kinds: type) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)
