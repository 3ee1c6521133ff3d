"""Writes values into messages by a plan that is compiled once per pair of types, including nested types.

Of a text or a list of messages beyond the contract's limit the beginning is written: what a stage makes of a question
within the limits may be longer, and the next stage would refuse it. Lists of names are written whole.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.timestamp_pb2 import Timestamp

from libs.contracts.wire.fields import Pair, enum_prefix, pairs
from libs.contracts.wire.known import is_kept, writing_once

Write = Callable[[Any, Any], None]


@lru_cache(maxsize=1024)  # taste
def writer(value_type: type[Any], descriptor: Descriptor) -> Write:
    """A function that writes values of a type into empty messages. It writes only set fields, as most are not set.

    Raises:
        TypeError: a field of the dataclass has no counterpart in the message.
    """
    plan = [
        (pair.name, attrgetter(pair.name), _writer(pair), pair.field.has_presence)
        for pair in pairs(value_type, descriptor)
    ]

    def write(value: Any, message: Any) -> None:
        for name, content_of, write_field, has_presence in plan:
            content = content_of(value)
            if content or (has_presence and content is not None):  # 0 differs from an absent value
                if write_field is None:
                    setattr(message, name, content)
                else:
                    write_field(content, message)

    return writing_once(write) if is_kept(value_type) else write


def _write_moment(moment: datetime, stamp: Timestamp) -> None:
    """Write a moment; one that lies outside the calendar in UTC becomes the calendar's first or last."""
    try:
        stamp.FromDatetime(moment)
    except OverflowError:
        ends = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
        stamp.FromDatetime(ends[moment.year > ends[0].year])


def _writer(pair: Pair) -> Write | None:
    """A function that writes a field's content; None if it can be set directly."""
    name = pair.name
    if pair.is_map:
        return lambda content, message: getattr(message, name).update(content)
    if pair.is_timestamp:
        return lambda content, message: _write_moment(content, getattr(message, name))
    if pair.field.message_type is not None:
        return _items_writer(pair) if pair.field.is_repeated else _message_writer(pair)
    if pair.field.enum_type is None:
        return _plain_writer(pair)
    prefix, enum = enum_prefix(pair.field.enum_type), pair.field.enum_type
    number_of = {name.removeprefix(prefix): value.number for name, value in enum.values_by_name.items()}
    if pair.field.is_repeated:
        return lambda content, message: getattr(message, name).extend([number_of[item.value] for item in content])
    return lambda content, message: setattr(message, name, number_of[content.value])


def _plain_writer(pair: Pair) -> Write | None:
    """A function that writes a list, or the beginning of a text; None if there is no limit."""
    name, most = pair.name, pair.most
    if pair.field.is_repeated:
        return lambda content, message: getattr(message, name).extend(content)
    return None if most is None else lambda content, message: setattr(message, name, content[:most])


def _items_writer(pair: Pair) -> Write:
    name, most, write_item = pair.name, pair.most, writer(pair.element, pair.field.message_type)

    def write(content: Any, message: Any) -> None:
        add = getattr(message, name).add
        for item in content[:most]:
            write_item(item, add())

    return write


def _message_writer(pair: Pair) -> Write:
    name, write_part = pair.name, writer(pair.hint, pair.field.message_type)

    def write(content: Any, message: Any) -> None:
        part = getattr(message, name)
        part.SetInParent()  # marks the field as set, even if it is empty
        write_part(content, part)

    return write
