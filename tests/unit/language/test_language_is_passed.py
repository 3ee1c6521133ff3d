"""No function takes a language by default: who reads a text says in which language.

The type checker finds a call without it, except of a cached function, whose arguments it does not know.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tools.house import Module, modules

_ROOT: Final = Path(__file__).parents[3]
_EXCEPTIONS: Final = {
    "libs/documents/building.py code": "the language of a program, empty if unknown",
    "libs/contracts/evidence.py Passage": "empty: the language is unknown",
    "libs/contracts/stages/answer.py WriteRequest": "empty: the answer is in the question's language",
    "libs/contracts/understanding.py Understanding": "empty: no model named the language",
    "libs/web/pages.py WebPage": "empty: the page does not state it",
    "gateway/request.py TurnOptions": "empty: the answer is in the question's language",
    "services/decompose/condense/ladder.py condense": "none: decided from the turn",
    "services/decompose/words/domain.py Domain": "empty: a domain without words",
    "services/intent/phrase_patterns.py Element": "empty: an element without a stem",
    "services/intent/reading.py IntentForm": "empty: the model did not name it",
    "services/retrieve/corpus/documents.py Document": "empty: the language is detected",
    "services/retrieve/settings.py RetrieveSettings": "a setting: English unless the operator says otherwise",
}
"""Where the parameter or field `language` has a default, and what it stands for."""


@cache
def _modules() -> tuple[Module, ...]:
    """All modules that speak of a language, parsed once."""
    return tuple(modules(_ROOT, word="language"))


@cache
def _defaults() -> tuple[tuple[str, str], ...]:
    """Each definition with a default of `language`, and the default."""
    return tuple(_find_defaults())


def _find_defaults() -> Iterator[tuple[str, str]]:
    """Yield each definition with a default of `language`, and the default."""
    for module in _modules():
        for node in ast.walk(module.tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    values = _parameter_defaults(node.args)
                case ast.ClassDef():
                    values = _field_defaults(node)
                case _:
                    continue
            for value in values:
                yield f"{module.path.as_posix()} {node.name}", value


def _parameter_defaults(arguments: ast.arguments) -> list[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = list[tuple[ast.arg, ast.expr | None]](zip(with_default, arguments.defaults, strict=True))
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [ast.unparse(value) for name, value in pairs if name.arg == "language" and value]


def _field_defaults(node: ast.ClassDef) -> list[str]:
    assignments = [statement for statement in node.body if isinstance(statement, ast.AnnAssign)]
    values = [a.value for a in assignments if ast.unparse(a.target) == "language" and a.value is not None]
    return [ast.unparse(value) for value in values if ast.unparse(value) != "field(kw_only=True)"]


def test_a_language_is_never_english_by_default() -> None:
    assert {where for where, _ in _defaults()} - _EXCEPTIONS.keys() == set()


def test_no_exception_is_stale_and_only_a_setting_names_a_language() -> None:
    defaults = {where: value for where, value in _defaults() if where in _EXCEPTIONS}
    assert defaults.keys() == _EXCEPTIONS.keys()
    named = {where for where, value in defaults.items() if value not in ("''", "None")}
    assert named == {"services/retrieve/settings.py RetrieveSettings"}


def test_a_call_of_a_cached_function_passes_the_language() -> None:
    every = _modules()
    positions = {key: position for module in every for key, position in _cached_functions(module)}
    assert len(positions) > 50
    assert [call for module in every for call in _calls_without_language(module, positions)] == []


def _cached_functions(module: Module) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield the name of each cached function with its module, and the position of its parameter `language`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and any("cache" in ast.unparse(mark) for mark in node.decorator_list):
            names = [argument.arg for argument in node.args.args]
            if "language" in names:
                yield (_dotted(module), node.name), names.index("language")


def _calls_without_language(module: Module, positions: dict[tuple[str, str], int]) -> Iterator[str]:
    names = {name: position for (home, name), position in positions.items() if home == _dotted(module)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            keys = ((alias.asname or alias.name, (node.module or "", alias.name)) for alias in node.names)
            names |= {name: positions[key] for name, key in keys if key in positions}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            is_passed = len(node.args) > names[node.func.id] or any(k.arg in ("language", None) for k in node.keywords)
            if not is_passed and not any(isinstance(argument, ast.Starred) for argument in node.args):
                yield f"{module.path.as_posix()}:{node.lineno} {ast.unparse(node)}"


def _dotted(module: Module) -> str:
    return ".".join(module.path.with_suffix("").parts)
