"""Forms that a model fills in: pure conversion of a frozen dataclass to a JSON schema, and of JSON to that dataclass.

Fields may be str, bool, int, a Literal of strings, another dataclass, or a tuple of one of these (`tuple[X, ...]`).
Field docstrings don't reach the model; explain the fields in the prompt.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from libs.language.characters import seen
from libs.runtime.settings import faults_in

Form = TypeVar("Form")

_SCALARS: Mapping[type, str] = {str: "string", bool: "boolean", int: "integer"}


class FormError(ValueError):
    """JSON that doesn't follow the form; the message names the field's path and what was expected."""


@lru_cache(maxsize=64)  # taste
def schema_of(form: type[Any]) -> dict[str, Any]:
    """The JSON schema of a dataclass for strict structured output: every field required, no others allowed.

    Raises:
        TypeError: a field has a type that forms don't support.
    """
    hints = get_type_hints(form)
    properties = {f.name: _schema(hints[f.name]) for f in fields(form)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_form(form: type[Form], text: str) -> Form:
    """Read JSON as the dataclass, without characters that nobody sees.

    Unknown keys are ignored; a missing key takes the field's default.

    Raises:
        FormError: the text is not JSON, or doesn't follow the form.
    """
    reader: TypeAdapter[Form] = _reader(cast(Any, form))
    with suppress(ValueError, RecursionError):  # what is no JSON is complained about below
        text = json.dumps(seen(json.loads(text)))
    try:
        return reader.validate_json(text, strict=True)
    except ValidationError as error:
        raise FormError(faults_in(error, "the answer")) from None


@lru_cache(maxsize=64)  # taste
def _reader(form: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(form)


def _schema(kind: Any) -> dict[str, Any]:
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        return {"type": "array", "items": _schema(get_args(kind)[0])}
    if is_dataclass(kind):
        return schema_of(cast(Any, kind))
    raise TypeError(f"a form can't have a field of type {kind}")
