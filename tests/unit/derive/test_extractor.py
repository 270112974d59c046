"""What a plugin gives is a sound claim or a fault that never quotes memory; no plugin stops its host."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memgraph_svc.config import load as load_settings
from memgraph_svc.derive import extractors, sandbox
from memgraph_svc.derive.extract import claim_of
from memgraph_svc.derive.extractor import MOST, Extracted, Told, checked
from memgraph_svc.derive.sandbox import Sandbox
from memgraph_svc.errors.start import ConfigError
from memgraph_svc.errors.work import ExtractorFault, ExtractorTimeout

PLUGINS = Path(__file__).resolve().parents[2] / "plugins" / "fragile"
AT = datetime(2026, 5, 1, tzinfo=UTC)
GOOD = {"subject": "Ada", "predicate": "lives in", "value": "Rome"}


def told(text: str, **metadata: Any) -> Told:
    return Told("ep_1", text, text, "text/plain", None, AT, None, metadata)


def nothing() -> None:
    pass


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PLUGINS))


@pytest.fixture
def box(fragile: None) -> Iterator[Sandbox]:
    made = Sandbox(1)
    yield made
    made.close()


def test_a_dict_and_an_extracted_are_the_same_claim() -> None:
    there = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    given = [{**GOOD, "valid_from": there, "confidence": 1, "topics": ["Homes"]}]
    (made,) = checked("p", given)
    assert made == Extracted(
        "Ada", "lives in", "Rome", valid_from=datetime(2026, 1, 1, tzinfo=UTC), confidence=1.0, topics=("Homes",)
    )
    assert checked("p", iter([made])) == [made]
    assert Extracted.unpacked(made.packed()) == made
    assert Told.unpacked(told("hi", a=1).packed()) == told("hi", a=1)
    assert checked("p", []) == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (None, "no list of claims"),
        ("Ada", "no list of claims"),
        (GOOD, "no list of claims"),
        (["SECRET"], "number 1: it is neither"),
        ([{"subject": "SECRET"}], "it is neither"),
        ([{**GOOD, "SECRET": 1}], "it is neither"),
        ([GOOD, {**GOOD, "subject": " \u3000"}], "number 2: subject"),
        ([{**GOOD, "subject": 7}], "subject"),
        ([{**GOOD, "predicate": ""}], "predicate"),
        ([{**GOOD, "predicate": "SECRET" * 100}], "predicate"),
        ([{**GOOD, "value": None}], "value"),
        ([{**GOOD, "value": object()}], "value"),
        ([{**GOOD, "value": float("nan")}], "value"),
        ([{**GOOD, "value": "\ud800"}], "value"),
        ([{**GOOD, "cardinality": "some"}], "cardinality"),
        ([{**GOOD, "valid_from": datetime(2026, 1, 1)}], "valid_from must be a datetime with a time zone"),  # noqa: DTZ001
        ([{**GOOD, "valid_to": "2026-01-01T00:00:00Z"}], "valid_to must be a datetime"),
        ([{**GOOD, "valid_to": datetime.max.replace(tzinfo=timezone(-timedelta(hours=2)))}], "valid_to"),
        ([{**GOOD, "valid_from": AT, "valid_to": AT}], "valid_to must be after"),
        ([{**GOOD, "confidence": 1.2}], "confidence"),
        ([{**GOOD, "confidence": True}], "confidence"),
        ([{**GOOD, "confidence": "0.5"}], "confidence"),
        ([{**GOOD, "text": " "}], "text"),
        ([{**GOOD, "topics": "SECRET"}], "topics"),
        ([{**GOOD, "topics": [""]}], "topics"),
        ((dict(GOOD) for _ in iter(int, 1)), f"more than {MOST} claims"),
    ],
)
def test_what_is_no_claim_is_refused_loudly(wrong: Any, why: str) -> None:
    with pytest.raises(ExtractorFault) as fault:
        checked("plug", wrong)
    assert fault.value.code == "extractor_failed"
    assert fault.value.retryable
    assert "'plug'" in fault.value.message
    assert why in fault.value.message
    assert "SECRET" not in fault.value.message


def test_the_time_of_a_claim_is_known_when_somebody_tells_it() -> None:
    plain = Extracted("Ada", "lives in", "Rome")
    stored = claim_of(plain, told("x"))
    assert (stored.at, stored.dated) == (AT, False)
    said = claim_of(plain, told("x", occurredAt="2026-05-01T00:00:00Z"))
    assert (said.at, said.dated) == (AT, True)
    earlier = AT - timedelta(days=9)
    own = claim_of(Extracted("Ada", "lives in", "Rome", valid_from=earlier, valid_to=AT), told("x"))
    assert (own.at, own.dated, own.valid_to) == (earlier, True, AT)
    assert claim_of(Extracted("Ada", "lives in", "Rome", valid_to=earlier), told("x")).valid_to is None


def test_the_setting_names_what_is_installed(fragile: None) -> None:
    assert load_settings({}).extractors == ""
    assert load_settings({}).extractor_timeout_s == 20
    assert extractors.load("") == []
    assert extractors.load(" fragile, fragile,") == ["fragile"]
    with pytest.raises(ConfigError, match=r"MEMGRAPH_EXTRACTORS: there is no extractor 'lost'.*fragile.*install"):
        extractors.load("fragile,lost")


class Broken:
    def __init__(self) -> None:
        raise SystemExit(1)


class Nameless:
    name, version = "x", ""


class Idle:
    name, version = "x", "1"


@pytest.mark.parametrize(
    ("kind", "why"), [(Broken, "does not start: SystemExit"), (Nameless, "version"), (Idle, "extract must be a method")]
)
def test_a_plugin_that_is_none_says_why(kind: type, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    here = EntryPoints([EntryPoint("x", f"{__name__}:{kind.__name__}", extractors.GROUP)])
    monkeypatch.setattr(extractors, "entry_points", lambda group: here)
    monkeypatch.setattr(EntryPoint, "load", lambda self: kind)
    with pytest.raises(ExtractorFault, match=why):
        extractors.start("x")
    assert why in sandbox.answered({}, {"name": "x"})["fault"]
    assert "not installed" in sandbox.answered({}, {"name": "y"})["fault"]


def test_a_child_is_kept_between_episodes(box: Sandbox) -> None:
    (claim,) = box.extract("fragile", told("Ada lives in Rome"), nothing)
    assert (claim.subject, claim.predicate, claim.value, claim.cardinality) == ("Ada", "lives in", "Rome", "one")
    (child,) = box._idle
    assert box.extract("fragile", told("nothing here"), nothing) == []
    assert box._idle == [child]


@pytest.mark.parametrize(
    ("text", "why", "kept"),
    [
        ("BOOMTEXT SECRET", "raised RuntimeError", True),
        ("GARBAGETEXT SECRET", "predicate", True),
        ("EXITTEXT SECRET", "ended its process", False),
    ],
)
def test_a_plugin_that_fails_is_told_without_its_text(
    box: Sandbox, text: str, why: str, *, kept: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ExtractorFault, match=why) as fault:
        box.extract("fragile", told(text), nothing)
    assert "SECRET" not in fault.value.message
    assert bool(box._idle) is kept
    assert len(box.extract("fragile", told("Ada likes tea"), nothing)) == 1
    assert "SECRET" not in "".join(capfd.readouterr())


def test_a_plugin_that_is_late_is_ended(box: Sandbox) -> None:
    assert box.extract("fragile", told("x"), nothing) == []
    (child,) = box._idle
    pid, began = child.process.pid, time.monotonic()
    assert pid is not None
    with pytest.raises(ExtractorTimeout, match="took more than 1 s"):
        box.extract("fragile", told("SLOWTEXT"), nothing)
    assert 0.9 < time.monotonic() - began < 5
    assert not lives(pid)
    assert len(box.extract("fragile", told("Ada likes tea"), nothing)) == 1


def test_a_job_that_is_to_stop_does_not_wait_for_a_plugin(fragile: None) -> None:
    class Stop(Exception):
        pass

    def going() -> None:
        raise Stop

    box, began = Sandbox(600), time.monotonic()
    with pytest.raises(Stop):
        box.extract("fragile", told("SLOWTEXT"), going)
    assert time.monotonic() - began < 10
    assert box._idle == []


def test_a_child_that_was_killed_is_replaced(box: Sandbox) -> None:
    box.extract("fragile", told("x"), nothing)
    pid = box._idle[0].process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    box._idle[0].process.join()
    assert len(box.extract("fragile", told("Ada likes tea"), nothing)) == 1
    other = box._idle[0].process.pid
    assert other is not None
    assert other != pid
    busy = Sandbox(600)
    busy.extract("fragile", told("x"), nothing)
    working = busy._idle[0].process.pid
    assert working is not None
    threading.Timer(0.5, os.kill, (working, signal.SIGKILL)).start()
    with pytest.raises(ExtractorFault, match="ended its process"):
        busy.extract("fragile", told("SLOWTEXT"), nothing)


def test_threads_have_a_child_each(box: Sandbox) -> None:
    made: list[int] = []
    threads = [
        threading.Thread(target=lambda: made.append(len(box.extract("fragile", told("Ada likes tea"), nothing))))
        for _ in range(2)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert made == [1, 1]
    assert 1 <= len(box._idle) <= 2


HOST = """
import sys, threading
from memgraph_svc.derive.sandbox import Sandbox
from tests.unit.derive.test_extractor import told
box = Sandbox(600)
box.extract("fragile", told("x"), lambda: None)
print(box._idle[0].process.pid, flush=True)
if sys.argv[1] == "busy":
    box.extract("fragile", told("SLOWTEXT"), lambda: None)
threading.Event().wait()
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_a_child_ends_with_a_worker_that_is_killed(state: str) -> None:
    root = Path(__file__).resolve().parents[3]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PLUGINS), str(root)))}
    host = subprocess.Popen([sys.executable, "-c", HOST, state], env=env, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    child = int(host.stdout.readline())
    time.sleep(0.5)
    assert lives(child)
    host.kill()
    host.wait()
    host.stdout.close()
    end = time.monotonic() + 10
    while lives(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not lives(child)


def test_the_child_needs_neither_the_driver_nor_flask() -> None:
    code = "import sys, memgraph_svc.derive.sandbox; print({'neo4j', 'flask'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"
