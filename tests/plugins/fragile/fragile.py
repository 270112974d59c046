"""An extractor for tests: "X lives in Y" and "X likes Y" become claims, and some words make it fail.

Installed by putting its folder on ``PYTHONPATH``; named ``fragile``.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from typing import Any

_SAID = re.compile(r"\b([A-Z]\w*|[Tt]he \w+ gateway) (lives in|likes|rejects) (\w+(?: certificates)?)")


class Fragile:
    """Fails as its text says, else extracts."""

    name = "fragile"
    version = "1.0"

    def extract(self, told: Any) -> Iterator[Any]:
        print(told.text, flush=True)  # must not reach any log
        if "BOOMTEXT" in told.text:
            raise RuntimeError(f"cannot read: {told.text}")
        if "SLOWTEXT" in told.text:
            time.sleep(3_600)
        if "GARBAGETEXT" in told.text:
            yield {"subject": told.text, "predicate": "", "value": object()}
        if "EXITTEXT" in told.text:
            os._exit(3)
        for subject, predicate, value in _SAID.findall(told.text):
            yield {
                "subject": subject,
                "predicate": predicate,
                "value": value,
                "cardinality": "one" if predicate == "lives in" else "many",
                "confidence": 0.9,
                "text": f"{subject} {predicate} {value}.",
            }
