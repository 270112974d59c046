"""An open memory service for AI agents on Neo4j.

For programs that render the memory index themselves: ``hash``, ``render``, ``section`` and ``wrap``, with ``Note`` and
``Scope``. They are loaded on first use, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memgraph_svc.assemble.index_section import section
    from memgraph_svc.assemble.note import Note
    from memgraph_svc.assemble.render import hash, render  # noqa: A004  the public name of the design
    from memgraph_svc.assemble.wrap import wrap
    from memgraph_svc.model.scope import Scope

__all__ = ["Note", "Scope", "hash", "render", "section", "wrap"]

_HOME = {
    "Note": "memgraph_svc.assemble.note",
    "Scope": "memgraph_svc.model.scope",
    "hash": "memgraph_svc.assemble.render",
    "render": "memgraph_svc.assemble.render",
    "section": "memgraph_svc.assemble.index_section",
    "wrap": "memgraph_svc.assemble.wrap",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
