"""Write the configuration of the embedded server.

In: ports and the size of the machine. Out: the text of ``neo4j.conf``.
"""

from __future__ import annotations

from dataclasses import dataclass

import psutil

from memgraph_svc.errors.start import MemoryShort

_MIB = 1024 * 1024
_LEAST_HEAP, _MOST_HEAP = 512, 2_048
_LEAST_CACHE, _MOST_CACHE = 128, 2_048
_BESIDE = 256  # what the Java process takes beyond heap and page cache, in MiB


@dataclass(frozen=True, slots=True)
class Memory:
    """How much memory the server may take, in MiB."""

    heap: int
    pagecache: int


def size_memory(heap_mb: int, pagecache_mb: int) -> Memory:
    """Heap and page cache as asked, or sized from the machine; raises ``MemoryShort`` when there is too little."""
    seen = psutil.virtual_memory()
    total, available = seen.total // _MIB, seen.available // _MIB
    heap = heap_mb or min(_MOST_HEAP, max(_LEAST_HEAP, total // 12))
    pagecache = pagecache_mb or min(_MOST_CACHE, max(_LEAST_CACHE, total // 16))
    if not (heap_mb or pagecache_mb) and heap + pagecache + _BESIDE > available:
        heap, pagecache = _LEAST_HEAP, _LEAST_CACHE
    needed = heap + pagecache + _BESIDE
    if needed > available:
        raise MemoryShort(
            f"The embedded Neo4j needs {needed} MB of memory, {available} MB are free. Close something, lower "
            "MEMGRAPH_NEO4J_HEAP_MB, or set NEO4J_URI to a server elsewhere."
        )
    return Memory(heap, pagecache)


def text(bolt_port: int, http_port: int, memory: Memory) -> str:
    """The whole of ``neo4j.conf``: loopback only, nothing sent home, Browser allowed to load our guide and style."""
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.default_advertised_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{bolt_port}",
        "server.bolt.advertised_address": f"127.0.0.1:{bolt_port}",
        "server.http.listen_address": f"127.0.0.1:{http_port}",
        "server.http.advertised_address": f"127.0.0.1:{http_port}",
        "server.https.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "browser.remote_content_hostname_whitelist": "localhost,127.0.0.1",
        "server.memory.heap.initial_size": f"{min(memory.heap, _LEAST_HEAP)}m",
        "server.memory.heap.max_size": f"{memory.heap}m",
        "server.memory.pagecache.size": f"{memory.pagecache}m",
        "db.tx_log.rotation.size": "64m",
        "db.tx_log.rotation.retention_policy": "2 files",
        "db.lock.acquisition.timeout": "30s",
        "db.shutdown_transaction_end_timeout": "3s",
        # Else a stop waits ten seconds for new connections that cannot come.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        "db.logs.query.enabled": "OFF",
        "server.config.strict_validation.enabled": "true",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())
