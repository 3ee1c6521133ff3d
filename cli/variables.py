"""The environment variables that the suite reads, as its own code tells; nothing is imported for it."""

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = ("libs", "gateway", "services", "cli", "doors", "ingest", "evaluation")
"""Folders whose modules read variables."""
_NAMED: Final = re.compile(r'"(PARLEY_[A-Z0-9_]+)"')
NESTED: Final = "__"
"""Leads to a field of a nested model."""


def known_variables() -> frozenset[str]:
    """Every variable that the code names, or that is a field of an area of settings."""
    files = (file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
    return frozenset(name for file in files for name in _read_by(file.read_text(encoding="utf-8")))


def _read_by(source: str) -> Iterator[str]:
    yield from _NAMED.findall(source)
    if "Settings, area=" not in source:
        return
    for node in ast.parse(source).body:
        for area in [word.value for word in getattr(node, "keywords", ()) if word.arg == "area"]:
            fields = [line.target for line in getattr(node, "body", ()) if isinstance(line, ast.AnnAssign)]
            yield from (f"PARLEY_{ast.literal_eval(area)}_{ast.unparse(field)}".upper() for field in fields)


def nearest_variable(name: str, known: frozenset[str]) -> str:
    """The known variable whose words are most like those of an unknown one; empty for a known one."""
    name = name.partition(NESTED)[0]
    return "" if name in known else max(sorted(known), key=lambda other: _likeness(name.split("_"), other.split("_")))


def _likeness(name: Sequence[str], other: Sequence[str]) -> float:
    """How like the words of a name are to words of another, less for each that the other has more or fewer."""
    best = (max(SequenceMatcher(None, word, its).ratio() for its in other) for word in name)
    return sum(best) - abs(len(name) - len(other)) / 10  # taste
