"""Figures about the code, beside those of an earlier commit: `python -m tools.house [COMMIT]`.

They show how much of the code is words and patterns of a language, and how much of it is used only once.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

ROOMS: Final = ("gateway", "services", "libs", "cli", "doors", "ingest", "evaluation")
WORD: Final = re.compile(r"[a-z]{3,}")
_COMPILERS: Final = ("re.compile", "regex.compile")
_ESCAPE: Final = re.compile(r"\\[pP]\{\w+\}|\\.")
_PATTERN: Final = re.compile(r"\\[bBdDsSwWAZ]|\(\?[:!=<Pim-]")
"""What only a pattern contains; a pattern is often put together from constants before it is compiled."""
_GROUP: Final = re.compile(r"\(\?P?[<=]\w+[>)]|\(\?[a-z-]+[:)]")
CODES: Final = frozenset(("en", "de"))
"""Codes of languages that have rules."""
LANGUAGE_ROOM: Final = Path("libs/language")
LEAST_WORDS: Final = 5
"""A collection of at least so many lower-case words is a word list."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module's path and syntax tree."""

    path: Path
    lines: int
    tree: ast.Module


def modules(root: Path) -> Iterator[Module]:
    """The modules of the rooms, without generated code."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            yield Module(path.relative_to(root), text.count("\n"), ast.parse(text))


def patterns(module: Module) -> list[ast.Call]:
    """The calls of `re.compile` and `regex.compile`."""
    calls = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return [call for call in calls if ast.unparse(call.func) in _COMPILERS]


def word_lists(module: Module) -> list[int]:
    """The sizes of the collections of lower-case words."""
    return [size for node in ast.walk(module.tree) if (size := _words(node)) >= LEAST_WORDS]


def _words(node: ast.AST) -> int:
    """How many lower-case words a collection has; a string that is split counts by its words."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text, attr="split")):
            return len(WORD.findall(_text(text)))
        case ast.Set(elts=elements) | ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Dict(keys=elements):
            return sum(1 for element in elements if WORD.fullmatch(_text(element)))
        case _:
            return 0


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def reads_language(module: Module) -> bool:
    """Whether a module has a word list, or a pattern with words of three letters and more."""
    compiled = [_text(node) for call in patterns(module) for node in ast.walk(call)]
    parts = [text for text in _texts_of_code(module) if _PATTERN.search(text)]
    return bool(word_lists(module)) or any(_has_word(text) for text in (*compiled, *parts))


def _texts_of_code(module: Module) -> Iterator[str]:
    """The strings of a module without its docstrings."""
    statements = (node for node in ast.walk(module.tree) if isinstance(node, ast.Expr))
    docstrings = {id(statement.value) for statement in statements}
    return (_text(node) for node in ast.walk(module.tree) if id(node) not in docstrings)


def _has_word(pattern: str) -> bool:
    return WORD.search(_ESCAPE.sub(" ", _GROUP.sub(" ", pattern))) is not None


def names_language(module: Module) -> bool:
    """Whether a module outside the language room has a language's code, so that an added language may touch it."""
    return LANGUAGE_ROOM not in module.path.parents and any(_text(node) in CODES for node in ast.walk(module.tree))


def numbers(module: Module) -> int:
    """How many module-level constants are numbers."""
    assignments = (node for node in module.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    values = (node.value for node in assignments)
    return sum(isinstance(value, ast.Constant) and isinstance(value.value, int | float) for value in values)


def private_functions(every: Sequence[Module]) -> tuple[int, int]:
    """How many private functions there are, and how many of them are named in one place only."""
    total = once = 0
    for module in every:
        uses = Counter(node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name))
        uses.update(node.attr for node in ast.walk(module.tree) if isinstance(node, ast.Attribute))
        functions = (node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        names = [function.name for function in functions if re.match(r"_[^_]", function.name)]
        total += len(names)
        once += sum(uses[name] == 1 for name in names)
    return total, once


def figures(root: Path) -> dict[str, str]:
    """The figures of a tree, as they are printed."""
    every = list(modules(root))
    lines = sum(module.lines for module in every)
    language = [module for module in every if reads_language(module)]
    outside = [module for module in language if LANGUAGE_ROOM not in module.path.parents]
    private, once = private_functions(every)
    return {
        "modules": f"{len(every):,}",
        "lines": f"{lines:,}",
        "longest module, lines": f"{max(module.lines for module in every):,}",
        "modules over 250 lines": f"{sum(module.lines > 250 for module in every):,}",
        "modules with words or patterns of a language": f"{len(language):,}",
        "of them outside the language room": f"{len(outside):,}",
        "modules that name a language by its code": f"{sum(map(names_language, every)):,}",
        "share of the lines in modules with words or patterns": f"{sum(m.lines for m in language) / lines:.2f}",
        "word lists": f"{sum(len(word_lists(module)) for module in every):,}",
        "words in them": f"{sum(sum(word_lists(module)) for module in every):,}",
        "patterns": f"{sum(len(patterns(module)) for module in every):,}",
        "number constants": f"{sum(numbers(module) for module in every):,}",
        "private functions": f"{private:,}",
        "of them used once": f"{once / private:.2f}",
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description="Figures about the code.")
    parser.add_argument("commit", nargs="?", help="an earlier commit to print beside")
    commit: str | None = parser.parse_args().commit
    root = Path(__file__).resolve().parent.parent
    columns = {"now": figures(root)}
    if commit:
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", "archive", commit], cwd=root, check=True, capture_output=True).stdout
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(folder, filter="data")
            columns = {commit: figures(Path(folder)), **columns}
    table = Table("", *columns)
    for name in columns["now"]:
        table.add_row(name, *(column[name] for column in columns.values()))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
