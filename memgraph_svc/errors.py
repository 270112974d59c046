"""Every error this service can answer with, as one small tree.

In: nothing. Out: classes that fix a stable ``code`` and whether a retry can help. HTTP statuses are decided in
``api/errors.py``; database errors become these in ``graph/client.py``; nothing in between knows either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class ServiceError(Exception):
    """A refusal with a stable code; its default message is this sentence."""

    code: ClassVar[str] = "internal_error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip().splitlines()[0])
        self.details: dict[str, Any] = dict(details or {})

    @property
    def message(self) -> str:
        """The sentence a caller reads; it says what to do where something can be done."""
        return str(self.args[0])

    def body(self) -> dict[str, Any]:
        """The wire form ``{code, message, retryable, details?}``."""
        shape: dict[str, Any] = {"code": self.code, "message": self.message, "retryable": self.retryable}
        if self.details:
            shape["details"] = self.details
        return shape


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


class DedupeConflict(ServiceError):
    """The dedupe key is already used by an episode with other content; use a new key for new content."""

    code = "dedupe_conflict"


class DedupeTombstoned(ServiceError):
    """The dedupe key belongs to an episode that was deleted; it is not stored again."""

    code = "dedupe_tombstoned"


class JobState(ServiceError):
    """The job is not in a state for that; look at it first."""

    code = "job_state"


class ProvenanceRequired(ServiceError):
    """Derived memory needs a source: this is its last one; delete the memory itself instead."""

    code = "provenance_required"


class SourcesChanged(ServiceError):
    """The sources of a derivation changed while it was made; it is made again from what is there now."""

    code = "sources_changed"
    retryable = True


class ExtractorFault(ServiceError):
    """An extractor plugin failed on an episode; the episode is stored, and extraction is tried again."""

    code = "extractor_failed"
    retryable = True


class ExtractorTimeout(ExtractorFault):
    """An extractor plugin took too long for an episode and was ended; raise MEMGRAPH_EXTRACTOR_TIMEOUT_S if it needs to."""

    code = "extractor_timeout"


class LinkCircle(ServiceError):
    """The link would close a circle: what it starts from already rests on, or is replaced by, what it leads to."""

    code = "link_circle"


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


class DatabaseTooOld(ServiceError):
    """The Neo4j server is too old; use 2026.02 or later."""

    code = "database_too_old"


class ConfigError(ServiceError):
    """A setting is wrong."""

    code = "config_error"


class StartError(ServiceError):
    """The service cannot be started."""

    code = "start_failed"


class PortTaken(StartError):
    """A port is taken by another program."""

    code = "port_taken"


class DataFolderBusy(StartError):
    """Another server uses the data folder."""

    code = "data_folder_busy"


class DiskFull(StartError):
    """There is too little room on the disk."""

    code = "disk_full"


class MemoryShort(StartError):
    """There is too little memory."""

    code = "memory_short"


class DownloadFailed(StartError):
    """A file of the embedded server cannot be fetched."""

    code = "download_failed"


class Internal(ServiceError):
    """Something went wrong on our side; the log holds the details under this request's id."""

    code = "internal_error"
