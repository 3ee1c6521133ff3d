"""The environment variables that the suite reads, found in the text of its code."""

import re
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = ("libs", "gateway", "services", "cli", "doors", "ingest", "evaluation")
_NAMED: Final = re.compile(r'"(PARLEY_[A-Z0-9_]+)"')
_AREA: Final = re.compile(r'^class \w+\(.*area="(\w+)".*((?:\n(?: .*)?)*)', re.MULTILINE)
_FIELD: Final = re.compile(r"^    (\w+): ", re.MULTILINE)


def known_variables() -> frozenset[str]:
    """Every variable that the code names, or that is a field of an area of settings."""
    texts = [file.read_text(encoding="utf-8") for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    areas = [area for text in texts for area in _AREA.findall(text)]
    settings = {f"PARLEY_{area}_{field}".upper() for area, fields in areas for field in _FIELD.findall(fields)}
    return frozenset(settings.union(*map(_NAMED.findall, texts)))


def nearest_variable(name: str, known: frozenset[str]) -> str:
    """The variable whose words are most like those of an unknown one; empty for a known one, also of a nested field."""
    words = name.partition("__")[0].split("_")

    def likeness(other: str) -> float:
        best = (max(SequenceMatcher(None, word, its).ratio() for its in other.split("_")) for word in words)
        return sum(best) - abs(len(words) - len(other.split("_"))) / 10  # taste

    return "" if "_".join(words) in known else max(sorted(known), key=likeness)
