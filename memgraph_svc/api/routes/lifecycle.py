"""POST /v0/links, /v0/pin, /v0/unpin and /v0/confirm."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, reply, services
from memgraph_svc.api.schemas.lifecycle import (
    ConfirmResponse,
    LinkRequest,
    LinkResponse,
    PinResponse,
    TargetRequest,
)

blueprint = Blueprint("lifecycle", __name__, url_prefix="/v0", description="Relate, pin and confirm memory")


@blueprint.route("/links", methods=["POST"])
@blueprint.arguments(LinkRequest)
@blueprint.response(200, LinkResponse)
def links(wanted: dict[str, Any]) -> Response:
    """Join two memories of one scope.

    `contradicts` sets both into dispute, `supersedes` retires the older one, `derived_from` adds a source; other types
    change no state. The same link again is given back as `exists`. A missing end is a 404 that names it.
    """
    return reply(services().lifecycle.link(wanted["scope"], wanted["draft"]))


@blueprint.route("/pin", methods=["POST"])
@blueprint.arguments(TargetRequest)
@blueprint.response(200, PinResponse)
def pin(wanted: dict[str, Any]) -> Response:
    """Let the body of a live note stand in the memory index."""
    return reply(services().lifecycle.pin(wanted["scope"], wanted["target"], wanted["actor"], pinned=True))


@blueprint.route("/unpin", methods=["POST"])
@blueprint.arguments(TargetRequest)
@blueprint.response(200, PinResponse)
def unpin(wanted: dict[str, Any]) -> Response:
    """Take the body of a note out of the memory index; its title stays."""
    return reply(services().lifecycle.pin(wanted["scope"], wanted["target"], wanted["actor"], pinned=False))


@blueprint.route("/confirm", methods=["POST"])
@blueprint.arguments(TargetRequest)
@blueprint.response(200, ConfirmResponse)
def confirm(wanted: dict[str, Any]) -> Response:
    """Say that a memory still holds: sets `lastVerifiedAt`, and clears a stale mark that no deletion caused."""
    return reply(services().lifecycle.confirm(wanted["scope"], wanted["target"], wanted["actor"]))
