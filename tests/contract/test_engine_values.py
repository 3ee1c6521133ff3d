"""`parley.engines` is all that the author of an engine imports: every Protocol, and every value that one can reach."""

import dataclasses
import enum
import inspect
import typing
from collections.abc import Iterator
from typing import Any

import parley.engines
from libs.contracts import engines

PROTOCOLS = [item for _, item in inspect.getmembers(engines, inspect.isclass) if item.__module__ == engines.__name__]


def _reached(hint: Any, seen: set[type]) -> Iterator[type]:
    """The dataclasses and enums in a type hint, and in their fields."""
    for part in typing.get_args(hint):
        yield from _reached(part, seen)
    if isinstance(hint, type) and hint not in seen and (dataclasses.is_dataclass(hint) or issubclass(hint, enum.Enum)):
        seen.add(hint)
        yield hint
        for field in typing.get_type_hints(hint).values() if dataclasses.is_dataclass(hint) else ():
            yield from _reached(field, seen)


def test_it_has_every_protocol_and_every_value() -> None:
    methods = [method for each in PROTOCOLS for _, method in inspect.getmembers(each, inspect.isfunction)]
    hints = [hint for method in methods for hint in typing.get_type_hints(method).values()]
    values = {value for hint in hints for value in _reached(hint, set())}
    assert len(values) > 50
    assert {item.__name__ for item in (*PROTOCOLS, *values)} <= set(parley.engines.__all__)
    assert all(getattr(parley.engines, item.__name__) is item for item in (*PROTOCOLS, *values))
