"""Errors that stop a command or a server from starting.

In: nothing. Out: classes the command line words for people.
"""

from __future__ import annotations

from memgraph_svc.errors.base import ServiceError


class DatabaseTooOld(ServiceError):
    """The Neo4j server is too old; use 2026.02 or later."""

    code = "database_too_old"


class ConfigError(ServiceError):
    """A setting is wrong."""

    code = "config_error"


class StartError(ServiceError):
    """The service cannot be started."""

    code = "start_failed"


class PortTaken(StartError):
    """A port is taken by another program."""

    code = "port_taken"


class DataFolderBusy(StartError):
    """Another server uses the data folder."""

    code = "data_folder_busy"


class DiskFull(StartError):
    """There is too little room on the disk."""

    code = "disk_full"


class MemoryShort(StartError):
    """There is too little memory."""

    code = "memory_short"


class DownloadFailed(StartError):
    """A file of the embedded server cannot be fetched."""

    code = "download_failed"
