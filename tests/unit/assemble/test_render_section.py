"""The public ``section`` finds its database in the environment, or says what to set."""

from __future__ import annotations

import pytest

import memgraph_svc
from memgraph_svc.assemble import index_section, index_store
from memgraph_svc.assemble.note import Note
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.model.scope import Scope


def test_without_a_database_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.delenv("MEMGRAPH_CONFIG", raising=False)
    index_section._environment.cache_clear()
    with pytest.raises(ConfigError, match="Set NEO4J_URI"):
        memgraph_svc.section(Scope("t", "n"))


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://nowhere.invalid:7687")
    made = index_store.connect()  # nothing is connected before the first read
    made.close()


@pytest.mark.parametrize(
    ("author", "maker", "told"),
    [
        ("user:mara", "mara", "user:mara"),
        ("user:mara", None, "user:mara"),
        ("agent:atlas", "digest", "agent:atlas via digest"),
    ],
)
def test_provenance_says_whose_word_it_is(author: str, maker: str | None, told: str) -> None:
    assert index_store._provenance(author, maker) == told


def test_rows_of_the_graph_become_notes() -> None:
    row = dict.fromkeys(["slug", "topic", "body", "confidence", "author", "maker", "madeAt"])
    assert index_store._note({**row, "id": "at_1", "title": "T", "status": "disputed", "stale": True}) == Note(
        id="at_1", title="T", status="disputed", stale=True
    )


def test_a_time_without_zone_is_taken_as_utc() -> None:
    assert Note.of({"slug": "a", "updatedAt": "2026-07-05T23:59:00"}).date == "2026-07-05"
