"""Jobs are looked at, cancelled and started again over HTTP, each in its own scope and no other."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from memgraph_svc.graph.client import Graph
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.model.scope import Scope
from tests.support.api import Client
from tests.support.cypher import rows
from tests.support.jobs import change, put

UNKNOWN = {"code": "not_found", "message": "There is no job by that name in this scope.", "retryable": False}


def place(scope: Scope, **more: Any) -> str:
    return urlencode({**scope.wire(), **more})


def flat(shape: dict[str, Any]) -> dict[str, Any]:
    return {name: shape[name] for name in ("code", "message", "retryable")}


def test_a_job_is_the_same_by_every_way_of_asking(client: Client, graph: Graph, scope: Scope) -> None:
    name = put(graph, scope, kind="embed", trigger="manual")
    posted = client.post("/v0/get-job", {"scope": scope.wire(), "jobId": name})
    assert posted.status == 200, posted.raw
    shape = posted.json
    assert shape == {
        "jobId": name,
        "type": "embed",
        "status": "queued",
        "createdAt": shape["createdAt"],
        "updatedAt": shape["createdAt"],
        "attempts": 0,
        "trigger": "manual",
    }
    headers = {"x-tenant-id": scope.tenant_id, "x-namespace-id": scope.namespace_id}
    assert client.get(f"/v0/jobs/{name}?{place(scope)}").json == shape
    assert client.get(f"/v0/jobs/{name}", headers=headers).json == shape
    assert client.get(f"/v0/jobs?{place(scope)}").json == {"jobs": [shape]}
    assert client.get("/v0/jobs", headers=headers).json == {"jobs": [shape]}


def test_a_job_says_what_it_made_how_far_it_is_and_why_it_failed(client: Client, graph: Graph, scope: Scope) -> None:
    error = {"code": "x", "message": "no", "retryable": False}
    name = put(graph, scope)
    change(
        graph,
        name,
        status="failed",
        progressJson='{"done":1}',
        resultJson='{"n":2}',
        errorJson='{"code":"x","message":"no","retryable":false}',
    )
    shape = client.get(f"/v0/jobs/{name}?{place(scope)}").json
    assert (shape["progress"], shape["result"], shape["error"]) == ({"done": 1}, {"n": 2}, error)


def test_unknown_and_foreign_jobs_are_the_same_not_found(client: Client, graph: Graph, scope: Scope) -> None:
    name = put(graph, scope)
    narrow = Scope(scope.tenant_id, scope.namespace_id, "a1", "s1")
    mine = put(graph, narrow)
    other = Scope(scope.tenant_id, "other")
    for asked, job_id in (
        (scope, "job_none"),
        (other, name),
        (narrow, name),
        (Scope(scope.tenant_id, scope.namespace_id, "a2"), mine),
        (Scope(scope.tenant_id, scope.namespace_id, None, "s2"), mine),
    ):
        answers = [
            client.post("/v0/get-job", {"scope": asked.wire(), "jobId": job_id}),
            client.get(f"/v0/jobs/{job_id}?{place(asked)}"),
            client.post(f"/v0/jobs/{job_id}/cancel", {"scope": asked.wire()}),
            client.post(f"/v0/jobs/{job_id}/retry", {"scope": asked.wire()}),
        ]
        assert [(each.status, flat(each.json)) for each in answers] == [(404, UNKNOWN)] * 4
    assert client.get(f"/v0/jobs/{mine}?{place(scope)}").status == 200
    assert client.get(f"/v0/jobs/{mine}?{place(narrow)}").json["status"] == "queued"


def test_the_list_is_paged_filtered_and_newest_first(client: Client, graph: Graph, scope: Scope) -> None:
    names = [put(graph, scope, kind="even" if at % 2 == 0 else "odd") for at in range(7)]
    # Two of the same instant: the id decides, and neither is lost between pages.
    change(graph, names[2], status="failed")
    text = "MATCH (j:Job {id: $a}), (k:Job {id: $b}) SET k.createdAt = j.createdAt RETURN 1 AS n"
    rows(graph, text, a=names[3], b=names[4])
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = client.get(f"/v0/jobs?{place(scope, limit=2, **cursor)}").json
        seen += [each["jobId"] for each in page["jobs"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert seen == names[::-1]

    def listed(**more: Any) -> list[str]:
        return [each["jobId"] for each in client.get(f"/v0/jobs?{place(scope, **more)}").json["jobs"]]

    assert listed(kind="even") == names[::-2]
    assert listed(status="failed") == [names[2]]
    assert listed(status="failed", kind="odd") == []
    narrow = put(graph, Scope(scope.tenant_id, scope.namespace_id, "a1"))
    assert listed(agentId="a1") == [narrow]
    assert listed(limit=1) == [narrow]


def test_cancel_and_retry_follow_the_state(client: Client, graph: Graph, scope: Scope) -> None:
    name = put(graph, scope)

    def do(what: str) -> Any:
        return client.post(f"/v0/jobs/{name}/{what}", {"scope": scope.wire()})

    refused = do("retry")
    assert (refused.status, refused.json["code"], refused.json["error"]["retryable"]) == (409, "job_state", False)
    for _ in range(2):  # an answer that was lost may be asked for again
        assert (do("cancel").status, do("cancel").json["status"]) == (200, "cancelled")
    assert do("retry").json["status"] == "queued"
    store = JobStore(graph)
    job = store.claim("w", 30, scope.key)
    assert job is not None
    assert (do("cancel").status, do("cancel").json["status"]) == (200, "running")
    assert do("retry").status == 409
    assert store.fail(job, {"code": "x", "message": "x", "retryable": False}) is not None
    change(graph, name, status="completed")
    assert (do("cancel").status, do("retry").status) == (409, 409)


BAD_CURSORS = ["x", "%%%", "W10", "WzEsMl0", "WyJhIiwiYiJd", "é" * 50, "a" * 5000]


@pytest.mark.parametrize("cursor", BAD_CURSORS)
def test_a_cursor_of_nowhere_is_refused(client: Client, scope: Scope, cursor: str) -> None:
    answer = client.get(f"/v0/jobs?{place(scope, cursor=cursor)}")
    assert (answer.status, answer.json["code"]) == (400, "invalid_cursor")


def test_bad_requests_name_the_field(client: Client, scope: Scope) -> None:
    for path, code, field in (
        ("/v0/jobs", "invalid_scope", "scope."),
        ("/v0/jobs/job_x?tenantId=t", "invalid_scope", "scope.namespaceId"),
        ("/v0/jobs?tenantId=&namespaceId=n", "invalid_scope", "scope.tenantId"),
        (f"/v0/jobs?{place(scope, status='done')}", "invalid_request", "status"),
        (f"/v0/jobs?{place(scope, limit=101)}", "invalid_request", "limit"),
        (f"/v0/jobs?{place(scope, limit=0)}", "invalid_request", "limit"),
        (f"/v0/jobs?{place(scope, what=1)}", "invalid_request", "what"),
    ):
        answer = client.get(path)
        assert (answer.status, answer.json["code"]) == (400, code), path
        assert answer.json["details"]["path"].startswith(field)
    answer = client.post("/v0/get-job", {"scope": scope.wire()})
    assert (answer.status, answer.json["details"]["path"]) == (400, "jobId")
    assert client.post("/v0/get-job", {"scope": {"tenantId": "t"}, "jobId": "x"}).json["code"] == "invalid_scope"
