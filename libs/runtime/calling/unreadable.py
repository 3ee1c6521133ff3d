"""Responses that cannot be decoded: marked when they are read, refused when they are used.

A deserializer that raises makes gRPC log a stack and end the call with a status of its own.
"""

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import DecodeError

from libs.runtime.errors import Unavailable

UNREADABLE: Final = object()
"""Stands for a response that could not be decoded."""


def marking(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    """A deserializer that returns UNREADABLE instead of raising."""
    if deserialize is None:
        return None

    def deserialize_or_mark(content: bytes) -> Any:
        try:
            return deserialize(content)
        except DecodeError:
            return UNREADABLE

    return deserialize_or_mark


def refuse_unreadable(response: object) -> None:
    """Check a response.

    Raises:
        Unavailable: it could not be decoded (reason STAGE_FAILED).
    """
    if response is UNREADABLE:
        raise Unavailable("STAGE_FAILED", "A stage gave an answer that cannot be read.")
