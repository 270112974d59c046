"""How gunicorn serves the API: ``gunicorn -c python:memgraph_svc.gunicorn_conf memgraph_svc.wsgi:app``.

Threads share a process, so that concurrent writes of one namespace can share a transaction; the application is made in
each process after the fork, since a database driver used before it breaks in the children.
"""

from __future__ import annotations

from typing import Any

from memgraph_svc.app import check_exposure
from memgraph_svc.config import load

_settings = load()
check_exposure(_settings)

bind = f"{_settings.host}:{_settings.port}"
workers = _settings.api_workers
worker_class = "gthread"
threads = _settings.api_threads
preload_app = False
timeout = 120
graceful_timeout = 30
# Longer than the idle time of common clients and proxies, so that the server is not the one to close first.
keepalive = 75
backlog = 1024
loglevel = "warning"
limit_request_line = 8190
limit_request_field_size = 16_384


def pre_request(_worker: Any, request: Any) -> None:
    """Give up on a client that announces a body and does not send it: each waits on a thread of ours."""
    request.unreader.sock.settimeout(_settings.read_timeout_s)
