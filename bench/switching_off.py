"""Switches rules off in a checkout: files emptied, constants replaced, functions that return a fixed value."""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import DATA, read_toml
from libs.language.known import ENGLISH

WORDS = Path("libs/language/data") / ENGLISH
_EDIT = re.compile(r"(?P<path>[\w/]+\.py):(?P<name>\w+)(?P<call>\(\))? = (?P<value>.+)")


@dataclass(frozen=True, slots=True)
class Family:
    """Rules that serve one purpose, and how they are switched off."""

    name: str
    does: str = ""
    files: tuple[str, ...] = ()
    """Files of the English rules that are emptied, relative to their folder."""
    edits: tuple[str, ...] = ()
    """`path.py:NAME = value` for a constant, `path.py:function() = value` for a function's result."""


def families() -> dict[str, Family]:
    """All families by name, from `bench/data/rule_families.toml`."""
    table = read_toml(DATA / "rule_families.toml")
    return {
        name: Family(name, family["does"], tuple(family.get("files", ())), tuple(family.get("edits", ())))
        for name, family in table.items()
    }


@contextmanager
def switched_off(family: Family, tree: Path) -> Iterator[None]:
    """The checkout without these rules, for a while.

    Raises:
        OSError: there is no such file.
        ValueError: there is no such constant or function.
    """
    emptied = [tree / WORDS / file for file in family.files]
    matches = [_parsed(edit) for edit in family.edits]
    paths = [*emptied, *dict.fromkeys(tree / match["path"] for match in matches)]
    contents = {path: path.read_bytes() for path in paths}
    try:
        for path in emptied:
            path.write_bytes(b"")
        for match in matches:
            path = tree / match["path"]
            path.write_text(_edited(path.read_text(encoding="utf-8"), match), encoding="utf-8")
        yield
    finally:
        for path, content in contents.items():
            path.write_bytes(content)


def _parsed(edit: str) -> re.Match[str]:
    match = _EDIT.fullmatch(edit)
    if match is None:
        raise ValueError(f"not an edit: {edit}")
    return match


def _edited(source: str, match: re.Match[str]) -> str:
    name, value = match["name"], match["value"]
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if match["call"] and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = node.body[0]
            lines.insert(first.lineno - 1, f"{' ' * first.col_offset}return {value}\n")
            return "".join(lines)
        if not match["call"] and isinstance(node, ast.Assign | ast.AnnAssign) and _assigns(node, name):
            start, end = node.lineno - 1, node.end_lineno or node.lineno
            lines[start:end] = [f"{name} = {value}\n"]
            return "".join(lines)
    raise ValueError(f"{match['path']} has no {name}")


def _assigns(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets: Sequence[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)
