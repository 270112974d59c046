"""The setting names the embedder; a wrong name or a wrong description says what to do."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from memgraph_svc.config import load as load_settings
from memgraph_svc.embed import registry
from memgraph_svc.embed.local import LocalEmbedder
from memgraph_svc.errors.start import ConfigError


class Sound:
    name: Any = "sound-2"
    dimension: Any = 2
    floor: Any = 0.3

    def documents(self, texts: Sequence[str]) -> list[Sequence[float] | None]:
        return [(1.0, 0.0) for _ in texts]

    def query(self, text: str) -> Sequence[float] | None:
        return (1.0, 0.0)


def broken() -> Sound:
    raise RuntimeError("no key")


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    here = [EntryPoint(name, f"{__name__}:{target}", registry.GROUP) for name, target in [("sound", "Sound")]]
    monkeypatch.setattr(registry, "entry_points", lambda group: EntryPoints(here))
    monkeypatch.setattr(EntryPoint, "load", lambda self: globals()[self.attr])


def test_the_setting_defaults_to_auto() -> None:
    assert load_settings({}).embedder == "auto"
    assert load_settings({"MEMGRAPH_EMBEDDER": "none"}).embedder == "none"


def test_known_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry.load("none") is None
    assert isinstance(registry.load("auto"), LocalEmbedder)
    assert isinstance(registry.load("local"), LocalEmbedder)
    assert isinstance(registry.load("sound"), Sound)


def test_without_the_packages_auto_goes_by_words_and_local_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert registry.load("auto") is None
    with pytest.raises(ConfigError, match=r"pip install 'memgraph-svc\[embed\]'"):
        registry.load("local")


@pytest.mark.parametrize("name", ["", "Local", "wordlama"])
def test_a_wrong_name_lists_the_right_ones(name: str) -> None:
    with pytest.raises(ConfigError, match="auto, none, local, sound"):
        registry.load(name)


def test_a_plugin_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = EntryPoints([EntryPoint("bad", f"{__name__}:broken", registry.GROUP)])
    monkeypatch.setattr(registry, "entry_points", lambda group: bad)
    with pytest.raises(ConfigError, match=r"'bad'.*does not start: no key"):
        registry.load("bad")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", None),
        ("dimension", 0),
        ("dimension", 4_097),
        ("dimension", True),
        ("dimension", 2.0),
        ("floor", 1),
        ("floor", -1.0),
        ("floor", float("nan")),
        ("floor", "0.3"),
        ("documents", None),
        ("query", 3),
    ],
)
def test_a_wrong_description_is_refused(monkeypatch: pytest.MonkeyPatch, part: str, value: Any) -> None:
    monkeypatch.setattr(Sound, part, value)
    with pytest.raises(ConfigError, match=part):
        registry.load("sound")
