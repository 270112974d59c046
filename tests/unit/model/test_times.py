"""Times in metadata are read leniently and never invented."""

from datetime import UTC, datetime

import pytest

from memgraph_svc.model.times import lenient


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-05-09T00:00:00+08:00", datetime(2026, 5, 8, 16, tzinfo=UTC)),
        ("2026-05-08T16:00:00Z", datetime(2026, 5, 8, 16, tzinfo=UTC)),
        ("2026-05-08T16:00:00", datetime(2026, 5, 8, 16, tzinfo=UTC)),
        ("2026-05-08", datetime(2026, 5, 8, tzinfo=UTC)),
        ("2026-03-29T02:30:00[Europe/Berlin]", None),
        ("yesterday-ish", None),
        ("0001-01-01T00:00:00+14:00", None),
        (20260508, None),
        (None, None),
        ("2" * 5_000, None),
    ],
)
def test_lenient(value: object, expected: datetime | None) -> None:
    assert lenient(value) == expected
