"""Fetch one file of the server through jgo, from the repositories that the user's jgo is set up for.

In: a coordinate. Out: a file in a folder of ours. jgo ships no types, so it is only touched here. Whether the file is
the right one is decided by ``jars``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from memgraph_svc.embedded.lock import Jar
from memgraph_svc.errors import DownloadFailed, ExtraMissing

Advance = Callable[[int], None]
_TIMEOUT_S = 30
_TRIES = 4
_FIRST_PAUSE_S = 1.0


class Repositories:
    """Where jgo looks for artifacts; files it downloads come to lie in ``staging``."""

    def __init__(self, staging: Path, advance: Advance) -> None:
        jgo_config, jgo_maven = _jgo()
        configured = jgo_config.GlobalSettings.load()
        self._local = Path(configured.repo_cache)
        resolver = jgo_maven.PythonResolver(progress_callback=_counting(advance))
        self._context = jgo_maven.MavenContext(resolver=resolver, repo_cache=staging, timeout=_TIMEOUT_S)
        self._context.remote_repos.update(configured.repositories)

    def local_copy(self, jar: Jar) -> Path:
        """Where the file lies when a build tool of this user has fetched it before; it may not exist."""
        return self._local / self._artifact(jar).component.path_prefix / jar.file_name

    def fetch(self, jar: Jar) -> Path:
        """Download the file, trying again over faults of the network; raises ``DownloadFailed``."""
        artifact = self._artifact(jar)
        for attempt in range(_TRIES):
            # jgo writes under the final name: what lies there is the rest of a download that was cut off.
            Path(artifact.cached_path).unlink(missing_ok=True)
            try:
                return Path(artifact.resolve())
            except (OSError, RuntimeError) as fault:  # requests' errors are OSErrors
                if _disk_is_full(fault):
                    raise
                if attempt == _TRIES - 1:
                    raise DownloadFailed(
                        f"Could not download {jar.file_name} ({_reason(fault)}). Check the network or jgo's list of "
                        "repositories, then run the command again: it goes on where it stopped."
                    ) from fault
            time.sleep(_FIRST_PAUSE_S * 2**attempt)
        raise AssertionError("unreachable")

    def _artifact(self, jar: Jar) -> Any:
        return self._context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier, "jar")


def _jgo() -> tuple[Any, Any]:
    try:
        import jgo.config  # noqa: PLC0415  an extra: everything but the download works without it
        import jgo.maven  # noqa: PLC0415
    except ImportError as cause:
        raise ExtraMissing from cause
    return jgo.config, jgo.maven


def _counting(advance: Advance) -> Callable[[str, int], AbstractContextManager[Advance]]:
    @contextmanager
    def callback(_name: str, _size: int) -> Iterator[Advance]:
        yield advance

    return callback


def _disk_is_full(fault: BaseException) -> bool:
    return getattr(fault, "errno", None) in {28, 122}  # ENOSPC, EDQUOT


def _reason(fault: Exception) -> str:
    # Addresses in the text of a network error may carry a user's name and password.
    if type(fault) is RuntimeError:
        return "no repository has it"
    return type(fault).__name__
