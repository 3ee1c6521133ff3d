"""Turns vocabulary values into protobuf messages and back, field by field of the same name.

How is compiled once per pair of types from the dataclass's hints and the message's descriptor, so a field that is
missing on one side is an error of the pair, found by the contract tests, and not of a message. Enums meet by name
(`Decision.PASS` is `DECISION_PASS`; an unspecified value is None, or the field's default), timestamps are aware
datetimes in UTC, repeated fields are tuples, and None is absence.
"""

from typing import Any, TypeVar, cast

from google.protobuf.message import Message

from libs.contracts.wire.reading import reader
from libs.contracts.wire.writing import writer

M = TypeVar("M", bound=Message)
D = TypeVar("D")


def to_message(value: object, message_type: type[M]) -> M:
    """The message that says what `value` says.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    message = message_type()
    fill(value, message)
    return message


def message_with(message_type: type[M], field: str, value: object) -> M:
    """A message that says in one of its fields what `value` says.

    Filled in its place: protobuf's constructor and CopyFrom write and parse again whatever they copy.

    Raises:
        TypeError: as with `to_message`.
    """
    message = message_type()
    fill_field(message, field, value)
    return message


def fill_field(message: Message, field: str, value: object) -> None:
    """Write `value` into a field of `message`, which is there then, also when nothing in it is."""
    target: Message = getattr(message, field)
    target.SetInParent()
    fill(value, target)


def fill(value: Any, message: Message) -> None:
    """Write `value` into an empty `message` of its kind."""
    kind: Any = type(value)
    writer(kind, message.DESCRIPTOR)(value, message)


def from_message(message: Message, value_type: type[D]) -> D:
    """The value that says what `message` says; what is absent takes the dataclass's default.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    kind: Any = value_type
    return cast(D, reader(kind, message.DESCRIPTOR)(message))
