"""Finds the areas of settings and the processes that read them."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from libs.runtime.settings import AreaSettings
from tools.generate import ROOT

ROOMS = ("libs", "gateway", "services", "cli", "doors", "ingest", "evaluation")
"""Folders whose modules may declare or read settings."""


@cache
def modules() -> Mapping[Path, ast.Module]:
    """The syntax trees of all modules, by path relative to the repository."""
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    return {file.relative_to(ROOT): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def areas() -> list[tuple[Path, type[AreaSettings]]]:
    """Every area with the path of its module, in the order of paths and then of the source."""
    return [
        (path, getattr(import_module(".".join(path.with_suffix("").parts)), name))
        for path, module in modules().items()
        for name in _declared(module)
    ]


def _declared(module: ast.Module) -> Iterator[str]:
    """Names of the classes that declare an area: `class …(…, area="…")`."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and any(keyword.arg == "area" for keyword in node.keywords):
            yield node.name


def readers(area: type[AreaSettings]) -> list[str]:
    """Names of the processes whose modules read an area, such as ["gateway", "answer"]; without libraries."""
    paths = [path for path, names in _read().items() if area.__name__ in names]
    rooms = {path.parts[1] if path.parts[0] == "services" else path.parts[0] for path in paths}
    return sorted(rooms - {"libs"})


@cache
def _read() -> Mapping[Path, set[str]]:
    """Names of classes that each module calls, or whose methods it calls: `X()`, `X.load()`."""
    return {path: _called(module) for path, module in modules().items()}


def _called(module: ast.Module) -> set[str]:
    functions = [node.func for node in ast.walk(module) if isinstance(node, ast.Call)]
    owners = [func.value if isinstance(func, ast.Attribute) else func for func in functions]
    return {owner.id for owner in owners if isinstance(owner, ast.Name)}
