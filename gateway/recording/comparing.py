"""Compares two answers of a stage field by field."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.text_format import MessageToString

from gateway.recording.canonical import VOLATILE_FIELDS, Canonical

TOLERANCE: Final = 1e-5
"""Relative difference below which two numbers are equal: embedding models compute in single precision, and their last
bits depend on which texts are computed together."""
VALUE_CHARACTERS: Final = 160
"""Maximum length of a value in a difference."""
BEFORE: Final = 40
"""Characters that are shown before the first difference of two texts."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with its two values, shortened around their first difference; an absent value is empty."""

    path: str
    recorded_value: str
    replayed_value: str
    withheld: bool = False
    """Whether the values are left out, because the caller may not see them."""


def differences(original: Canonical, repeat: Canonical) -> Iterator[Difference]:
    """Yield the places where two answers differ, the first place first."""
    for kind in dict.fromkeys((*original, *repeat)):
        yield from _items(original.get(kind, ()), repeat.get(kind, ()), kind)


def _items(original: Sequence[Any], repeat: Sequence[Any], path: str) -> Iterator[Difference]:
    """Compare two lists of messages or values by position; a list of one has no position in its path."""
    longer = max(len(original), len(repeat))
    for place in range(longer):
        item_path = f"{path}[{place}]" if longer > 1 else path
        if place >= len(repeat):
            yield _difference(item_path, original[place], None)
        elif place >= len(original):
            yield _difference(item_path, None, repeat[place])
        else:
            yield from _values(original[place], repeat[place], item_path)


def _values(original: Any, repeat: Any, path: str) -> Iterator[Difference]:
    if isinstance(original, Message):
        yield from _messages(original, repeat, path)
    elif not _is_equal(original, repeat):
        yield _difference(path, original, repeat)


def _messages(original: Message, repeat: Message, path: str) -> Iterator[Difference]:
    for field in original.DESCRIPTOR.fields:
        if field.name not in VOLATILE_FIELDS:
            field_path = f"{path}.{field.name}" if path else field.name
            yield from _fields(field, original, repeat, field_path)


def _fields(field: Any, original: Message, repeat: Message, path: str) -> Iterator[Difference]:
    left, right = getattr(original, field.name), getattr(repeat, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        for key in sorted({*left, *right}):
            if left.get(key) != right.get(key):
                yield _difference(f'{path}["{key}"]', left.get(key), right.get(key))
    elif field.is_repeated:
        yield from _lists(field, left, right, path)
    elif field.has_presence and original.HasField(field.name) != repeat.HasField(field.name):
        is_original = original.HasField(field.name)
        yield _difference(path, left if is_original else None, None if is_original else right)
    else:
        yield from _values(_named(field, left), _named(field, right), path)


def _lists(field: Any, left: Sequence[Any], right: Sequence[Any], path: str) -> Iterator[Difference]:
    for place in range(max(len(left), len(right))):
        item_path = f"{path}[{place}]"
        if place >= len(right):
            yield _difference(item_path, _named(field, left[place]), None)
        elif place >= len(left):
            yield _difference(item_path, None, _named(field, right[place]))
        else:
            yield from _values(_named(field, left[place]), _named(field, right[place]), item_path)


def _named(field: Any, value: Any) -> Any:
    """Return the name of an enum's value, and other values as they are."""
    if field.enum_type is None:
        return value
    name = field.enum_type.values_by_number.get(value)
    return name.name if name is not None else value


def _is_equal(original: Any, repeat: Any) -> bool:
    if isinstance(original, float):
        return math.isclose(original, repeat, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(original == repeat)


def _difference(path: str, original: Any, repeat: Any) -> Difference:
    left, right = _text(original), _text(repeat)
    start = max(0, _common_length(left, right) - BEFORE) if left and right else 0
    return Difference(path, _excerpt(left, start), _excerpt(right, start))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return MessageToString(value, as_one_line=True) if isinstance(value, Message) else str(value)


def _common_length(left: str, right: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _excerpt(text: str, start: int) -> str:
    piece = text[start : start + VALUE_CHARACTERS]
    return f"{'…' if start else ''}{piece}{'…' if start + VALUE_CHARACTERS < len(text) else ''}"
