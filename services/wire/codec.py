"""Turns vocabulary values into protobuf messages and back, field by field of the same name.

A plan is compiled once per pair of types from the dataclass's hints and the message's descriptor, so a field that is
missing on one side is an error of the pair, found by the contract tests, and not of a message. Only what is set is
looked at: most fields of most values are empty. Enums meet by name
(`Decision.PASS` is `DECISION_PASS`; an unspecified value is None, or the field's default), timestamps are aware
datetimes in UTC, repeated fields are tuples, and None is absence.
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

M = TypeVar("M", bound=Message)
D = TypeVar("D")

Read = Callable[[Any], Any]
Fill = Callable[[Any, Any], None]
TIMESTAMP = Timestamp.DESCRIPTOR.full_name


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
    for name, write, is_told in _writers(kind, message.DESCRIPTOR):
        content = getattr(value, name)
        if content or (is_told and content is not None):
            if write is None:
                setattr(message, name, content)
            else:
                write(message, content)


def from_message(message: Message, value_type: type[D]) -> D:
    """The value that says what `message` says; what is absent takes the dataclass's default.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    plan = _readers(typing.cast(Any, value_type), message.DESCRIPTOR)
    found = dict(plan.empty)
    for field, content in message.ListFields():
        name, read = plan.readers.get(field.number, _UNREAD)
        if read is _same:
            found[name] = content
        elif (value := read(content)) is not None:
            found[name] = value
    return value_type(**found)


def _fields(value_type: type[Any], descriptor: Descriptor) -> list[tuple[str, Any, FieldDescriptor]]:
    hints = typing.get_type_hints(value_type)
    pairs = []
    for field in dataclasses.fields(value_type):
        counterpart = descriptor.fields_by_name.get(field.name)
        if counterpart is None:
            raise TypeError(f"{value_type.__name__}.{field.name} is missing in {descriptor.full_name}")
        pairs.append((field.name, _bare(hints[field.name]), counterpart))
    return pairs


def _bare(hint: Any) -> Any:
    """The hint without `| None`."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        (hint,) = [part for part in typing.get_args(hint) if part is not type(None)]
    return hint


def _element(hint: Any) -> Any:
    """What a `tuple[X, ...]` holds."""
    return typing.get_args(hint)[0]


@lru_cache(maxsize=1024)
def _writers(value_type: type[object], descriptor: Descriptor) -> tuple[tuple[str, Fill | None, bool], ...]:
    """A field's name, what writes it (None: as it is), and whether it is told when it is empty (0 is not absence)."""
    return tuple(
        (name, _writer(name, hint, field), field.has_presence) for name, hint, field in _fields(value_type, descriptor)
    )


def _writer(name: str, hint: Any, field: FieldDescriptor) -> Fill | None:
    if _is_map(field):
        return lambda message, content: getattr(message, name).update(content)
    if field.is_repeated:
        return _repeated_writer(name, field)
    if field.message_type is not None:
        return _message_writer(name, field)
    scalar = _scalar_out(field)
    return None if scalar is _same else lambda message, content: setattr(message, name, scalar(content))


def _repeated_writer(name: str, field: FieldDescriptor) -> Fill:
    if field.message_type is None:
        scalar = _scalar_out(field)
        if scalar is _same:
            return lambda message, content: getattr(message, name).extend(content)
        return lambda message, content: getattr(message, name).extend([scalar(item) for item in content])

    def write(message: Any, content: Any) -> None:
        target = getattr(message, name)
        for item in content:
            fill(item, target.add())

    return write


def _message_writer(name: str, field: FieldDescriptor) -> Fill:
    if _is_timestamp(field):
        return lambda message, content: getattr(message, name).FromDatetime(content)

    return lambda message, content: fill_field(message, name, content)


def _scalar_out(field: FieldDescriptor) -> Read:
    if field.enum_type is None:
        return _same
    prefix = enum_prefix(field.enum_type)
    numbers = {name.removeprefix(prefix): value.number for name, value in field.enum_type.values_by_name.items()}
    return lambda content: numbers[content.value]


@dataclasses.dataclass(frozen=True, slots=True)
class _Readers:
    """How a message is read."""

    readers: Mapping[int, tuple[str, Read]]
    """By the field's number, with its name."""
    empty: Mapping[str, Any]
    """What stands for a field that is not set, where the dataclass's default would say something else."""


@lru_cache(maxsize=1024)
def _readers(value_type: type[object], descriptor: Descriptor) -> _Readers:
    readers: dict[int, tuple[str, Read]] = {}
    empty = {}
    nothing = message_factory.GetMessageClass(descriptor)()
    defaults = {field.name: field.default for field in dataclasses.fields(typing.cast(Any, value_type))}
    for name, hint, field in _fields(value_type, descriptor):
        read = _reader(hint, field)
        readers[field.number] = name, read
        if not field.has_presence and not _is_map(field):
            content = read(getattr(nothing, name))
            if content is not None and content != defaults[name]:
                empty[name] = content
    return _Readers(readers, empty)


def _reader(hint: Any, field: FieldDescriptor) -> Read:
    if _is_map(field):
        return dict
    if field.is_repeated:
        read = _single_reader(_element(hint), field)
        if read is _same:  # numbers and strings, of which a vector has hundreds
            return tuple
        return lambda content: tuple([read(item) for item in content])
    return _single_reader(hint, field)


def _single_reader(hint: Any, field: FieldDescriptor) -> Read:
    if field.enum_type is not None:
        return _enum_reader(hint, field.enum_type)
    if field.message_type is None:
        return _same
    if _is_timestamp(field):
        return _moment
    return lambda content: from_message(content, hint)


def _enum_reader(hint: type[Enum], enum: EnumDescriptor) -> Read:
    prefix = enum_prefix(enum)
    members = {member.value for member in hint}
    names = {value.number: name.removeprefix(prefix) for name, value in enum.values_by_name.items()}
    known: Mapping[int, Enum] = {number: hint(name) for number, name in names.items() if name in members}
    return known.get


def enum_prefix(enum: EnumDescriptor) -> str:
    """What the values of an enum begin with, such as `DECISION_`."""
    return enum.values_by_number[0].name.removesuffix("UNSPECIFIED")


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _is_timestamp(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.full_name == TIMESTAMP


def _moment(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(tzinfo=UTC)


def _same(content: Any) -> Any:
    return content


_UNREAD: tuple[str, Read] = ("", lambda _: None)
"""A field that the dataclass has not."""
