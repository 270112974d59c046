"""What the read path knows of memory: plain values between the store and the pure modules.

In: nothing. Out: frozen values. Nothing here decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memgraph_svc.model.memory import Actor, Ref, Status


@dataclass(frozen=True, slots=True)
class Times:
    """When a memory was stored, when it happened, and when it holds: half-open, open where absent."""

    created_at: datetime
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that one of its passages makes a candidate."""

    ref: Ref
    status: Status
    stale: bool
    stale_reason: str | None
    token_count: int
    text: str
    position: int
    score: float
    confidence: float | None = None
    times: Times | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory with everything that is stored of it."""

    ref: Ref
    status: Status
    stale: bool
    stale_reason: str | None
    times: Times
    created_at: str
    updated_at: str | None
    occurred_at: str | None
    created_by: Actor
    content: Any
    metadata: Mapping[str, Any]
    confidence: float | None
    own: Mapping[str, Any]
    sources: tuple[Ref, ...] = ()
    supersedes: tuple[Ref, ...] = ()
    topics: tuple[str, ...] = ()
    source_gone: bool = False
    disputed_claims: bool = False
    superseded_claims: bool = False


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link with everything that is stored of it."""

    ref: Ref
    link_type: str
    status: str
    created_at: str
    created_by: Actor
    source: Ref
    target: Ref
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lag:
    """How far the vectors are behind a commit."""

    head: int
    waiting: bool
    failed: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """What a memory rests on, nearest first; ``total`` counts what was left out as well."""

    steps: tuple[tuple[Ref, int], ...] = field(default=())
    total: int = 0
