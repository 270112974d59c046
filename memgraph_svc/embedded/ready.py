"""Ask an API whether it can serve.

In: its address. Out: what it says. What follows from that is decided by who asks.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, cast

_ASK_S = 5.0


def ask_ready(api_url: str) -> dict[str, Any]:
    """What ``/health/ready`` says: ``{"ready": true}``, the body of a refusal, or nothing while nobody answers."""
    # Past any proxy the environment names: the API is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{api_url}/health/ready", timeout=_ASK_S) as answer:
            return _object(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return {**_object(refused.read()), "ready": False}
    except (OSError, ValueError):
        return {}


def _object(raw: bytes) -> dict[str, Any]:
    try:
        found: object = json.loads(raw)
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
