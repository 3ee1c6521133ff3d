"""What a file says in places that no reader looks at, so that it can be named and nothing is lost. Pure."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.etree import _Element

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PHRASE: Final = re.compile(r"(?<![^\W_])[^\W_]{2,}(?:[,;:]?[ \t][^\W_]+){2,}[.!?]?")
"""Of a text with markup: markup seldom has three words in a row."""
_SAYING: Final = frozenset(
    {
        *("alt", "aria-label", "comment", "desc", "descr", "description", "displayText", "error", "errorTitle"),
        *("label", "placeholder", "prompt", "promptTitle", "srcdoc", "string", "string-value", "summary", "title"),
        *("tooltip", "value"),
    }
)
"""Attributes that people read, in HTML and the formats of Office programs."""
_CODED: Final = frozenset({"condition", "content", "expression", "val"})
"""Attributes that are for programs, unless they have three words in a row."""
_CODES: Final = frozenset({"align", "definedName", "instrText", "posOffset", "script", "style", "tableStyleId"})
"""Such elements."""


_MOST_SEARCHED: Final = 2_000_000_000
"""Letters in which parts of words are searched, about a second of work; after that, parts are not known (taste)."""


class Said:
    """The words that are known to be in a document, or named as left out."""

    def __init__(self, texts: Iterable[str]) -> None:
        whole = "\n".join(texts)
        self._words = set(_WORD.findall(whole.lower()))
        self._letters = "".join(whole.split())
        self._found = self._searched = 0

    def lacks(self, text: str) -> bool:
        """Whether a word of a text is not known; parts of words are known."""
        return not self._words.issuperset(_WORD.findall(text.lower())) and not self._holds("".join(text.split()))

    def _holds(self, letters: str) -> bool:
        """Whether letters stand in a row; most stand behind those that were found last."""
        if self._searched > _MOST_SEARCHED:
            return False
        place = self._letters.find(letters, self._found)
        if place < 0:
            self._searched += len(self._letters)
            place = self._letters.find(letters)
        self._found = place if place >= 0 else self._found
        return place >= 0

    def phrases(self, source: str) -> Iterator[str]:
        """Yield the phrases of a text with markup beside it."""
        return (match[0] for match in _PHRASE.finditer(source) if self.lacks(match[0]))


def texts_of(root: "_Element") -> dict[str, None]:
    """What the elements and attributes of a tree say, in their order, each text once."""
    texts: dict[str, None] = {}
    for element in root.iter("*"):
        named = [(name.rpartition("}")[2], str(text)) for name, text in element.attrib.items()]
        plain = [text for name, text in named if name in _SAYING]
        coded = [text for name, text in named if name in _CODED or (name == "formula" and not len(element))]
        (coded if str(element.tag).rpartition("}")[2] in _CODES else plain).append(element.text or "")
        texts |= dict.fromkeys((*plain, element.tail or "", *filter(_PHRASE.search, coded)))
    return texts
