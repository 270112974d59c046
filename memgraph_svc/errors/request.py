"""Errors of a request: what was sent cannot be taken.

In: nothing. Out: classes a caller can mend by sending something else.
"""

from __future__ import annotations

from memgraph_svc.errors.base import ServiceError


class InvalidRequest(ServiceError):
    """The request is not valid; see details.path for the field."""

    code = "invalid_request"


class InvalidScope(InvalidRequest):
    """The scope must name a tenantId and a namespaceId."""

    code = "invalid_scope"


class InvalidBookmark(InvalidRequest):
    """The Memory-Bookmark is not one of ours; send what a write answered, or leave it out."""

    code = "invalid_bookmark"


class InvalidCursor(InvalidRequest):
    """The cursor is not one of ours; begin again without one."""

    code = "invalid_cursor"


class ScopeMismatch(InvalidRequest):
    """The cursor belongs to another namespace; use it where it came from, or begin again without one."""

    code = "scope_mismatch"


class Unauthorized(ServiceError):
    """Missing or invalid bearer token; send 'Authorization: Bearer <token>'."""

    code = "unauthorized"


class WrongHost(ServiceError):
    """Without a token this service answers to localhost only; call it as http://localhost or set MEMGRAPH_API_TOKEN."""

    code = "wrong_host"


class NotFound(ServiceError):
    """There is nothing by that name in this scope."""

    code = "not_found"


class MethodNotAllowed(ServiceError):
    """That method is not offered on this route; see the Allow header."""

    code = "method_not_allowed"


class TooLarge(ServiceError):
    """The request body is larger than the limit; send less at once."""

    code = "too_large"


class UnsupportedMediaType(ServiceError):
    """The request body must be JSON with content-type application/json."""

    code = "unsupported_media_type"
