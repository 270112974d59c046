"""A port that cannot be used is refused with its number, its holder and the setting to change."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator

import psutil
import pytest

from memgraph_svc.embedded.ports import _why, check_free, free_port
from memgraph_svc.errors.start import PortTaken


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_a_free_port_passes() -> None:
    check_free(free_port(), "Bolt", "--bolt-port")


def test_a_taken_port_names_its_holder_and_the_setting(taken: int) -> None:
    with pytest.raises(PortTaken) as refused:
        check_free(taken, "Bolt", "--bolt-port or MEMGRAPH_BOLT_PORT")
    name = psutil.Process().name()
    assert refused.value.message == (
        f"Port {taken} (Bolt) is taken by {name} (process {os.getpid()}). "
        "Choose another with --bolt-port or MEMGRAPH_BOLT_PORT."
    )


def test_a_holder_that_the_system_hides_is_left_out(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(_: str) -> list[object]:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil, "net_connections", hidden)
    with pytest.raises(PortTaken, match=rf"^Port {taken} \(Bolt\) is taken\. Choose"):
        check_free(taken, "Bolt", "--bolt-port")


def test_a_port_whose_last_connection_is_dying_is_free() -> None:
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            accepted, _ = holder.accept()
            accepted.close()  # closed here first: this side keeps the port in TIME_WAIT
    check_free(port, "Bolt", "--bolt-port")


def test_a_privileged_port_is_told_from_a_taken_one() -> None:
    cause = OSError(errno.EACCES, "Permission denied")
    assert "only for privileged users" in _why(cause, 80, "API", "--port", "127.0.0.1")


def test_an_address_of_another_machine_is_told_from_a_taken_port() -> None:
    with pytest.raises(PortTaken, match=r"Nothing can listen on 192\.0\.2\.1 \(API\)"):
        check_free(free_port(), "API", "--port", "192.0.2.1")
