"""What the API and the worker are made of.

In: settings. Out: the services of one API process, or one worker. Part of the composition root, apart from it so that
commands that need neither start faster.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from memgraph_svc import clock
from memgraph_svc.api.contract import Services
from memgraph_svc.assemble.awaiting import Freshness
from memgraph_svc.assemble.context import ContextService
from memgraph_svc.assemble.hydrate import HydrateService
from memgraph_svc.assemble.index_section import IndexService
from memgraph_svc.assemble.memories import MemoriesService
from memgraph_svc.assemble.query import QueryService
from memgraph_svc.assemble.store import Store
from memgraph_svc.cascade.service import CascadeService
from memgraph_svc.config import Settings
from memgraph_svc.derive.extractors import load as load_extractors
from memgraph_svc.derive.service import ConsolidateService
from memgraph_svc.embed.plugin import Embedder
from memgraph_svc.embed.registry import load as load_embedder
from memgraph_svc.feed.service import FeedService
from memgraph_svc.graph.client import Graph
from memgraph_svc.graph.readiness import Readiness
from memgraph_svc.graph.secrets import Secrets
from memgraph_svc.ingest.service import IngestService
from memgraph_svc.jobs.kinds import failures, handlers
from memgraph_svc.jobs.service import JobService
from memgraph_svc.jobs.store import JobStore
from memgraph_svc.jobs.worker import Worker
from memgraph_svc.lifecycle.service import LifecycleService
from memgraph_svc.lifecycle.vectors import Vectors
from memgraph_svc.write.commit import commit_group
from memgraph_svc.write.lanes import Lanes


def make_services(settings: Settings, graph: Graph) -> Services:
    """The services of one API process."""
    secrets, write, embedder = Secrets(graph), make_lanes(graph, settings), _embedder(settings)
    fresh = Freshness(embeds=embedder is not None, patience_s=settings.strong_wait_s)
    return Services(
        settings=settings,
        readiness=Readiness(graph),
        secrets=secrets,
        ingest=IngestService(
            graph,
            write,
            secrets,
            Vectors(embedder),
            lambda scope: fresh.caught_up(Store(graph), scope),
            extract=bool(load_extractors(settings.extractors)),
        ),
        query=QueryService(graph, embedder, fresh),
        hydrate=HydrateService(graph),
        context=ContextService(graph, embedder=embedder, fresh=fresh),
        index=IndexService(graph),
        feed=FeedService(graph, secrets),
        cascade=CascadeService(graph, write),
        consolidate=ConsolidateService(write),
        lifecycle=LifecycleService(write),
        jobs=JobService(graph),
        memories=MemoriesService(graph, secrets),
    )


def make_worker(settings: Settings, graph: Graph, scope_key: str | None = None) -> Worker:
    """A worker of every kind of job this version knows, for one namespace or for all."""
    write = make_lanes(graph, settings)
    return Worker(
        JobStore(graph),
        handlers(
            graph,
            write,
            _embedder(settings),
            load_extractors(settings.extractors),
            settings.extractor_timeout_s,
        ),
        threads=settings.worker_threads,
        lease_s=settings.job_lease_s,
        scope_key=scope_key,
        failed=failures(graph, write),
    )


def _embedder(settings: Settings) -> Embedder | None:
    """The embedder, its files being read already, so that the first request need not wait for them."""
    made = load_embedder(settings.embedder)
    if made is not None:
        threading.Thread(target=_warm, args=(made,), name="warm", daemon=True).start()
    return made


def _warm(embedder: Embedder) -> None:
    with suppress(Exception):  # a plugin that fails says so when it is asked in earnest
        embedder.query("warm")


def make_lanes(graph: Graph, settings: Settings) -> Lanes:
    """The write lanes of this process."""

    def commit(lane: str, commit_id: str, group: list[Any]) -> list[Any]:
        return commit_group(graph, clock.now, lane, commit_id, group)

    return Lanes(commit, max_waiting=settings.max_waiting)
