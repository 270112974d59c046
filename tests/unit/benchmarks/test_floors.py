"""A floor writes what the service writes, no less where it claims the same, and the page shows what was measured."""

from __future__ import annotations

import json

import pytest

from benchmarks import corpus, floors, show
from benchmarks.results import Figure, Report, at_least, at_most, reports
from memgraph_svc.model.scope import Scope

SCOPE = Scope("bench", "unit")


def test_the_corpus_is_the_same_in_every_run_and_differs_within_one():
    assert corpus.text(7) == corpus.text(7)
    assert len({corpus.text(number) for number in range(100)}) == 100
    assert len(corpus.question(1).split()) == 6


def test_the_least_has_one_searchable_passage_and_a_key_of_its_own():
    rows = floors.least_rows(SCOPE, range(10, 13), "k")
    assert len({row["memory"]["dedupeHash"] for row in rows}) == 3
    assert [row["passage"]["text"] for row in rows] == [row["memory"]["content"] for row in rows]
    assert {row["passage"]["scopeKey"] for row in rows} == {SCOPE.key}


def test_the_same_graph_has_history_and_two_events_in_dense_places():
    rows = floors.same_rows(SCOPE, range(10, 13), "k")
    places = [event["eventSeq"] for row in rows for event in (row["first"], row["second"])]
    assert places == list(range(20, 26))
    assert {(row["first"]["type"], row["second"]["type"]) for row in rows} == {("episode.ingested", "memory.indexed")}
    assert all(row["change"]["status"] == "active" and row["memory"]["id"] == row["first"]["refId"] for row in rows)


def test_goals_are_judged_from_the_right_side():
    assert at_least(5, 5.1)[1] is True
    assert at_most(1.3, 1.4)[1] is False
    assert at_most(1.3, None)[1] is None


def test_figures_survive_json_and_reach_the_page(tmp_path):
    figure = Figure("batches of 100", 1_234.5, "episodes/s", "raw", 2_469.0, *at_least(0.5, 0.5))
    report = Report("batches", "Ingest in batches", [figure], {"API": 200.0}, 3.0)
    machine = {"cores": 2, "memoryGiB": 8, "python": "3.11", "neo4j": "2026.08.1", "bolt": "driver"}
    document = json.loads(
        json.dumps({"date": "2026-01-01", "quick": False, "machine": machine, "benchmarks": [report.wire()]})
    )
    assert reports(document)[0].figures == [figure]
    page = tmp_path / "page.md"
    page.write_text(f"above\n{show.BEGIN}\nold\n{show.END}\nbelow\n", encoding="utf-8")
    show.write_page(document, page)
    written = page.read_text(encoding="utf-8")
    assert written.startswith("above\n")
    assert written.endswith("\nbelow\n")
    assert "old" not in written
    assert "| batches of 100 | 1,234 episodes/s | 2,469 (raw) | 0.50 × | ≥ 0.5 × met |" in written


def test_a_page_without_markers_is_left_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing to fill\n", encoding="utf-8")
    with pytest.raises(ValueError, match="markers"):
        show.write_page({"machine": {}, "benchmarks": []}, page)
    assert page.read_text(encoding="utf-8") == "nothing to fill\n"
