"""What an embedder is: it turns text into vectors whose angle tells how close two texts are in meaning.

In: texts. Out: unit vectors, or none where the text holds nothing that the model knows. Which embedder runs is decided in
``registry.py``, what its vectors are worth beside words in ``assemble/fusion.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """One model. Its methods are called from many threads and must give the same vector for the same text."""

    @property
    def name(self) -> str:
        """The model with its version, such as ``wordllama-256``: stored beside each vector, so that it tells them apart."""
        ...

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        ...

    @property
    def floor(self) -> float:
        """The cosine similarity below which two texts have nothing to do with each other."""
        ...

    def documents(self, texts: Sequence[str]) -> list[Sequence[float] | None]:
        """A unit vector for each text that is stored; None where the model knows nothing of it."""
        ...

    def query(self, text: str) -> Sequence[float] | None:
        """The unit vector of what is looked for; None when only its words can find it."""
        ...
