"""The page of all settings, from the classes that declare them."""

from collections.abc import Iterable, Mapping
from inspect import getdoc
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from cli.suite.processes import STAGES, port_of
from cli.suite.up import INFERENCE
from libs.runtime.settings import CONFIG_VARIABLE, DEFAULT_CONFIG, AreaSettings
from tools.reference.areas import areas, readers
from tools.reference.markdown import code, listing, page, paragraphs, prose, table
from tools.reference.setting_types import bounds_words, default_words, nested_models, type_words

GROUPS: Mapping[str, str] = {
    "libs/runtime": "Every process",
    "libs/llm": "Language model",
    "gateway": "Gateway",
    **{f"services/{stage}": stage.capitalize() for stage in STAGES[1:]},
    "doors": "Doors: HTTP",
    "cli": "Command line",
}
"""Headings by the folder that declares an area, in the order of the page."""

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
it and does not start. Unknown variables are ignored. `parley doctor` lists the variables that are set in the shell."""


def settings_page() -> str:
    """The page, grouped by the process that reads an area."""
    setting_areas = areas()
    groups = [
        "\n\n".join([f"## {title}", *(_area(area) for path, area in setting_areas if _is_in(path, folder))])
        for folder, title in GROUPS.items()
    ]
    return page("Settings", INTRODUCTION, _given_by_commands(), *groups)


def _is_in(path: Path, folder: str) -> bool:
    return path.as_posix().startswith(f"{folder}/")


def _given_by_commands() -> str:
    """What commands set for the processes that they start."""
    ports = [f"{port_of([stage])} ({stage})" for stage in STAGES]
    inference = listing([code(name) for name in INFERENCE], "and")
    return (
        f"The default ports are {listing(ports, 'and')}. `parley up` also sets `PARLEY_GATEWAY_DATA` and "
        f"`PARLEY_RETRIEVE_DATA` to the folder of its option `--data` and, unless they are set, {inference} to the "
        "address of the retrieve process, and `PARLEY_DOORS_GATEWAY` to those of the gateways."
    )


def _area(area: type[AreaSettings]) -> str:
    names = readers(area)
    processes = (
        f"Read by {listing(names, 'and')}." if names and area.area not in ("server", "channel", "tls", "trust") else ""
    )
    rows = [_row(code(area.variable(name)), field) for name, field in area.model_fields.items()]
    models = dict.fromkeys(m for field in area.model_fields.values() for m in nested_models(field.annotation))
    parts = [f"### {code(area.area)}", paragraphs(getdoc(area) or ""), processes, _table(rows), *map(_model, models)]
    return "\n\n".join(part for part in parts if part)


def _model(model: type[BaseModel]) -> str:
    rows = [_row(code(name), field) for name, field in model.model_fields.items()]
    return "\n\n".join([f"#### {model.__name__}", paragraphs(getdoc(model) or ""), _table(rows)])


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    return table(("Setting", "Default", "Meaning", "Value"), rows)


def _row(name: str, field: FieldInfo) -> tuple[str, ...]:
    value = ", ".join(part for part in (type_words(field.annotation), bounds_words(field)) if part)
    return name, default_words(field), prose(field.description or ""), value
