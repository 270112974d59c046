"""Find free ports, and say who holds a taken one."""

from __future__ import annotations

import errno
import socket

import psutil

from memgraph_svc.errors.start import PortTaken


def check_free(port: int, purpose: str, change: str, host: str = "127.0.0.1") -> None:
    """Raise ``PortTaken`` when something listens there; the message names it and the setting to change."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # A port that only waits for its last packets to die is free for a server.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as cause:
            raise PortTaken(_why(cause, port, purpose, change, host)) from None


def _why(cause: OSError, port: int, purpose: str, change: str, host: str) -> str:
    if cause.errno == errno.EACCES:
        return f"Port {port} ({purpose}) is only for privileged users. Choose one above 1023 with {change}."
    if cause.errno != errno.EADDRINUSE:
        return f"Nothing can listen on {host} ({purpose}): {cause.strerror}. Choose an address of this machine."
    return f"Port {port} ({purpose}) is taken{_holder(port)}. Choose another with {change}."


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _holder(port: int) -> str:
    try:
        for each in psutil.net_connections("tcp"):
            if each.laddr and each.laddr.port == port and each.status == psutil.CONN_LISTEN and each.pid:
                return f" by {psutil.Process(each.pid).name()} (process {each.pid})"
    except psutil.Error:
        pass  # other people's processes may be hidden from us
    return ""
