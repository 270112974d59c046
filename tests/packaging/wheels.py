"""Build and install the package the way a user's pip does."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """The command's standard output; on failure, an assertion that shows both streams."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build_wheel(source: Path, target: Path) -> Path:
    """The one wheel that ``source`` builds into ``target``."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, source)
    (wheel,) = target.glob("memgraph_svc-*.whl")
    return wheel


def names_in(wheel: Path) -> set[str]:
    """The files inside a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


class Bare:
    """A fresh environment with nothing in it but what a test installs."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / "bin"

    def install(self, *what: str | Path) -> None:
        """Install into this environment."""
        run(self.bin / "python", "-m", "pip", "install", "--quiet", *what)

    def python(self, code: str, cwd: Path) -> str:
        """What the code prints, run outside the checkout."""
        return run(self.bin / "python", "-I", "-c", code, cwd=cwd)
