"""Reads tables of words of a language, such as synonyms or opposites, from `data/<language>/<name>.txt`.

One row a line, cells separated by `|`. A cell is a list of words with white space between them, or of phrases with
commas. A line that begins with `#` is a comment.
"""

from functools import lru_cache
from importlib.resources import files
from typing import TypeAlias

from libs.language.codes import names_files

Row: TypeAlias = tuple[tuple[str, ...], ...]
"""The words of each cell."""


@lru_cache(maxsize=256)
def word_table(name: str, language: str) -> tuple[Row, ...]:
    """The rows of a table; empty if the language does not have it.

    Args:
        name: the file's name without its ending.
        language: ISO 639-1.
    """
    path = files(__package__) / "data" / language / f"{name}.txt"
    if not names_files(language) or not path.is_file():
        return ()
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return tuple(tuple(map(_phrases, line.split("|"))) for line in lines)


def _phrases(cell: str) -> tuple[str, ...]:
    phrases = cell.split(",") if "," in cell else cell.split()
    return tuple(" ".join(phrase.split()) for phrase in phrases if phrase.strip())
