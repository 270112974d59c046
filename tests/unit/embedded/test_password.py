"""The password is made once, is long, and is readable by its owner only."""

from __future__ import annotations

import stat
from pathlib import Path

from memgraph_svc.embedded.server import EmbeddedServer


def server(folder: Path) -> EmbeddedServer:
    made = EmbeddedServer(folder / "data", 1, 2)
    made._make_folders()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_and_its_password_are_the_owner_s_alone(tmp_path: Path) -> None:
    made = server(tmp_path)
    made._keep_password()
    assert (mode(made.data_dir), mode(made.password_file)) == (0o700, 0o600)
    assert len(made.connection().password) >= 32
    assert made.connection().password not in repr(made)


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data").chmod(0o755)
    made = server(tmp_path)
    made._keep_password()
    assert (mode(made.data_dir), mode(made.password_file)) == (0o755, 0o600)


def test_the_password_is_kept(tmp_path: Path) -> None:
    made = server(tmp_path)
    made._keep_password()
    first = made.connection().password
    made._keep_password()
    assert made.connection().password == first


def test_two_folders_have_two_passwords(tmp_path: Path) -> None:
    found: set[str] = set()
    for name in ("one", "two"):
        made = server(tmp_path / name)
        made._keep_password()
        found.add(made.connection().password)
    assert len(found) == 2
