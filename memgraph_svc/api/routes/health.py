"""GET /health, /health/live, /health/ready."""

from __future__ import annotations

from importlib.metadata import version

from flask import Response
from flask_smorest import Blueprint as PlainBlueprint

from memgraph_svc.api.contract import reply, services

blueprint = PlainBlueprint("health", __name__, url_prefix="/health", description="For load balancers and people")


@blueprint.route("", methods=["GET"])
@blueprint.response(200, description="The service can work")
def health() -> Response:
    """Whether the service can work, and what it stands on; 503 with the reason when it cannot."""
    stands_on = services().readiness.check()
    return reply(
        {
            "ok": True,
            "service": "memgraph-svc",
            "version": version("memgraph-svc"),
            "storage": {"kind": "neo4j", "version": stands_on["neo4j"]},
        }
    )


@blueprint.route("/live", methods=["GET"])
@blueprint.response(200, description="The process answers")
def live() -> Response:
    """The process answers; says nothing of the database."""
    return reply({"live": True})


@blueprint.route("/ready", methods=["GET"])
@blueprint.response(200, description="Requests can be served")
def ready() -> Response:
    """The schema is applied, all indexes are online and the database answers; 503 with the reason otherwise."""
    services().readiness.check()
    return reply({"ready": True})
