"""Labelled sets: where they lie, how they are read (OSError), and the table that all their benches print."""

import gzip
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from bench import samples

DATA = Path(__file__).resolve().parent / "data"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a labelled set."""

    set: str
    cases: int
    name: str
    count: int
    """Of the cases, those that the name tells of."""

    @property
    def share(self) -> float:
        """In [0, 1]; 0 of no cases."""
        return self.count / self.cases if self.cases else 0.0


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """The values of a JSON-lines file, packed or not."""
    text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    return (json.loads(line) for line in text.splitlines())


def read_toml(file: Path) -> dict[str, Any]:
    """The values of a TOML file."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def show(title: str, figures: Iterable[Figure], complaints: Iterable[str] = ()) -> None:
    """Print a line a set, with its cases and figures, then a line a case that came out otherwise than its label."""
    rows = [
        (name, str(cases), "\n".join(f"{figure.share:6.1%} {figure.name}" for figure in of_set))
        for (name, cases), of_set in groupby(figures, lambda figure: (figure.set, figure.cases))
    ]
    samples.report(title, rows, ("set", "cases", "figure"))
    sys.stdout.writelines(f"- {line}\n" for line in complaints)
