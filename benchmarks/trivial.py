"""The floor of HTTP: a Flask route that parses JSON and answers JSON, and does nothing else.

Served by the same gunicorn with the same settings as the API: ``gunicorn -c python:memgraph_svc.gunicorn_conf
benchmarks.trivial:app``.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from flask import Flask, Response, jsonify, request

_REF = {"id": "ep_01kx0000000000000000000000", "type": "episode", "scope": {"tenantId": "bench", "namespaceId": "n"}}

app = Flask(__name__)


@cache
def answer(size: int) -> list[dict[str, Any]]:
    """Refs that take about that many bytes as JSON."""
    return [_REF] * max(1, size // len(json.dumps(_REF, separators=(",", ":"))))


@app.route("/trivial/<int:size>", methods=["GET", "POST"])
def trivial(size: int) -> Response:
    """Parse what was sent, answer as much as was asked for."""
    if request.method == "POST":
        request.get_json()
    return jsonify({"refs": answer(size)})


@app.get("/health/ready")
def ready() -> Response:
    """As soon as it is up."""
    return jsonify({"status": "ok"})
