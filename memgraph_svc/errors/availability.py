"""Errors of the moment: nothing is wrong with the request, and later it may succeed.

In: nothing. Out: classes a retry can help, most of them.
"""

from __future__ import annotations

from memgraph_svc.errors.base import ServiceError


class ConsistencyTimeout(ServiceError):
    """The indexes have not caught up in time; try again, or allow a downgrade with allowDowngrade."""

    code = "consistency_timeout"
    retryable = True


class IndexTimeout(ConsistencyTimeout):
    """Everything is stored but not indexed yet; nothing needs to be sent again, and a retry with the same keys is safe."""

    code = "index_timeout"


class Unavailable(ServiceError):
    """The database cannot be reached right now; try again shortly."""

    code = "unavailable"
    retryable = True


class CredentialsRefused(Unavailable):
    """The database refuses our user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD."""

    retryable = False


class NotReady(Unavailable):
    """The service is still preparing its schema and indexes; try again shortly."""

    code = "not_ready"


class IndexMissing(Unavailable):
    """A search index is missing; run 'memgraph-svc migrate' to build it again."""

    code = "index_missing"


class Overloaded(Unavailable):
    """Too many writes are waiting for this namespace; try again shortly."""

    code = "overloaded"
