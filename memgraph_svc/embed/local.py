"""The embedder that runs in this process: word vectors of 16 MB, without a network.

In: texts. Out: the direction in which their known words point together; decision 0014 says what counts as known and where
the floor comes from. Vectors, tokens and dictionary are read as files of the packages ``wordllama`` and
``pyspellchecker``: the loader of the one may download, and neither needs to run.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from tokenizers import Tokenizer

from memgraph_svc.embed.vocabulary import spellings, telling

_VECTORS, _TOKENS = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
_WORDS = "resources/en.json.gz"
_KEPT = 50_000  # words of which the vector is remembered: about 60 MB when full
_MOST_WORDS = 2_000  # of one text; a passage has some 200
_LONGEST, _MOST_PIECES = 40, 5
_SHORTEST_NAME = 4  # shorter tokens that the dictionary lacks are syllables

Vector = NDArray[np.float32]


class LocalEmbedder:
    """Means of word vectors; the files are read when the first text comes, once per process."""

    name = "wordllama-256"
    dimension = 256
    floor = 0.45

    def documents(self, texts: Sequence[str]) -> list[Sequence[float] | None]:
        """A vector for each text of which at least half of the words are known; one text is in memory at a time."""
        return [_direction(text, spare=0) for text in texts]

    def query(self, text: str) -> Sequence[float] | None:
        """The vector of a question of which more than half of the words are known: the unknown ones carry it."""
        return _direction(text, spare=1)


class Model:
    """The vectors of single words; safe for many threads."""

    def __init__(self) -> None:
        package, dictionary = _folder("wordllama"), _folder("spellchecker")
        self._table = _table(package / _VECTORS)
        self._tokens: Any = cast("Any", Tokenizer).from_file(str(package / _TOKENS))
        self._dictionary = frozenset(json.loads(gzip.decompress((dictionary / _WORDS).read_bytes())))
        self._seen: dict[str, Vector | None] = {}

    def word(self, word: str) -> Vector | None:
        """The vector of a word, or None when nobody knows it; a rare word has a longer one."""
        if word in (seen := self._seen):
            return seen[word]
        pieces = self._pieces(word) if word.isascii() and len(word) <= _LONGEST else None
        made: Vector | None = None if pieces is None else self._table[pieces].astype(np.float32).sum(axis=0)
        if len(seen) >= _KEPT:
            self._seen = seen = {}  # a new one: another thread may be reading the old
        seen[word] = made
        return made

    def _pieces(self, word: str) -> list[int] | None:
        # Of a made-up word the tokenizer makes pieces as well, and pieces of pieces resemble something: only what the
        # dictionary holds, or the model's own vocabulary as a whole word, is a word.
        cut: list[tuple[str, list[int]]] = [
            (form, self._tokens.encode(form, add_special_tokens=False).ids) for form in spellings(word)
        ]
        for form, ids in cut:
            if len(ids) == 1 and (form in self._dictionary or len(form) >= _SHORTEST_NAME):
                return ids
        return next((ids for form, ids in cut if form in self._dictionary and len(ids) <= _MOST_PIECES), None)


def _table(path: Path) -> NDArray[np.float16]:
    with cast("Any", safe_open)(path, framework="numpy") as held:
        (name,) = held.keys()
        return held.get_tensor(name)


def _folder(package: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)
    return Path(found.origin).parent


def _direction(text: str, *, spare: int) -> list[float] | None:
    model = _model()
    words = [model.word(word) for word in islice(telling(text), _MOST_WORDS)]
    known = [vector for vector in words if vector is not None]
    if not known or 2 * len(known) < len(words) + spare:
        return None
    total: NDArray[np.float64] = np.stack(known).sum(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    return cast("list[float]", (total / length).astype(np.float32).tolist()) if length > 0 else None


_lock = threading.Lock()
_loaded: list[Model] = []


def _model() -> Model:
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(Model())
    return _loaded[0]
