"""The one table from error codes to HTTP, and the one error body.

In: any exception. Out: ``{code, message, retryable, details?}``, flat and again under ``error``, since the reference
client reads ``retryable`` only from the nested form. Nothing of a database, a stack or a query reaches a client.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import structlog
from flask import Flask, Response, g, jsonify, request
from werkzeug.exceptions import HTTPException

from memgraph_svc.errors.base import Internal, ServiceError
from memgraph_svc.errors.request import InvalidRequest, MethodNotAllowed, NotFound, TooLarge, UnsupportedMediaType

STATUS: dict[str, int] = {
    "invalid_request": 400,
    "invalid_scope": 400,
    "invalid_bookmark": 400,
    "invalid_cursor": 400,
    "scope_mismatch": 400,
    "unauthorized": 401,
    "not_found": 404,
    "method_not_allowed": 405,
    "dedupe_conflict": 409,
    "dedupe_tombstoned": 409,
    "provenance_required": 409,
    "link_circle": 409,
    "sources_changed": 409,
    "job_state": 409,
    "too_large": 413,
    "wrong_host": 421,
    "unsupported_media_type": 415,
    "internal_error": 500,
    "extractor_failed": 502,
    "extractor_timeout": 504,
    "consistency_timeout": 504,
    "index_timeout": 504,
    "unavailable": 503,
    "not_ready": 503,
    "index_missing": 503,
    "overloaded": 503,
    "database_too_old": 503,
}
_FROM_HTTP: dict[int, type[ServiceError]] = {
    404: NotFound,
    405: MethodNotAllowed,
    413: TooLarge,
    415: UnsupportedMediaType,
}
_RETRY_AFTER_S = 1
_log = structlog.get_logger(__name__)


def register(app: Flask) -> None:
    """Let every failure of ``app`` answer in our shape."""
    app.register_error_handler(ServiceError, _refused)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def answer(error: ServiceError) -> Response:
    """The HTTP answer for an error."""
    shape: dict[str, Any] = error.body()
    made = jsonify({**shape, "error": shape})
    made.status_code = STATUS.get(error.code, 500)
    if made.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        made.headers["Retry-After"] = str(_RETRY_AFTER_S)
    if made.status_code == HTTPStatus.UNAUTHORIZED:
        made.headers["WWW-Authenticate"] = "Bearer"
    return made


def _refused(error: ServiceError) -> Response:
    return answer(error)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status == HTTPStatus.NOT_FOUND:
        return answer(NotFound(f"There is no route {request.method} {request.path[:100]}; see /docs."))
    kind = _FROM_HTTP.get(status)
    made = answer(kind() if kind else InvalidRequest(error.description or "The request is not valid."))
    if kind is None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
        made.status_code = status
    if kind is MethodNotAllowed:
        made.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or []))
    return made


def _unexpected(error: Exception) -> Response:
    # The exception's own text may quote what the caller sent, which is memory content: log its kind and place only.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}" if trace else ""
    _log.error("unexpected", kind=type(error).__name__, place=place, request_id=g.get("request_id"))
    return answer(Internal())
