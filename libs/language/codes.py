"""Codes of languages, as callers and documents give them: any text."""

from typing import Final

LONGEST: Final = 8
"""Letters of a language's subtag (BCP 47)."""


def names_files(code: str) -> bool:
    """Whether a code may be the name of a language's files; those of callers may be paths, or of any length."""
    return len(code) <= LONGEST and code.isascii() and code.isalpha()
