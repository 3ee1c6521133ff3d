"""Requests as values of the domain; what cannot be read is the caller's fault."""

from typing import TypeVar

from google.protobuf.message import Message

from libs.contracts.wire.codec import from_message
from libs.contracts.wire.malformed import MalformedMessage
from libs.runtime.errors import InvalidInput

D = TypeVar("D")


def from_request(message: Message, value_type: type[D], field: str = "") -> D:
    """Convert a request, or the field of it that is called `field`, to a value.

    Raises:
        InvalidInput: it lacks a field that the value needs, or a field is out of range.
        TypeError: see `from_message`.
    """
    try:
        return from_message(message, value_type)
    except MalformedMessage as error:
        fault = error.within(field)
        raise InvalidInput(fault.path, fault.description) from None
