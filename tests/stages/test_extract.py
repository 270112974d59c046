"""Episodes give claims through plugins; a plugin that fails costs a job an attempt, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memgraph_svc.cascade.plan import Policy
from memgraph_svc.cascade.service import CascadeService
from memgraph_svc.cascade.tombstone import Wish
from memgraph_svc.derive.extract import Extraction, ExtractProposal
from memgraph_svc.derive.sandbox import Sandbox
from memgraph_svc.embed.local import LocalEmbedder
from memgraph_svc.errors.base import ServiceError
from memgraph_svc.errors.work import ExtractorFault
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.episode import EpisodeDraft
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.jobs.fencing import hold
from memgraph_svc.jobs.kinds import handlers
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.jobs.worker import Worker
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.model.job import Job, LeaseLost
from memgraph_svc.model.memory import Actor, Kind, Ref
from memgraph_svc.model.scope import Scope
from memgraph_svc.write.lanes import Lanes
from tests.support import told
from tests.support.cypher import rows
from tests.support.jobs import stored

PLUGINS = Path(__file__).resolve().parents[1] / "plugins" / "fragile"
ME = Actor("u1", "user")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PLUGINS))


@pytest.fixture
def box() -> Iterator[Sandbox]:
    made = Sandbox(2)
    yield made
    made.close()


@pytest.fixture
def extraction(graph: Graph, lanes: Lanes, box: Sandbox) -> Extraction:
    return Extraction(graph, lanes, Vectors(), box, ["fragile"])


@pytest.fixture
def ingest(graph: Graph, lanes: Lanes) -> IngestService:
    return IngestService(graph, lanes, Secrets(graph), extract=True)


def tell(ingest: IngestService, scope: Scope, *texts: str, **metadata: Any) -> list[str]:
    results = ingest.ingest(scope, [EpisodeDraft("text/plain", text, ME, None, metadata) for text in texts])
    return [each["ref"]["id"] for each in results]


def queued(graph: Graph, scope: Scope) -> list[str]:
    text = "MATCH (j:Job {scopeKey: $k, kind: 'extract'}) RETURN j.id AS id ORDER BY j.createdAt"
    return [row["id"] for row in rows(graph, text, k=scope.key)]


def run(graph: Graph, scope: Scope, extraction: Extraction, beats: list[Any] | None = None) -> Job:
    """Take the next job and run it here; the job, with what it reported last."""
    store = JobStore(graph)
    job = store.claim("test", 60, scope.key)
    assert job is not None
    seen: list[Any] = [] if beats is None else beats

    def beat(progress: Any = None) -> None:
        if progress is not None:
            seen.append(progress)

    try:
        extraction.run(job, beat, lambda read: hold(read, job.scope.key, job.id, job.fence))
    except ServiceError as fault:
        store.fail(job, {"code": fault.code, "message": fault.message, "retryable": fault.retryable}, seen[-1])
        raise
    return job


def again(graph: Graph, job_id: str) -> None:
    """Let a job that waits for its next attempt be due now."""
    text = "MATCH (j:Job {id: $id}) SET j.readyAt = datetime() - duration('PT1S') RETURN j.id AS id"
    rows(graph, text, id=job_id)


def everything(graph: Graph, scope: Scope) -> list[Any]:
    """Every memory and link of the namespace, as it stands."""
    text = (
        "MATCH (m:Memory {scopeKey: $k}) OPTIONAL MATCH (m)-[r]->(o:Memory) "
        "RETURN m.id AS id, properties(m) AS m, collect([type(r), r.id, o.id]) AS links ORDER BY id"
    )
    return [(row["id"], str(row["m"]), sorted(map(str, row["links"]))) for row in rows(graph, text, k=scope.key)]


def test_claims_become_atoms_that_name_their_episode(
    graph: Graph, lanes: Lanes, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    own = Scope(scope.tenant_id, scope.namespace_id, "agent-1", "s1")
    first, second = tell(ingest, own, "Ada lives in Rome. Ada likes tea.", "Nothing to see.")
    (name,) = queued(graph, scope)
    assert stored(graph, name)["createdById"] == "u1"
    assert told.claims(graph, scope) == {}
    run(graph, scope, extraction)
    made = told.claims(graph, scope)
    assert set(made) == {"Rome", "tea"}
    rome = made["Rome"]
    assert rome["sources"] == [first]
    assert (rome["producedBy"], rome["transformation"], rome["createdById"]) == (
        "fragile",
        "extraction",
        "memgraph-svc",
    )
    assert (rome["agentId"], rome["sessionId"], rome["confidence"]) == ("agent-1", "s1", 0.9)
    assert rome["content"] == "Ada lives in Rome."
    assert rome.get("dated") is None
    job = stored(graph, name)
    assert (job["status"], job["resultJson"]) == ("completed", '{"atoms":2,"episodes":2}')
    assert {each[1] for each in told.events(graph, scope, "atom.extracted")} == {each["id"] for each in made.values()}
    assert told.status(graph, second) == "active"


def test_a_move_ends_the_residence_before(
    graph: Graph, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    tell(ingest, scope, "Ada lives in Rome", occurredAt="2026-01-01T00:00:00Z")
    run(graph, scope, extraction)
    tell(ingest, scope, "Ada lives in Oslo", occurredAt="2026-03-01T00:00:00Z")
    run(graph, scope, extraction)
    assert told.states(graph, scope) == {"Rome": "superseded", "Oslo": "active"}


def test_the_same_claim_in_two_episodes_is_one_atom(
    graph: Graph, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    ids = tell(ingest, scope, "Ada likes tea", "Ada likes tea. Ada likes tea.")
    run(graph, scope, extraction)
    assert sorted(told.claims(graph, scope)["tea"]["sources"]) == sorted(ids)


def test_running_it_again_changes_nothing(
    graph: Graph, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    dated = "2026-01-01T00:00:00Z"
    tell(ingest, scope, "Ada lives in Rome", "Ada likes tea. Bo likes tea", occurredAt=dated)
    tell(ingest, scope, "Ada lives in Oslo. Ada likes tea", "Ada lives in Lima", occurredAt="2026-02-01T00:00:00Z")
    for _ in queued(graph, scope):
        run(graph, scope, extraction)
    before, events = everything(graph, scope), told.events(graph, scope)
    text = "MATCH (j:Job {id: $id}) SET j.status = 'queued', j.readyAt = datetime() RETURN j.id AS id"
    for name in queued(graph, scope):
        rows(graph, text, id=name)
        run(graph, scope, extraction)
    assert everything(graph, scope) == before
    assert told.events(graph, scope) == events


def test_an_episode_that_fails_does_not_stop_the_others(
    graph: Graph, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    good, bad, worse = tell(ingest, scope, "Ada likes tea", "BOOMTEXT Ada likes rum", "GARBAGETEXT")
    (name,) = queued(graph, scope)
    with pytest.raises(ExtractorFault) as fault:
        run(graph, scope, extraction)
    assert fault.value.details == {"episodes": [bad, worse]}
    assert set(told.claims(graph, scope)) == {"tea"}
    assert told.status(graph, bad) == "active"
    job = stored(graph, name)
    assert job["status"] == "queued"
    assert all(part in job["errorJson"] for part in ("extractor_failed", "fragile", "RuntimeError", bad, worse))
    assert "rum" not in job["errorJson"]
    # Only those two are tried again, and once they succeed the counts are whole.
    rows(graph, "MATCH (e:Episode {id: $id}) SET e.content = 'Ada likes rum' RETURN e.id AS id", id=bad)
    rows(graph, "MATCH (e:Episode {id: $id}) SET e.content = 'Nothing' RETURN e.id AS id", id=worse)
    again(graph, name)
    beats: list[Any] = []
    run(graph, scope, extraction, beats)
    assert {each["of"] for each in beats} == {2}
    assert stored(graph, name)["resultJson"] == '{"atoms":2,"episodes":3}'
    assert told.claims(graph, scope)["tea"]["sources"] == [good]


def test_a_plugin_out_of_time_is_not_asked_for_ever(
    graph: Graph, lanes: Lanes, ingest: IngestService, scope: Scope
) -> None:
    slow = tell(ingest, scope, *["SLOWTEXT"] * 4, "Ada likes tea")
    box = Sandbox(1)
    with pytest.raises(ExtractorFault) as fault:
        run(graph, scope, Extraction(graph, lanes, Vectors(), box, ["fragile"]))
    assert fault.value.code == "extractor_timeout"
    assert fault.value.details == {"episodes": [slow[3], slow[4], *slow[:3]]}
    again(graph, queued(graph, scope)[0])
    with pytest.raises(ExtractorFault):
        run(graph, scope, Extraction(graph, lanes, Vectors(), box, ["fragile"]))
    assert set(told.claims(graph, scope)) == {"tea"}
    box.close()


def test_a_slow_plugin_holds_up_neither_the_queue_nor_the_worker(
    graph: Graph, lanes: Lanes, ingest: IngestService, scope: Scope
) -> None:
    tell(ingest, scope, "SLOWTEXT")
    tell(ingest, scope, "Ada likes tea")
    slow, next_one = queued(graph, scope)
    rows(graph, "MATCH (j:Job {id: $id}) SET j.maxAttempts = 1 RETURN j.id AS id", id=slow)
    made = handlers(graph, lanes, None, ["fragile"], 1)
    worker = Worker(JobStore(graph), made, threads=1, scope_key=scope.key)
    thread = threading.Thread(target=worker.run)
    thread.start()
    end = time.monotonic() + 30
    while time.monotonic() < end and stored(graph, next_one)["status"] != "completed":
        time.sleep(0.1)
    worker.stop()
    thread.join()
    assert stored(graph, next_one)["status"] == "completed"
    assert stored(graph, slow)["status"] == "failed"
    assert '"code":"extractor_timeout"' in stored(graph, slow)["errorJson"]
    assert set(told.claims(graph, scope)) == {"tea"}


def test_an_episode_deleted_meanwhile_gives_nothing(
    graph: Graph, lanes: Lanes, ingest: IngestService, box: Sandbox, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = tell(ingest, scope, "Ada lives in Rome", "Ada likes tea")
    decide = ExtractProposal.questions
    deleted: list[str] = []

    def questions(self: ExtractProposal) -> Any:
        if not deleted:
            deleted.append(gone)
            delete(graph, lanes, scope, gone)
        return decide(self)

    monkeypatch.setattr(ExtractProposal, "questions", questions)
    run(graph, scope, Extraction(graph, LaneFree(lanes), Vectors(), box, ["fragile"]))  # type: ignore[arg-type]
    assert deleted
    assert told.claims(graph, scope)["tea"]["sources"] == [kept]
    assert set(told.claims(graph, scope)) == {"tea"}
    assert '"episodes":1' in stored(graph, queued(graph, scope)[0])["resultJson"]


class LaneFree:
    """Lanes that let a test write between the reading of an episode and its commit."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes

    def submit(self, proposal: Any) -> Any:
        proposal.questions()
        return self._lanes.submit(proposal)


def delete(graph: Graph, lanes: Lanes, scope: Scope, name: str) -> None:
    CascadeService(graph, lanes).tombstone(Wish(scope, (Ref(name, Kind.EPISODE, scope),), "test", Policy.MARK))


def test_a_job_that_was_lost_writes_nothing(
    graph: Graph, ingest: IngestService, extraction: Extraction, scope: Scope
) -> None:
    tell(ingest, scope, "Ada likes tea")
    job = JobStore(graph).claim("test", 60, scope.key)
    assert job is not None
    with pytest.raises(LeaseLost):
        extraction.run(job, lambda _=None: None, lambda read: hold(read, job.scope.key, job.id, job.fence + 1))
    assert told.claims(graph, scope) == {}


def test_what_is_extracted_is_found_by_its_meaning(
    graph: Graph, lanes: Lanes, ingest: IngestService, box: Sandbox, scope: Scope
) -> None:
    tell(ingest, scope, "Ada likes tea")
    run(graph, scope, Extraction(graph, lanes, Vectors(LocalEmbedder()), box, ["fragile"]))
    text = "MATCH (:Atom {scopeKey: $k})-[:HAS_PASSAGE]->(p) RETURN p.embeddingA IS NOT NULL AS has"
    assert rows(graph, text, k=scope.key) == [{"has": True}]


def test_a_worker_without_extractors_says_so(
    graph: Graph, lanes: Lanes, ingest: IngestService, box: Sandbox, scope: Scope
) -> None:
    tell(ingest, scope, "Ada likes tea")
    job = JobStore(graph).claim("test", 60, scope.key)
    assert job is not None
    with pytest.raises(ServiceError, match="MEMGRAPH_EXTRACTORS"):
        handlers(graph, lanes, None)["extract"](job, lambda _=None: None)  # type: ignore[arg-type]


def test_only_new_episodes_are_queued(graph: Graph, lanes: Lanes, ingest: IngestService, scope: Scope) -> None:
    draft = EpisodeDraft("text/plain", "Ada likes tea", ME, "k1", {})
    ingest.ingest(scope, [draft])
    ingest.ingest(scope, [draft])
    assert len(queued(graph, scope)) == 1
    IngestService(graph, lanes, Secrets(graph)).ingest(scope, [EpisodeDraft("text/plain", "Bo likes tea", ME)])
    assert len(queued(graph, scope)) == 1
