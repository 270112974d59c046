"""The server gets as much memory as the machine can spare, and says nothing to the outside."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from memgraph_svc.embedded import conf
from memgraph_svc.errors.start import MemoryShort

MIB = 1024 * 1024


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    def of(total: int, available: int) -> None:
        seen = SimpleNamespace(total=total * MIB, available=available * MIB)
        monkeypatch.setattr(psutil, "virtual_memory", lambda: seen)

    return of


@pytest.mark.parametrize(
    ("total", "available", "expected"),
    [
        (2_048, 1_500, conf.Memory(512, 128)),
        (8_192, 6_000, conf.Memory(682, 512)),
        (16_384, 1_000, conf.Memory(512, 128)),
        (262_144, 200_000, conf.Memory(2_048, 2_048)),
    ],
)
def test_memory_is_sized_from_the_machine(machine, total: int, available: int, expected: conf.Memory) -> None:
    machine(total, available)
    assert conf.size_memory(0, 0) == expected


def test_what_was_asked_for_is_taken(machine) -> None:
    machine(8_192, 6_000)
    assert conf.size_memory(3_000, 700) == conf.Memory(3_000, 700)
    assert conf.size_memory(3_000, 0) == conf.Memory(3_000, 512)
    assert conf.size_memory(0, 700) == conf.Memory(682, 700)


@pytest.mark.parametrize(("heap", "pagecache"), [(0, 0), (4_000, 0), (0, 4_000)])
def test_too_little_memory_is_said_with_both_numbers(machine, heap: int, pagecache: int) -> None:
    machine(4_096, 800)
    with pytest.raises(MemoryShort, match=r"needs \d+ MB of memory, 800 MB are free.*MEMGRAPH_NEO4J_HEAP_MB"):
        conf.size_memory(heap, pagecache)


def settings() -> dict[str, str]:
    lines = conf.text(1111, 2222, conf.Memory(600, 300)).splitlines()
    assert len(lines) == len({line.partition("=")[0] for line in lines})
    return dict(line.split("=", 1) for line in lines)


def test_everything_listens_on_loopback_only() -> None:
    addresses = {name: value for name, value in settings().items() if name.endswith("address")}
    assert {value.partition(":")[0] for value in addresses.values()} == {"127.0.0.1"}
    assert addresses["server.bolt.listen_address"] == "127.0.0.1:1111"
    assert addresses["server.http.listen_address"] == "127.0.0.1:2222"
    assert settings()["server.https.enabled"] == "false"


def test_nothing_is_reported_home() -> None:
    assert settings()["dbms.usage_report.enabled"] == "false"
    assert settings()["client.allow_telemetry"] == "false"


def test_memory_and_checks_are_written() -> None:
    found = settings()
    assert found["server.memory.heap.initial_size"] == "512m"
    assert found["server.memory.heap.max_size"] == "600m"
    assert found["server.memory.pagecache.size"] == "300m"
    assert found["server.config.strict_validation.enabled"] == "true"
