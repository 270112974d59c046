"""How a route says what it takes and gives.

In: a marshmallow schema for the request. Out: a checked dict for the handler, or an ``InvalidRequest`` that names the
field. Answers are built by hand and described by a schema that the tests validate against, so that serving does not pay
for a second pass over its own data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, cast

import marshmallow as ma
from flask import Request, Response, current_app, jsonify
from flask_smorest import Blueprint as _Blueprint
from marshmallow.exceptions import SCHEMA
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from memgraph_svc.api import body
from memgraph_svc.errors.request import InvalidRequest, InvalidScope, TooLarge

if TYPE_CHECKING:
    from memgraph_svc.assemble.context import ContextService
    from memgraph_svc.assemble.hydrate import HydrateService
    from memgraph_svc.assemble.index_section import IndexService
    from memgraph_svc.assemble.memories import MemoriesService
    from memgraph_svc.assemble.query import QueryService
    from memgraph_svc.cascade.service import CascadeService
    from memgraph_svc.config import Settings
    from memgraph_svc.derive.service import ConsolidateService
    from memgraph_svc.feed.service import FeedService
    from memgraph_svc.graph.readiness import Readiness
    from memgraph_svc.graph.secrets import Secrets
    from memgraph_svc.ingest.service import IngestService
    from memgraph_svc.jobs.service import JobService
    from memgraph_svc.lifecycle.service import LifecycleService


class Parser(FlaskParser):
    """Reads bodies with our strict JSON reader and reports in our error shape."""

    DEFAULT_VALIDATION_STATUS = 400
    # Each schema says itself whether it is open; webargs would otherwise decide by location.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}  # noqa: RUF012

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """The body as a checked tree; an absent content type is taken as JSON."""
        most = services().settings.max_body_bytes
        try:
            # A chunked body has no length to refuse it by; one byte more than allowed tells.
            raw = req.stream.read(most + 1) if req.content_length is None else req.get_data(cache=False)
        except HTTPException:
            raise  # a declared length over the limit
        except Exception:  # noqa: BLE001  whatever the server calls a broken chunk or a client that went away
            raise InvalidRequest("The body could not be read to its end.") from None
        if len(raw) > most:
            raise TooLarge
        return body.parse(raw)

    def handle_error(self, error: ma.ValidationError, *_: Any, **__: Any) -> NoReturn:
        """Turn marshmallow's findings into one error with every path."""
        found = cast("dict[str, Any]", error.messages)
        raise invalid(found.get("json", found.get("query", found)))


class Blueprint(_Blueprint):
    """A group of routes that uses our parser."""

    ARGUMENTS_PARSER = Parser()


def problems(messages: Any, path: tuple[str | int, ...] = ()) -> Iterable[tuple[tuple[str | int, ...], str]]:
    """Flatten marshmallow's nested messages into (path, message) pairs."""
    if isinstance(messages, dict):
        for key, inner in cast("dict[str | int, Any]", messages).items():
            yield from problems(inner, path if key == SCHEMA else (*path, key))
    elif isinstance(messages, (list, tuple)):
        for inner in cast("list[Any]", messages):
            yield from problems(inner, path)
    else:
        yield path, str(messages)


def invalid(messages: Any, base: tuple[str | int, ...] = ()) -> InvalidRequest:
    """The error for a request that a schema refused: its message names the first field, its details name all."""
    found = [(body.path_text((*base, *path)), text) for path, text in problems(messages)]
    path, text = found[0] if found else ("", "is not valid")
    details: dict[str, Any] = {"path": path}
    if len(found) > 1:
        details["errors"] = [{"path": each, "message": said} for each, said in found[:50]]
    kind = InvalidScope if path == "scope" or path.startswith("scope.") else InvalidRequest
    return kind(f"{path}: {text}" if path else text, details)


@dataclass(frozen=True)
class Services:
    """What the routes call; made once per process by ``app.py``."""

    settings: Settings
    readiness: Readiness
    secrets: Secrets
    ingest: IngestService
    query: QueryService
    hydrate: HydrateService
    context: ContextService
    index: IndexService
    feed: FeedService
    cascade: CascadeService
    consolidate: ConsolidateService
    lifecycle: LifecycleService
    jobs: JobService
    memories: MemoriesService


def services() -> Services:
    """The services of this process."""
    return cast("Services", current_app.extensions["memgraph"])


def bounded(field: str, items: list[Any]) -> None:
    """Refuse more items at once than the settings allow; raises ``InvalidRequest`` naming the field."""
    most = services().settings.max_batch
    if len(items) > most:
        raise InvalidRequest(f"{field}: at most {most} at once; send the rest in further requests.", {"path": field})


def reply(shape: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    made = jsonify(shape)
    made.status_code = status
    for name, value in (headers or {}).items():
        made.headers[name] = value
    return made
