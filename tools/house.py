"""Figures about the code by room, beside those of a commit, which git reads: `python -m tools.house [COMMIT]`."""

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.suite import tree_of

ROOMS: Final = ("gateway", "services", "libs", "cli", "doors", "ingest", "evaluation")
TESTED: Final = ("bench", "tools", "clients/python", "tests")
"""Further folders whose modules are counted."""
HEADINGS: Final = ("modules", "most in a folder", "lines", "file p90", "function median", "function p90")


@dataclass(frozen=True, slots=True)
class Module:
    """A module's path and syntax tree."""

    path: Path
    lines: int
    tree: ast.Module


def modules(root: Path, rooms: Sequence[str] = ROOMS, word: str = "") -> Iterator[Module]:
    """The modules of the rooms that hold a word, without generated code."""
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            if word in (text := path.read_text(encoding="utf-8")):
                yield Module(path.relative_to(root), text.count("\n"), ast.parse(text))


def figures(root: Path) -> Mapping[str, Sequence[str]]:
    """The figures by room, as they are printed; a stage and a library count as rooms of their own."""
    rooms: dict[str, list[Module]] = {}
    for module in modules(root, (*ROOMS, *TESTED)):
        depth = 2 if module.path.parts[0] in ("services", "libs", "clients") else 1
        rooms.setdefault("/".join(module.path.parent.parts[:depth]), []).append(module)
        rooms.setdefault("all", []).append(module)
    return {room: _row(own) for room, own in sorted(rooms.items(), key=lambda pair: pair[0] == "all")}


def _row(own: Sequence[Module]) -> Sequence[str]:
    folders = Counter(module.path.parent for module in own if module.path.name != "__init__.py")
    nodes = (node for module in own for node in ast.walk(module.tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions] or [0]
    numbers = (
        len(own),
        max(folders.values(), default=0),
        sum(module.lines for module in own),
        _percentile([module.lines for module in own], 90),
        _percentile(lengths, 50),
        _percentile(lengths, 90),
    )
    return [f"{number:,.0f}" for number in numbers]


def _percentile(values: Sequence[int], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def _figures_of(commit: str) -> Mapping[str, Sequence[str]]:
    with tree_of(commit) as tree:
        return figures(tree)


def main() -> int:
    """Print the table; with a commit, each figure as "then → now"."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description="Figures about the code.")
    parser.add_argument("commit", nargs="?", help="an earlier commit to print beside")
    commit: str | None = parser.parse_args().commit
    root = Path(__file__).resolve().parent.parent
    now = figures(root)
    then = _figures_of(commit) if commit else now
    table = Table("", *HEADINGS)
    none = ["-"] * len(HEADINGS)
    for room in dict.fromkeys((*now, *then)):
        pairs = zip(then.get(room, none), now.get(room, none), strict=True)
        table.add_row(room, *(before if before == after else f"{before} → {after}" for before, after in pairs))
    Console(width=120).print(table)  # as long as lines of code may be
    return 0


if __name__ == "__main__":
    sys.exit(main())
