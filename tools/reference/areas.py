"""Finds the areas of settings (`PARLEY_<AREA>_…`) in the code: parses all modules, imports those that declare one."""

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
