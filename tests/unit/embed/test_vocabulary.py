"""Words that say something are kept, and each is tried under its likely spellings."""

import pytest

from memgraph_svc.embed.vocabulary import spellings, telling


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where does she live?", ["live"]),
        ("x was here", []),
        ("the of and", []),
        ("?! ... 42 1,000", []),
        ("Mara's dog isn’t hers", ["mara", "dog"]),
        ("get_user in main.py", ["user", "main", "py"]),
        ("l'avion", ["l'avion"]),
        ("我住在北京", ["我住在北京"]),
        ("", []),
    ],
)
def test_telling_words(text: str, words: list[str]) -> None:
    assert list(telling(text)) == words


def test_spellings_try_the_word_itself_first() -> None:
    assert list(spellings("owns"))[:3] == ["owns", "Owns", "own"]
    assert list(spellings("puppies"))[2] == "puppy"
    assert list(spellings("caring")) == ["caring", "Caring", "care", "car"]
    assert list(spellings("glass")) == ["glass", "Glass"]
    assert list(spellings("as")) == ["as", "As"]
