"""Pairs the fields of a dataclass with the fields of a message by name."""

import dataclasses
import types
import typing
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from buf.validate import validate_pb2

_TIMESTAMP = Timestamp.DESCRIPTOR.full_name
_SHORTEST_TEXT = 4096
"""Least limit, in characters, of a field that holds text; one with a lower limit holds a name or code: never cut."""


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """A field of a dataclass and its counterpart in a message."""

    name: str
    hint: Any
    """The type of the dataclass's field, without `| None`."""
    field: FieldDescriptor
    default: Any = None
    """The dataclass's default; None if the field is required or has a default factory."""
    make_default: Callable[[], Any] | None = None
    """The default factory, for mutable defaults."""
    is_required: bool = False
    """Whether the dataclass has neither a default nor None for it."""

    @property
    def element(self) -> Any:
        """The element type X of a `tuple[X, ...]`."""
        return typing.get_args(self.hint)[0]

    @property
    def is_map(self) -> bool:
        """Whether the field is a map."""
        return self.field.message_type is not None and self.field.message_type.GetOptions().map_entry

    @property
    def is_timestamp(self) -> bool:
        """Whether the field, or each of its elements, is a timestamp."""
        return self.field.message_type is not None and self.field.message_type.full_name == _TIMESTAMP

    @property
    def most(self) -> int | None:
        """Characters of a text or messages of a list that the contract allows; None if it is not to be cut."""
        rules = self.field.GetOptions().Extensions[validate_pb2.field]
        if self.field.is_repeated:
            return rules.repeated.max_items if rules.repeated.HasField("max_items") else None
        is_text = rules.string.max_len >= _SHORTEST_TEXT and self.name != "url"
        return rules.string.max_len if is_text else None


def pairs(value_type: type[Any], descriptor: Descriptor) -> list[Pair]:
    """The fields of a dataclass in order, each with its counterpart.

    Fields after those of the message whose metadata say `local` have none: they are neither written nor read.

    Raises:
        TypeError: a field has no counterpart.
    """
    hints = typing.get_type_hints(value_type)
    fields = [field for field in dataclasses.fields(value_type) if not field.metadata.get("local")]
    return [_pair(field, hints[field.name], value_type, descriptor) for field in fields]


def enum_prefix(enum: EnumDescriptor) -> str:
    """The common prefix of an enum's value names, such as `DECISION_`."""
    return enum.values_by_number[0].name.removesuffix("UNSPECIFIED")


def _pair(field: dataclasses.Field[Any], hint: Any, value_type: type[Any], descriptor: Descriptor) -> Pair:
    counterpart = descriptor.fields_by_name.get(field.name)
    if counterpart is None:
        raise TypeError(f"{value_type.__name__}.{field.name} is missing in {descriptor.full_name}")
    default = None if field.default is dataclasses.MISSING else field.default
    make = None if field.default_factory is dataclasses.MISSING else field.default_factory
    bare = _bare(hint)
    required = hint is bare and field.default is dataclasses.MISSING and make is None
    return Pair(field.name, bare, counterpart, default, make, required)


def _bare(hint: Any) -> Any:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        (hint,) = [part for part in typing.get_args(hint) if part is not type(None)]
    return hint
