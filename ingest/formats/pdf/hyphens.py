"""Joins the lines of a text; the document's own words tell whether a hyphen at a line's end belongs to its word."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from libs.language.analysis import terms_of
from libs.language.near_stems import near_stems

LANGUAGE: Final = "en"
"""Whose words are known; a word of another language is joined unless the document writes it with its hyphen."""
_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_DIVIDED: Final = re.compile(r"(\w+)-\Z")
_BEGINNING: Final = re.compile(r"\w+")


class LineJoiner:
    """Joins lines in the words of one document."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._counts = Counter(word for line in lines for word in _WORD.findall(line.lower()))

    def join(self, lines: Iterable[str]) -> str:
        """Return the lines as one text."""
        text = ""
        for line in lines:
            hyphen = _DIVIDED.search(text)
            rest = _BEGINNING.match(line)
            if hyphen and rest and line[:1].islower():
                text = (text if self._is_compound(hyphen[1], rest[0]) else text[:-1]) + line
            else:
                text = f"{text} {line}" if text else line
        return text

    def _is_compound(self, first: str, second: str) -> bool:
        """Whether the document writes a word with its hyphen; if it has neither form, whether both parts are words."""
        whole = self._counts[f"{first}{second}".lower()]
        hyphenated = self._counts[f"{first}-{second}".lower()]
        if whole != hyphenated:
            return hyphenated > whole
        return not _is_word(f"{first}{second}") and _is_word(first) and _is_word(second)


def _is_word(word: str) -> bool:
    """Whether the language has a word: one without meaning of its own, or one of a known stem."""
    return not terms_of(word.lower(), LANGUAGE) or bool(near_stems(word.lower(), LANGUAGE))
