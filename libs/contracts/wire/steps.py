"""Converts the steps of a stream to its response messages and back."""

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar

from google.protobuf.message import Message

from libs.contracts.wire.codec import from_message, message_with

M = TypeVar("M", bound=Message)

STEP: Final = "step"
"""The oneof of a streamed response that holds its steps."""


class StepCodec(Generic[M]):
    """Converts steps by their type.

    Args:
        response: the response message, with a oneof `step`.
        fields: the oneof's field for each type of step.
    """

    def __init__(self, response: type[M], fields: Mapping[type, str]) -> None:
        self._response = response
        self._fields = fields
        self._types = {name: step_type for step_type, name in fields.items()}

    def to_message(self, step: object) -> M:
        """Convert a step."""
        return message_with(self._response, self._fields[type(step)], step)

    def from_message(self, response: M) -> Any:
        """Convert a response to its step; None if it holds one that is not known here."""
        field = response.WhichOneof(STEP)
        return from_message(getattr(response, field), self._types[field]) if field in self._types else None
