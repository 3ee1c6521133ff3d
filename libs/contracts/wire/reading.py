"""Reads messages as values by a plan that is compiled once per pair of types, including nested types."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache, partial
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, EnumDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from libs.contracts.wire.fields import Pair, enum_prefix, pairs
from libs.contracts.wire.known import is_kept, reading_once
from libs.contracts.wire.malformed import MalformedMessage

MessageReader = Callable[[Any], Any]


@lru_cache(maxsize=1024)  # taste
def reader(value_type: type[Any], descriptor: Descriptor) -> MessageReader:
    """A function that converts messages to values of a type. It reads only set fields, as most are not set.

    The function raises MalformedMessage if a field is missing that the value needs, or a timestamp is out of range.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    field_pairs = pairs(value_type, descriptor)
    empty = message_factory.GetMessageClass(descriptor)()
    places = {pair.field.number: (place, _reader(pair)) for place, pair in enumerate(field_pairs)}
    needed = [(place, pair.name) for place, pair in enumerate(field_pairs) if pair.is_required]
    unset = [_unset(pair, empty) for pair in field_pairs]
    mutable_defaults = [(place, pair.make_default) for place, pair in enumerate(field_pairs) if pair.make_default]
    place_of = places.get

    def read(message: Message) -> Any:
        values = unset.copy()
        for place, make in mutable_defaults:
            values[place] = make()
        for field, content in message.ListFields():
            place, read_field = place_of(field.number, _UNREAD)
            if read_field is None:
                values[place] = content
            else:
                try:
                    value = read_field(content)
                except MalformedMessage as error:
                    raise error.within(field.name) from None
                values[place] = values[place] if value is None else value
        for place, name in needed:
            if values[place] is None:
                raise MalformedMessage(name, "The field is required, and is missing or has an unknown value.")
        return value_type(*values)

    return reading_once(read, type(empty)) if is_kept(value_type) else read


def _unset(pair: Pair, empty: Message) -> Any:
    """The value of a field that is not set: read from an empty message, else the dataclass's default."""
    if pair.field.has_presence or pair.is_map:
        return pair.default
    content, read = getattr(empty, pair.name), _reader(pair)
    value = content if read is None else read(content)
    return pair.default if value is None else value


def _reader(pair: Pair) -> MessageReader | None:
    """A function that converts a field's content; None if no conversion is needed."""
    if pair.is_map:
        return dict
    if not pair.field.is_repeated:
        return _single_reader(pair, pair.hint)
    read = _single_reader(pair, pair.element)
    return tuple if read is None else partial(_read_items, read)


def _read_items(read: MessageReader, content: Any) -> tuple[Any, ...]:
    values: list[Any] = []
    try:
        for item in content:
            values.append(read(item))
    except MalformedMessage as error:
        raise error.within(f"[{len(values)}]") from None
    return tuple(values)


def _single_reader(pair: Pair, hint: Any) -> MessageReader | None:
    if pair.field.enum_type is not None:
        return _enum_reader(hint, pair.field.enum_type)
    if pair.field.message_type is None:
        return None
    return _moment if pair.is_timestamp else reader(hint, pair.field.message_type)


def _enum_reader(hint: type[Enum], enum: EnumDescriptor) -> MessageReader:
    prefix = enum_prefix(enum)
    members = {member.value for member in hint}
    names = {value.number: name.removeprefix(prefix) for name, value in enum.values_by_name.items()}
    members_by_number: Mapping[int, Enum] = {number: hint(name) for number, name in names.items() if name in members}
    return members_by_number.get


def _moment(stamp: Timestamp) -> datetime:
    try:
        return stamp.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise MalformedMessage("", "The time is not between the years 1 and 9999.") from None


_UNREAD: tuple[int, MessageReader] = (0, lambda _: None)
"""Place and reader of fields that the dataclass lacks."""
