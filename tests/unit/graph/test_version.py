"""A server without filtered vector search is refused, with a sentence that says what to do."""

import pytest

from memgraph_svc.errors.start import DatabaseTooOld
from memgraph_svc.graph.migrate import check_version


@pytest.mark.parametrize("reported", ["5.26.1", "4.4.0", "2025.12.1", "2026.01.4", "nonsense", ""])
def test_old_servers_are_refused(reported: str) -> None:
    with pytest.raises(DatabaseTooOld, match=r"2026\.02 or later.*NEO4J_URI") as refused:
        check_version(reported)
    assert refused.value.details == {"found": reported, "needed": "2026.02"}


@pytest.mark.parametrize("reported", ["2026.02.0", "2026.08.1", "2026.10.0-SNAPSHOT", "2027.01"])
def test_new_ones_are_taken(reported: str) -> None:
    check_version(reported)
