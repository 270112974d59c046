"""Settings: read once, checked at start, never looked up again.

In: the environment and, below it, a TOML file named by ``MEMGRAPH_CONFIG``. Out: one frozen ``Settings``. Each field
carries its own documentation; ``docs/reference/settings.md`` is made from it. What a setting does is decided where it
is used.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import platformdirs

from memgraph_svc.errors.start import ConfigError


def _setting(default: Any, env: str, doc: str, *, low: int | None = None, high: int | None = None) -> Any:
    meta = {"env": env, "doc": doc, "low": low, "high": high}
    if callable(default):
        return field(default_factory=default, metadata=meta)
    return field(default=default, metadata=meta)


def _data_dir() -> str:
    return platformdirs.user_data_dir("memgraph-svc", appauthor=False)


def _cache_dir() -> str:
    return platformdirs.user_cache_dir("memgraph-svc", appauthor=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of the service, with their defaults."""

    neo4j_uri: str = _setting(
        "", "NEO4J_URI", "Bolt address of a Neo4j server to use; empty: the embedded one is started"
    )
    neo4j_username: str = _setting("neo4j", "NEO4J_USERNAME", "User name for NEO4J_URI")
    neo4j_password: str = _setting("", "NEO4J_PASSWORD", "Password for NEO4J_URI")
    neo4j_database: str = _setting("neo4j", "NEO4J_DATABASE", "Database on that server")
    neo4j_pool_size: int = _setting(
        100, "MEMGRAPH_NEO4J_POOL_SIZE", "Bolt connections a process may hold", low=2, high=10_000
    )
    neo4j_timeout_s: int = _setting(
        30, "MEMGRAPH_NEO4J_TIMEOUT_S", "Seconds a transaction may run before the server ends it", low=1, high=3_600
    )
    retry_s: int = _setting(
        10, "MEMGRAPH_RETRY_S", "Seconds a write is tried again over transient faults before a 503", low=0, high=300
    )
    data_dir: str = _setting(_data_dir, "MEMGRAPH_DATA_DIR", "Folder of the embedded server and of run-time state")
    bolt_port: int = _setting(7687, "MEMGRAPH_BOLT_PORT", "Bolt port of the embedded server", low=1, high=65_535)
    browser_port: int = _setting(
        7474, "MEMGRAPH_BROWSER_PORT", "Port on which the embedded server serves Neo4j Browser", low=1, high=65_535
    )
    neo4j_heap_mb: int = _setting(
        0, "MEMGRAPH_NEO4J_HEAP_MB", "Java heap of the embedded server in MiB; 0: sized from the machine", low=0
    )
    neo4j_pagecache_mb: int = _setting(
        0, "MEMGRAPH_NEO4J_PAGECACHE_MB", "Page cache of the embedded server in MiB; 0: sized from the machine", low=0
    )
    cache_dir: str = _setting(_cache_dir, "MEMGRAPH_CACHE_DIR", "Folder in which the embedded server's files are kept")
    host: str = _setting("127.0.0.1", "MEMGRAPH_HOST", "Address the API listens on")
    port: int = _setting(8787, "MEMGRAPH_PORT", "Port the API listens on", low=1, high=65_535)
    api_workers: int = _setting(2, "MEMGRAPH_API_WORKERS", "API processes", low=1, high=256)
    api_threads: int = _setting(32, "MEMGRAPH_API_THREADS", "Threads of each API process", low=1, high=1_024)
    api_token: str = _setting("", "MEMGRAPH_API_TOKEN", "One bearer token for every operation; empty: no tokens")
    event_retention_days: int = _setting(
        0, "MEMGRAPH_EVENT_RETENTION_DAYS", "Days for which events are kept; 0: for ever", low=0, high=36_500
    )
    strong_wait_s: int = _setting(
        10, "MEMGRAPH_STRONG_WAIT_S", "Seconds a strong read or an indexed write waits for the indexes", low=1, high=120
    )
    max_body_bytes: int = _setting(
        64 * 1024 * 1024, "MEMGRAPH_MAX_BODY_BYTES", "Largest request body in bytes; larger is a 413", low=1_024
    )
    read_timeout_s: int = _setting(
        20, "MEMGRAPH_READ_TIMEOUT_S", "Seconds a client may pause while it sends a body", low=1, high=600
    )
    max_batch: int = _setting(
        1_000, "MEMGRAPH_MAX_BATCH", "Most episodes in one ingest request, and refs in one hydrate", low=1, high=10_000
    )
    max_waiting: int = _setting(
        10_000, "MEMGRAPH_MAX_WAITING", "Requests that may wait for one namespace in a process; beyond is a 503", low=1
    )
    embedder: str = _setting(
        "auto",
        "MEMGRAPH_EMBEDDER",
        "Model for search by meaning: auto (local where its package is installed), none, local, or a plugin's name",
    )
    extractors: str = _setting(
        "", "MEMGRAPH_EXTRACTORS", "Plugins that find claims in episodes, by name and separated by commas; empty: none"
    )
    extractor_timeout_s: int = _setting(
        20, "MEMGRAPH_EXTRACTOR_TIMEOUT_S", "Seconds an extractor may take for one episode", low=1, high=600
    )
    worker_threads: int = _setting(2, "MEMGRAPH_WORKER_THREADS", "Jobs a worker runs at once", low=1, high=64)
    job_lease_s: int = _setting(
        15, "MEMGRAPH_JOB_LEASE_S", "Seconds until the jobs of a killed worker are taken over", low=2, high=3_600
    )
    allow_fixtures: bool = _setting(
        False, "MEMGRAPH_ALLOW_FIXTURES", "Let 'import --fixtures' write objects as given; for tests only"
    )
    log_level: str = _setting("info", "MEMGRAPH_LOG_LEVEL", "debug, info, warning or error")


def is_loopback(name: str) -> bool:
    """Whether a host name or address can only mean this machine."""
    try:
        return name.lower() == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from the environment, then from the TOML file that ``MEMGRAPH_CONFIG`` names.

    Raises ``ConfigError`` naming the setting when a value cannot be read, is out of range, or is not known.
    """
    env = os.environ if environ is None else environ
    filed = _read_file(env.get("MEMGRAPH_CONFIG", ""))
    values: dict[str, Any] = {}
    for item in fields(Settings):
        raw = env.get(item.metadata["env"])
        if raw is None and item.name in filed:
            raw = filed[item.name]
        if raw is not None:
            values[item.name] = _parse(item.name, str(item.type), raw, item.metadata)
    return Settings(**values)


def _read_file(path: str) -> dict[str, Any]:
    if not path:
        return {}
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as cause:
        raise ConfigError(f"MEMGRAPH_CONFIG: cannot read {path}: {cause}") from cause
    known = {item.name for item in fields(Settings)}
    for name in found:
        if name not in known:
            raise ConfigError(f"{path}: unknown setting '{name}'; see docs/reference/settings.md")
    return found


def _parse(name: str, kind: str, raw: Any, meta: Mapping[str, Any]) -> Any:
    text = str(raw).strip()
    if kind == "bool":
        if text.lower() not in {"1", "0", "true", "false", "yes", "no", ""}:
            raise ConfigError(f"{meta['env']}: '{text}' is not a yes or a no; use 1 or 0")
        return text.lower() in {"1", "true", "yes"}
    if kind != "int":
        return text
    try:
        number = int(text)
    except ValueError as cause:
        raise ConfigError(f"{meta['env']}: '{text}' is not a whole number") from cause
    low, high = meta["low"], meta["high"]
    if (low is not None and number < low) or (high is not None and number > high):
        limits = f"{low if low is not None else ''}..{high if high is not None else ''}"
        raise ConfigError(f"{meta['env']}: {number} is outside {limits} (setting '{name}')")
    return number
