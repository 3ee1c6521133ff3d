"""Whether a line or sentence can be understood by itself, by its first word, its end and its length. Pure functions."""

import re
from typing import Final

from libs.language.known import language_of
from libs.language.topics.clauses import Connectives
from services.answer.quoting.standing import CHARACTER, words_of

MAX_LABEL: Final = 25
"""Maximum words of a label (taste)."""
CUT: Final = "…"  # stands for the text before a passage that does not begin its document
INDEXED: Final = 10
"""Least words of an index, a quarter of them numbers (8: whole answers the same, and sentences go)."""
SHORT: Final = 3
"""Fewer words say nothing without what precedes them."""
CHARACTERS_A_WORD: Final = 1.7
"""For Chinese and Japanese (by hand)."""
_COLONS: Final = (":", "：")
_QUESTION_MARKS: Final = ("?", "？")
_CLOSERS: Final = " \n*_`\"'”’»)]}"
_SCRAP: Final = re.compile(r"(?:[^\w\[]*\[[^\[\]]*\]\([^()\s]*\))++\W*|(?:\[\d{1,3}\]|[¹²³⁴-⁹]+)\s.*", re.DOTALL)
_LABEL: Final = re.compile(r"[^`:：/|]*[^`:：/|.!?…。！？;,]")
"""A line without a stop, an address, code, or a value after a colon."""
_FIRST_WORD: Final = re.compile(r"[\"'“‘«(\[*_]*(?P<word>[^\W\d_]+)(?![\w.(/:=-])")
_WRAPPED: Final = re.compile(r"(?<=\S)(?: (?! ))?\n(?!\s|[-+*•#>|=~]\s|\d{1,3}[.)]\s)")
"""A line break without the two spaces of a deliberate one, and before no mark."""


def promises(sentence: str, language: str) -> bool:
    """Whether a sentence says nothing without what follows: it ends with a colon, asks, or is answered below."""
    is_promise = Connectives.of(language).promise.search(sentence.rstrip(_CLOSERS)) is not None
    return is_promise or announces(sentence) or asks(sentence)


def announces(text: str) -> bool:
    """Whether a text ends with a colon."""
    return text.rstrip().rstrip("*_").endswith(_COLONS)


def asks(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return text.rstrip(_CLOSERS).endswith(_QUESTION_MARKS)


def is_scrap(text: str) -> bool:
    """Whether a text is only links or pictures, or a footnote."""
    return _SCRAP.fullmatch(text.strip()) is not None


def is_index(text: str, language: str) -> bool:
    """Whether a text is names and numbers, many, with no word that joins them to a sentence, and no label above."""
    words, joining = words_of(text), language_of(language).stop_words
    numbers = sum(word.isdigit() for word in words)
    is_labelled = any(f"{colon} " in text for colon in _COLONS)
    return INDEXED <= len(words) <= 4 * numbers and joining.isdisjoint(words) and not is_labelled


def is_label(line: str) -> bool:
    """Whether a line is shaped as a label of what follows: `Warning`, `Redis < 7.0`."""
    return count_words(line) <= MAX_LABEL and _LABEL.fullmatch(line.strip()) is not None


def goes_on(sentence: str, before: str) -> bool:
    """Whether a sentence goes on with what the text before it began, or has too few words of its own."""
    if count_words(sentence) < SHORT and not any(colon in sentence for colon in _COLONS):
        return True
    first = _FIRST_WORD.match(sentence)
    return first is not None and first["word"][0].islower() and (before == CUT or before[-1:].isalnum())


def without_marker(sentence: str, language: str) -> str:
    """Return a sentence without the word that ties it to the one before it, if it says the same by itself."""
    marker = Connectives.of(language).marker.match(sentence)
    return sentence if marker is None else f"{sentence[marker.end()].upper()}{sentence[marker.end() + 1 :]}"


def unwrapped(text: str) -> str:
    """Return a paragraph of the same length in which wrapped lines are joined with spaces."""
    return _WRAPPED.sub(lambda match: " " * len(match[0]), text)


def count_words(text: str) -> int:
    """Return the number of words; 1.7 Chinese or Japanese characters count as one."""
    characters = len(CHARACTER.findall(text))
    return len(CHARACTER.sub(" ", text).split()) + round(characters / CHARACTERS_A_WORD)
