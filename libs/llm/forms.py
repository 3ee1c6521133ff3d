"""Forms that a model fills in: pure conversion of a frozen dataclass to a JSON schema, and of JSON to that dataclass.

Fields may be str, bool, int, a Literal of strings, another dataclass, or a tuple of one of these (`tuple[X, ...]`).
Field docstrings don't reach the model; explain the fields in the prompt.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

Form = TypeVar("Form")

_SCALARS: Mapping[type, str] = {str: "string", bool: "boolean", int: "integer"}


class FormError(ValueError):
    """JSON that doesn't follow the form; the message names the field's path and what was expected."""


@lru_cache(maxsize=64)  # taste
def _hints(form: type[Any]) -> Mapping[str, Any]:
    """The types of a form's fields; cached, as evaluating them takes longer than reading a form."""
    return get_type_hints(form)


def schema_of(form: type[Any]) -> dict[str, Any]:
    """The JSON schema of a dataclass for strict structured output: every field required, no others allowed.

    Raises:
        TypeError: a field has a type that forms don't support.
    """
    hints = _hints(cast(Any, form))
    properties = {f.name: _schema(hints[f.name]) for f in fields(form)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_form(form: type[Form], value: object, path: str = "") -> Form:
    """Convert a JSON value to the dataclass. Unknown keys are ignored; a missing key takes the field's default.

    Raises:
        FormError: the value doesn't follow the form.
    """
    if not isinstance(value, dict):
        raise FormError(f"{path or 'the answer'}: must be an object")
    hints = _hints(cast(Any, form))
    values: dict[str, Any] = {}
    for f in fields(cast(Any, form)):
        name = f"{path}.{f.name}" if path else f.name
        if f.name in value:
            values[f.name] = _read_value(hints[f.name], value[f.name], name)
        elif f.default is MISSING and f.default_factory is MISSING:
            raise FormError(f"{name}: is missing")
    return form(**values)


def _schema(kind: Any) -> dict[str, Any]:
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(_item(kind))}
    if is_dataclass(kind):
        return schema_of(cast(type[Any], kind))
    raise TypeError(f"a form can't have a field of type {kind}")


def _read_value(kind: Any, value: object, path: str) -> Any:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise FormError(f"{path}: must be one of {', '.join(get_args(kind))}")
        return value
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise FormError(f"{path}: must be a list")
        return tuple(_read_value(_item(kind), item, f"{path}[{index}]") for index, item in enumerate(value))
    if is_dataclass(kind):
        return read_form(cast(type[Any], kind), value, path)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FormError(f"{path}: must be a {_SCALARS[kind]}")
    return value


def _item(kind: Any) -> Any:
    arguments = get_args(kind)
    if len(arguments) != 2 or arguments[1] is not Ellipsis:
        raise TypeError(f"a form supports only tuples of any length, not {kind}")
    return arguments[0]
