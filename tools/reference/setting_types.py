"""Types, bounds and defaults of settings, in words."""

import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, IPvAnyNetwork, SecretStr
from pydantic.fields import FieldInfo

from tools.reference.markdown import code, listing

NAMES: Mapping[Any, str] = {
    str: "text",
    bool: "`true` or `false`",
    int: "integer",
    float: "number",
    Path: "path",
    SecretStr: "secret",
    IPvAnyNetwork: "addresses and networks",
}
MOST_LISTED = 10
"""Entries of a list up to which a default is shown whole."""


def type_words(annotation: Any) -> str:
    """What kind of value a setting takes, such as "integer" or "`auto`, `llm` or `rules`"."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return listing([code(str(value)) for value in arguments])
    if origin in (Union, UnionType, Annotated):
        return type_words(next(argument for argument in arguments if argument is not NoneType))
    if origin is tuple:
        return f"JSON list of {_each(arguments[0])}"
    if origin is dict:
        return f"JSON object of {arguments[1].__name__}"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return listing([code(str(member.value)) for member in annotation])
    return NAMES[annotation]


def _each(annotation: Any) -> str:
    return "texts" if annotation is str else type_words(annotation)


def bounds_words(field: FieldInfo) -> str:
    """The bounds of a field, such as "1 to 150" or "greater than 0"; empty without any."""
    limits = {name: getattr(rule, name) for rule in field.metadata for name in _limits(rule)}
    if "ge" in limits and "le" in limits:
        return f"{limits['ge']:,} to {limits['le']:,}"
    words = {"gt": "greater than", "ge": "at least", "lt": "less than", "le": "at most"}
    phrases = [f"{word} {limits[name]:,}" for name, word in words.items() if name in limits]
    return ", ".join(phrases + ([f"matches {code(limits['pattern'])}"] if "pattern" in limits else []))


def _limits(rule: object) -> list[str]:
    return [name for name in ("gt", "ge", "lt", "le", "pattern") if getattr(rule, name, None) is not None]


def default_words(field: FieldInfo) -> str:
    """The default of a field as it would be given; a secret's is never shown."""
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    if plain is None:
        return "none"
    if isinstance(plain, tuple) and len(plain) > MOST_LISTED:
        return f"{len(plain)} entries, such as {code(_plain(plain[0]))}"
    return code(_plain(plain)) if plain != "" else "empty"


def _plain(value: Any) -> str:
    if isinstance(value, str | Path | Enum):
        return str(value.value if isinstance(value, Enum) else value)
    return json.dumps(value, ensure_ascii=False)


def nested_models(annotation: Any) -> list[type[BaseModel]]:
    """The models that the values of a setting consist of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in nested_models(argument)]
