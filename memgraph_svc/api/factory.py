"""Make the Flask application from its services.

In: services. Out: an application with every route, the error shape, the token check and the published contract.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import time
from importlib.metadata import version
from typing import Any, cast
from urllib.parse import urlsplit

import structlog
from apispec import APISpec
from flask import Flask, Response, g, request
from flask.json.provider import DefaultJSONProvider
from flask_smorest import Api
from flask_swagger_ui import get_swaggerui_blueprint  # pyright: ignore[reportUnknownVariableType]  untyped package

from memgraph_svc import bookmarks
from memgraph_svc.api import bookmark, errors
from memgraph_svc.api.contract import Services, services
from memgraph_svc.api.routes import (
    assemble_context,
    consolidate,
    events,
    health,
    hydrate,
    index,
    ingest,
    jobs,
    lifecycle,
    memories,
    query,
    tombstone,
)
from memgraph_svc.api.schemas.common import ErrorBody
from memgraph_svc.config import is_loopback
from memgraph_svc.errors.request import Unauthorized, UnsupportedMediaType, WrongHost

_ROUTES = (
    ingest,
    query,
    hydrate,
    assemble_context,
    index,
    events,
    tombstone,
    consolidate,
    lifecycle,
    jobs,
    memories,
    health,
)
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger("memgraph_svc.request")


class _Json(DefaultJSONProvider):
    """Compact JSON with real characters, keys in the order in which we say them."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return json.dumps(obj, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def response(self, *args: Any, **kwargs: Any) -> Any:
        return self._app.response_class(
            self.dumps(self._prepare_response_obj(args, kwargs)), mimetype="application/json"
        )


class _Api(Api):
    """The published contract, with our error body."""

    ERROR_SCHEMA = ErrorBody


def create(served: Services) -> Flask:
    """The application; nothing is connected before its first request."""
    app = Flask("memgraph_svc")
    app.json = _Json(app)
    app.config.update(
        MAX_CONTENT_LENGTH=served.settings.max_body_bytes,
        API_TITLE="memgraph-svc",
        API_VERSION=version("memgraph-svc"),
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
        OPENAPI_JSON_PATH="openapi.json",
    )
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.extensions["memgraph"] = served
    api = _Api(app)
    errors.register(app)  # after Api, whose own handlers give another error body
    for module in _ROUTES:
        api.register_blueprint(module.blueprint)
    cast("APISpec", api.spec).components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    app.register_blueprint(get_swaggerui_blueprint("/docs", "/openapi.json", config={"app_name": "memgraph-svc"}))
    app.before_request(_begin)
    app.after_request(_end)
    return app


def _begin() -> None:
    bookmarks.begin()
    g.started = time.perf_counter()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    if not request.path.startswith("/v0/"):
        return
    served = services()
    if not served.settings.api_token:
        _answer_to_localhost_only()
    _authorise(served.settings.api_token)
    # A form or plain-text post needs no preflight, so any web page could write into a local memory with one.
    if request.method == "POST" and not request.is_json:
        raise UnsupportedMediaType
    served.readiness.gate()
    told = request.headers.get(bookmark.HEADER)
    bookmarks.begin(bookmark.decode(served.secrets.key("bookmark"), told) if told else ())


def _answer_to_localhost_only() -> None:
    # A web page can let its own name point at this machine and would then be of the same origin as we are; the name it
    # was called by gives it away. With a token such a page has nothing to send.
    name = urlsplit(f"//{request.host}").hostname or ""
    if not is_loopback(name):
        raise WrongHost


def _authorise(token: str) -> None:
    if not token:
        return
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        raise Unauthorized


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.request_id
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["X-Content-Type-Options"] = "nosniff"
    if (written := bookmarks.written()) and request.path.startswith("/v0/"):
        response.headers[bookmark.HEADER] = bookmark.encode(services().secrets.key("bookmark"), written)
    _log.info(
        "request",
        method=request.method,
        route=str(request.url_rule or ""),
        status=response.status_code,
        ms=round((time.perf_counter() - g.started) * 1000, 2),
        request_id=g.request_id,
    )
    return response
