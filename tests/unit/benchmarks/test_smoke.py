"""One benchmark runs from end to end on a real server, gives figures, and takes back what it stored."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.cases import batches
from benchmarks.plan import QUICK
from benchmarks.stack import stack


def test_a_benchmark_measures_and_leaves_nothing_behind(service_settings, graph, monkeypatch):
    for name in ("uri", "username", "password"):
        monkeypatch.setenv(f"NEO4J_{name.upper()}", getattr(service_settings, f"neo4j_{name}"))
    with stack() as running:
        report = batches.run(running, replace(QUICK, batches={3: 2}))
        keys = running.keys
        with running.driver.session() as session:
            assert left(session, keys) > 0
    assert [figure.name for figure in report.figures] == ["batches of 3"] * 2
    assert all(figure.ratio and figure.ratio > 0 for figure in report.figures)
    assert report.memory["API"] > 0
    with stack() as running, running.driver.session() as session:
        assert left(session, keys) == 0


def left(session, keys: list[str]) -> int:
    return session.run("MATCH (n) WHERE n.scopeKey IN $keys RETURN count(n)", keys=keys).single()[0]
