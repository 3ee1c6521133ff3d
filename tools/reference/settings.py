"""The page of all settings as a text, from the classes that declare them, not from their values in this process."""

import json
from collections.abc import Mapping
from enum import Enum
from inspect import getdoc
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from cli.suite.processes import STAGES, port_of
from cli.suite.running import INFERENCE
from libs.runtime.settings import CONFIG_VARIABLE, DEFAULT_CONFIG, TUNED, AreaSettings
from tools.reference.areas import areas
from tools.reference.markdown import code, listing, page, paragraphs, prose, table

GROUPS: Mapping[str, str] = {
    "libs/runtime": "Every process",
    "libs/elastic": "Elasticsearch",
    "libs/llm": "Language model",
    "libs/language": "Languages",
    "gateway": "Gateway",
    **{f"services/{stage}": stage.capitalize() for stage in STAGES[1:]},
    "doors": "HTTP server",
    "cli": "Command line",
}
"""Headings by the folder that declares an area, in the order of the page."""

Schema = Mapping[str, Any]
"""A JSON schema, or part of one."""
TYPES: Final[Mapping[str, str]] = {
    "string": "text",
    "boolean": "`true` or `false`",
    "path": "path",
    "password": "secret",
    "ipvanynetwork": "addresses and networks",
}
"""Words for a type or format of JSON schema, where it has not its own."""
LIMITS: Final[Mapping[str, str]] = {
    "exclusiveMinimum": "greater than",
    "minimum": "at least",
    "exclusiveMaximum": "less than",
    "maximum": "at most",
}
MAX_LISTED: Final = 10
"""Entries of a list up to which a default is shown whole (taste)."""

INTRODUCTION = f"""\
A setting has a name in an area, such as `passage_size` in the area `retrieve`. The first of these that gives it a
value wins:

1. an option of the command line, where there is one: `--host`, `--port` and `--insecure` of
   `parley up` and `parley serve`;
2. the environment variable `PARLEY_<AREA>_<NAME>`, if it is not empty: `PARLEY_RETRIEVE_PASSAGE_SIZE=500`;
3. the TOML file that `{CONFIG_VARIABLE}` names, otherwise `./{DEFAULT_CONFIG}` if it exists: `passage_size = 500` under
   `[retrieve]`;
4. the default.

In a variable, lists and objects are JSON: `PARLEY_RETRIEVE_RANGE_NEWS_SOURCES='["newswire"]'`. Two underscores lead
into an object: `PARLEY_LLM_TASKS__WRITE__MODEL=some-model`.

Settings are read when a process starts. If one is invalid, or a table of the file has an unknown key, the process names
it and does not start. Unknown variables are ignored. `parley doctor` lists the variables that are set in the shell,
and with one that nothing reads the nearest name."""

TUNING = """\
## Tuning: what profiles change

The defaults of these were measured with the packaged embedding model, on general text. They decide how good results
are, not whether the suite runs. Another embedding model, reranker or language model, or other documents, need
other values; a profile is a set of them."""


def settings_page() -> str:
    """The page, grouped by the process that reads an area; what is tuned comes last."""
    groups, tuned = list[str](), list[str]()
    for folder, title in GROUPS.items():
        own = [area for path, area in areas() if path.as_posix().startswith(f"{folder}/")]
        groups += [f"## {title}", *(_area(area, is_tuned=False) for area in own)] if own else []
        tuned += [_area(area, is_tuned=True) for area in own if any(map(_is_tuned, area.model_fields.values()))]
    return page("Settings", INTRODUCTION, _given_by_commands(), *groups, TUNING, *tuned)


def _is_tuned(field: FieldInfo) -> bool:
    return TUNED in field.metadata


def _given_by_commands() -> str:
    """What commands set for the processes that they start."""
    ports = [f"{port_of([stage])} ({stage})" for stage in STAGES]
    inference = listing([code(name) for name in INFERENCE], "and")
    return (
        f"The default ports are {listing(ports, 'and')}. `parley up` also sets `PARLEY_GATEWAY_DATA` and "
        f"`PARLEY_RETRIEVE_DATA` to the folder of its option `--data` and, unless they are set, {inference} to the "
        "address of the retrieve process, and `PARLEY_DOORS_GATEWAY` to those of the gateways."
    )


def _area(area: type[AreaSettings], is_tuned: bool) -> str:
    """The settings of an area that are tuned, or the others."""
    schema = area.model_json_schema()
    fields_of_kind = {name: field for name, field in area.model_fields.items() if _is_tuned(field) is is_tuned}
    names = {name: code(area.variable(name)) for name in fields_of_kind}
    models = schema.get("$defs", {})
    title, about = (f"Tuning {code(area.area)}", "") if is_tuned else (code(area.area), paragraphs(getdoc(area) or ""))
    parts = [f"### {title}", about, _table(area, schema, names, models)]
    for field in fields_of_kind.values():
        for model in _models_in(field.annotation):
            own_names = {name: code(name) for name in model.model_fields}
            fields = _table(model, models[model.__name__], own_names, models)
            parts += [f"#### {model.__name__}", paragraphs(getdoc(model) or ""), fields]
    return "\n\n".join(part for part in dict.fromkeys(parts) if part)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that the values of a setting consist of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in getattr(annotation, "__args__", ()) for model in _models_in(argument)]


def _table(model: type[BaseModel], schema: Schema, names: Mapping[str, str], models: Schema) -> str:
    rows = []
    for name, words in names.items():
        field, value = model.model_fields[name], _value_words(schema["properties"][name], models)
        rows.append((words, _default_words(field), prose(field.description or ""), value))
    return table(("Setting", "Default", "Meaning", "Value"), rows)


def _value_words(schema: Schema, models: Schema) -> str:
    """What kind of value a setting takes, and within which bounds, such as "integer, 1 to 150"."""
    some = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), schema)
    return ", ".join(part for part in (_type_words(some, models), _bounds_words(some)) if part)


def _type_words(schema: Schema, models: Schema) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return name if "properties" in models[name] else _type_words(models[name], models)
    if choices := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return listing([code(str(choice)) for choice in choices])
    kind = schema.get("type", "text")
    if kind == "array":
        entries = _type_words(schema.get("items") or {}, models)
        return f"JSON list of {'texts' if entries == 'text' else entries}"
    if kind == "object":
        return f"JSON object of {_type_words(schema['additionalProperties'], models)}"
    return TYPES.get(schema.get("format", ""), TYPES.get(kind, kind))


def _bounds_words(schema: Schema) -> str:
    """The bounds of a value, such as "1 to 150" or "greater than 0"; empty without any."""
    if "minimum" in schema and "maximum" in schema:
        return f"{schema['minimum']:,} to {schema['maximum']:,}"
    bounds = [f"{words} {schema[name]:,}" for name, words in LIMITS.items() if name in schema]
    return ", ".join(bounds + ([f"matches {code(schema['pattern'])}"] if "pattern" in schema else []))


def _default_words(field: FieldInfo) -> str:
    """The default of a field as it would be given; a secret's is never shown."""
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    if plain is None:
        return "none"
    if isinstance(plain, tuple) and len(plain) > MAX_LISTED:
        return f"{len(plain)} entries, such as {code(_plain(plain[0]))}"
    return code(_plain(plain)) if plain != "" else "empty"


def _plain(value: Any) -> str:
    if isinstance(value, str | Path | Enum):
        return str(value.value if isinstance(value, Enum) else value)
    return json.dumps(value, ensure_ascii=False)
