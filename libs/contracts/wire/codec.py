"""Converts the shared data types to protobuf messages and back, matching fields by name.

The conversion is compiled once per pair of types from the dataclass's hints and the message's descriptor, so a field
that the message lacks is an error of the pair, found by the contract tests, and not of a single message. Enums match by
name (`Decision.PASS` is `DECISION_PASS`; an unspecified value is None, or the field's default), timestamps are aware
datetimes in UTC, repeated fields are tuples, and None is an absent field.
"""

from typing import Any, TypeVar, cast

from google.protobuf.message import Message

from libs.contracts.wire.reading import reader
from libs.contracts.wire.writing import writer

M = TypeVar("M", bound=Message)
D = TypeVar("D")


def to_message(value: object, message_type: type[M]) -> M:
    """Convert a value to a new message.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    message = message_type()
    fill(value, message)
    return message


def message_with(message_type: type[M], field: str, value: object) -> M:
    """A new message with `value` in one of its fields.

    The field is filled in place: protobuf's constructor and CopyFrom serialize and parse everything they copy.

    Raises:
        TypeError: see `to_message`.
    """
    message = message_type()
    fill_field(message, field, value)
    return message


def fill_field(message: Message, field: str, value: object) -> None:
    """Write `value` into a message field of `message`; the field is then set, even if it is empty."""
    target: Message = getattr(message, field)
    target.SetInParent()
    fill(value, target)


def fill(value: Any, message: Message) -> None:
    """Write `value` into an empty `message` of the matching type."""
    kind: Any = type(value)
    writer(kind, message.DESCRIPTOR)(value, message)


def from_message(message: Message, value_type: type[D]) -> D:
    """Convert a message to a value; absent fields take the dataclass's defaults.

    Raises:
        MalformedMessage: a field without a default is absent, or a timestamp is out of range.
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    kind: Any = value_type
    return cast(D, reader(kind, message.DESCRIPTOR)(message))
