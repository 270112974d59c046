"""POST /v0/tombstone, GET /v0/receipts and GET /v0/receipts/{receiptId}."""

from __future__ import annotations

from typing import Any

from flask import Response

from memgraph_svc.api.contract import Blueprint, bounded, reply, services
from memgraph_svc.api.schemas.common import ScopeArgs
from memgraph_svc.api.schemas.tombstone import (
    ReceiptsArgs,
    ReceiptSchema,
    ReceiptsResponse,
    TombstoneRequest,
    TombstoneResponse,
)
from memgraph_svc.cascade.tombstone import Wish
from memgraph_svc.model.memory import Actor
from memgraph_svc.model.scope import Scope

blueprint = Blueprint("tombstone", __name__, url_prefix="/v0", description="Delete memory, and prove it")
_NOBODY = Actor("api", "system")


@blueprint.route("/tombstone", methods=["POST"])
@blueprint.arguments(TombstoneRequest)
@blueprint.response(200, TombstoneResponse)
def tombstone(wanted: dict[str, Any]) -> Response:
    """Delete memories or links, and settle what was derived from them.

    On return nothing of what was deleted is found, read or assembled any more. Unknown and foreign refs are `not_found`;
    a retry answers `already_tombstoned`.
    """
    bounded("refs", wanted["refs"])
    wish = Wish(
        scope=wanted["scope"],
        refs=wanted["refs"],
        reason=wanted["reason"],
        policy=wanted["cascadePolicy"],
        actor=wanted.get("requestedBy") or _NOBODY,
        max_depth=wanted["maxDepth"],
        sole_support_only=wanted["soleSupportOnly"],
    )
    return reply(services().cascade.tombstone(wish, dry_run=wanted["dryRun"]))


@blueprint.route("/receipts", methods=["GET"])
@blueprint.arguments(ReceiptsArgs, location="query")
@blueprint.response(200, ReceiptsResponse)
def receipts(wanted: dict[str, Any]) -> Response:
    """List the receipts of deletions, newest first."""
    found = services().cascade.receipts(wanted["scope"], wanted.get("before"), wanted["limit"])
    return reply({"receipts": found})


@blueprint.route("/receipts/<receipt_id>", methods=["GET"])
@blueprint.arguments(ScopeArgs, location="query")
@blueprint.response(200, ReceiptSchema)
def receipt(wanted: dict[str, Any], receipt_id: str) -> Response:
    """Read one receipt: what a deletion removed and what it left."""
    scope: Scope = wanted["scope"]
    return reply(services().cascade.receipt(scope, receipt_id))
