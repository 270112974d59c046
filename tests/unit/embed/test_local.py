"""The local embedder: real synonyms are near, made-up words mean nothing, and nothing is downloaded."""

import math
import random
import socket
import string
import threading
from collections.abc import Sequence

import pytest

from memgraph_svc.embed import local
from memgraph_svc.embed.local import LocalEmbedder
from memgraph_svc.embed.plugin import Embedder

SENTENCES = [
    "Bob owns a drofnik",
    "Alice bought a glimzer at the fair",
    "the vorkel is blue",
    "x was here",
    "I live in Porto, in a third-floor flat on Rua do Almada",
    "Tomorrow is the deadline and I have slept badly for a week.",
    "The pay is 3,400 euros a month and they close the workshop on Fridays.",
    "She saw a doctor on Monday",
    "We watched a movie",
    "The build fails because of a missing header",
]
MADE_UP = ["zqxvkorp", "blenkofrat", "drofnik", "glimzers", "qqzzxx", "wug", "florpish", "XJ", "snarbling"]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(one: Sequence[float] | None, other: Sequence[float] | None) -> float:
    assert one is not None
    assert other is not None
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def stored(embedder: LocalEmbedder, text: str) -> Sequence[float] | None:
    return embedder.documents([text])[0]


def test_it_is_an_embedder_of_unit_vectors(embedder: LocalEmbedder) -> None:
    described: Embedder = embedder
    (vector,) = described.documents(["The project starts on Monday"])
    assert vector is not None
    assert len(vector) == described.dimension
    assert math.isclose(cosine(vector, vector), 1, abs_tol=1e-5)
    assert all(isinstance(number, float) for number in vector)


@pytest.mark.parametrize("word", MADE_UP)
def test_a_made_up_word_has_no_meaning(embedder: LocalEmbedder, word: str) -> None:
    assert embedder.query(word) is None
    assert embedder.query(f"what is a {word}?") is None
    assert embedder.query(f"{word} house") is None
    assert embedder.query(f"{word} blenkofrat house") is None


@pytest.mark.parametrize("text", ["", "   ", "the of and", "?!", "*", "42", "where is it", "的", "\x00", "a" * 50_000])
def test_text_that_says_nothing_has_no_meaning(embedder: LocalEmbedder, text: str) -> None:
    assert embedder.query(text) is None
    assert embedder.documents([text, "a red house"])[0] is None


def test_random_letters_never_match_ordinary_sentences(embedder: LocalEmbedder) -> None:
    dice = random.Random(5)
    words = ["".join(dice.choices(string.ascii_lowercase, k=dice.randint(6, 11))) for _ in range(1_000)]
    vectors = [vector for vector in embedder.documents(SENTENCES) if vector is not None]
    met = [(word, vector) for word in words if (vector := embedder.query(word)) is not None]
    assert [word for word, near in met if any(cosine(near, each) >= embedder.floor for each in vectors)] == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("car", "Tom bought a new automobile"),
        ("bike", "Mara fixes bicycles for a living"),
        ("attorney", "She hired a lawyer"),
        ("film", "We watched a movie"),
        ("infant", "The baby cried all night"),
        ("wedding", "They got married in June"),
        ("automobile repair", "He took the car to the garage to be fixed"),
        ("KIDS", "her daughter is a toddler"),
    ],
)
def test_other_words_for_the_same_are_near(embedder: LocalEmbedder, question: str, text: str) -> None:
    near = embedder.query(question)
    assert cosine(near, stored(embedder, text)) >= embedder.floor
    others = [vector for vector in embedder.documents(SENTENCES) if vector is not None and text not in SENTENCES]
    assert all(cosine(near, other) < cosine(near, stored(embedder, text)) for other in others)


@pytest.mark.parametrize(
    "question", ["zebra", "volcano", "how do volcanoes erupt", "chess", "why is the sky dark at night"]
)
def test_what_is_stored_nowhere_stays_below_the_floor(embedder: LocalEmbedder, question: str) -> None:
    near = embedder.query(question)
    vectors = [vector for vector in embedder.documents(SENTENCES) if vector is not None]
    assert max(cosine(near, each) for each in vectors) < embedder.floor


def test_the_same_text_gives_the_same_vector_in_any_batch(embedder: LocalEmbedder) -> None:
    alone = [embedder.documents([text])[0] for text in SENTENCES]
    assert embedder.documents(SENTENCES) == alone
    assert LocalEmbedder().documents(SENTENCES[::-1]) == alone[::-1]
    assert embedder.query("a red house") == stored(embedder, "a red house")


def test_the_words_that_are_remembered_are_bounded(embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = embedder.documents(SENTENCES)
    monkeypatch.setattr(local, "_KEPT", 3)
    model = local.Model()
    assert [model.word(word) is not None for word in ["red", "green", "blue", "house", "garden"]] == [True] * 5
    assert len(model._seen) <= 3
    assert embedder.documents(SENTENCES) == before


def test_many_threads_load_once_and_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("nothing is downloaded")

    made: list[local.Model] = []
    load = local.Model

    def counted() -> local.Model:
        made.append(load())
        return made[-1]

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(local, "_loaded", [])
    monkeypatch.setattr(local, "Model", counted)
    found: list[list[Sequence[float] | None]] = []
    threads = [threading.Thread(target=lambda: found.append(LocalEmbedder().documents(SENTENCES))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(found) == 8
    assert all(each == found[0] for each in found)


def test_a_missing_package_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        local._folder("no_such_package")
