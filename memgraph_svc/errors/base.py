"""The root of every error this service can answer with.

In: nothing. Out: the class that fixes a stable ``code`` and whether a retry can help.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class ServiceError(Exception):
    """A refusal with a stable code; its default message is this sentence."""

    code: ClassVar[str] = "internal_error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip().splitlines()[0])
        self.details: dict[str, Any] = dict(details or {})

    @property
    def message(self) -> str:
        """The sentence a caller reads; it says what to do where something can be done."""
        return str(self.args[0])

    def body(self) -> dict[str, Any]:
        """The wire form ``{code, message, retryable, details?}``."""
        shape: dict[str, Any] = {"code": self.code, "message": self.message, "retryable": self.retryable}
        if self.details:
            shape["details"] = self.details
        return shape


class Internal(ServiceError):
    """Something went wrong on our side; the log holds the details under this request's id."""

    code = "internal_error"
