"""POST /v0/ingest and POST /v0/remember."""

from __future__ import annotations

from typing import Any, cast

import marshmallow as ma
from flask import Response

from memgraph_svc.api.contract import Blueprint, bounded, invalid, reply, services
from memgraph_svc.api.schemas.ingest import (
    EpisodeSchema,
    IngestRequest,
    IngestResponse,
    RememberRequest,
    RememberResponse,
)
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.ingest.episode import EpisodeDraft

blueprint = Blueprint("ingest", __name__, url_prefix="/v0", description="Make memory durable")
_EPISODE = EpisodeSchema()


@blueprint.route("/ingest", methods=["POST"])
@blueprint.arguments(IngestRequest)
@blueprint.response(200, IngestResponse)
def ingest(wanted: dict[str, Any]) -> Response:
    """Store a batch of episodes.

    A bad or conflicting episode is `rejected` with its reason and does not stop the others. A retry with the same dedupe
    keys is safe: it answers `deduplicated` with the first refs.
    """
    if wanted["consistency"] == "indexed":
        services().readiness.search()
    bounded("episodes", wanted["episodes"])
    items = [_checked(at, each) for at, each in enumerate(wanted["episodes"])]
    indexed = wanted["consistency"] == "indexed"
    return reply({"results": services().ingest.ingest(wanted["scope"], items, indexed=indexed)})


@blueprint.route("/remember", methods=["POST"])
@blueprint.arguments(RememberRequest)
@blueprint.response(200, RememberResponse)
def remember(wanted: dict[str, Any]) -> Response:
    """Save a note an agent states directly: an episode, and the atom derived from it.

    Saving a slug again makes a new version that supersedes the old one; saving the same note again only adds a source.
    Memories it names in `supersedes`, `contradicts`, `supports` or `sources` must exist: a missing one is a 404 that
    names the field, and nothing is written.
    """
    return reply(services().ingest.remember(wanted["scope"], wanted["draft"]))


def _checked(at: int, raw: Any) -> EpisodeDraft | ServiceError:
    try:
        return cast("EpisodeDraft", _EPISODE.load(raw))
    except ma.ValidationError as error:
        return invalid(error.messages, ("episodes", at))
