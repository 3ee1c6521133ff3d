"""No function takes a language by default: who reads a text says in which language."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tools.house import modules

_ROOT: Final = Path(__file__).parents[3]
_EXCEPTIONS: Final = {
    "libs/documents/building.py code": "the language of a program, empty if unknown",
    "libs/contracts/evidence.py Passage": "empty: the language is unknown",
    "libs/contracts/stages/answer.py WriteRequest": "empty: the answer is in the question's language",
    "libs/contracts/understanding.py Understanding": "empty: no model named the language",
    "libs/web/pages.py WebPage": "empty: the page does not state it",
    "gateway/request.py TurnOptions": "empty: the answer is in the question's language",
    "services/decompose/words/domain.py Domain": "empty: a domain without words",
    "services/intent/by_model/reading.py IntentForm": "empty: the model did not name it",
    "services/retrieve/corpus/documents.py Document": "empty: the language is detected",
    "services/retrieve/settings.py RetrieveSettings": "a setting: English unless the operator says otherwise",
}
"""Where the parameter or field `language` has a default, and what it stands for."""


@cache
def _defaults() -> tuple[tuple[str, str], ...]:
    """Each definition with a default of `language`, and the default."""
    return tuple(_find_defaults())


def _find_defaults() -> Iterator[tuple[str, str]]:
    """Yield each definition with a default of `language`, and the default."""
    for module in modules(_ROOT, word="language"):
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
