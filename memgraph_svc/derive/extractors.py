"""Find the extractors that the setting names.

In: the value of ``MEMGRAPH_EXTRACTORS``. Out: names that are installed, and in the sandbox's process the plugins
themselves. Nothing of a plugin is run by a process that serves or works; that is decided in ``sandbox.py``.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any, cast

from memgraph_svc.derive.extractor import Extractor
from memgraph_svc.embed.registry import GROUP
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.errors.work import ExtractorFault

_SETTING = "MEMGRAPH_EXTRACTORS"


def load(setting: str) -> list[str]:
    """The names in the setting, each once; raises ``ConfigError`` when one of them is not installed.

    The plugins are not started here: one that hangs or crashes must not keep the service from starting.
    """
    names = list(dict.fromkeys(name.strip() for name in setting.split(",") if name.strip()))
    known = {point.name for point in entry_points(group=GROUP)}
    for name in names:
        if name not in known:
            offered = f"Use one of {', '.join(sorted(known))}" if known else "Leave the setting empty"
            raise ConfigError(
                f"{_SETTING}: there is no extractor '{name}'. {offered}, or install the package that brings it under the "
                f"entry point group '{GROUP}'."
            )
    return names


def start(name: str) -> Extractor:
    """The plugin of that name, ready to extract; raises ``ExtractorFault`` when it does not start or is none."""
    point = next((each for each in entry_points(group=GROUP) if each.name == name), None)
    if point is None:
        raise ExtractorFault(f"The extractor '{name}' is not installed on this worker.")
    try:
        made: Any = point.load()()
    except BaseException as cause:  # a plugin may raise anything, or try to end the process
        raise ExtractorFault(f"The extractor '{name}' does not start: {type(cause).__name__}.") from cause
    for part in ("name", "version"):
        told: Any = getattr(made, part, None)
        if not isinstance(told, str) or not told.strip():
            raise ExtractorFault(f"The extractor '{name}' cannot be used: {part} must be a text that is not blank.")
    if not callable(getattr(made, "extract", None)):
        raise ExtractorFault(f"The extractor '{name}' cannot be used: extract must be a method.")
    return cast("Extractor", made)
