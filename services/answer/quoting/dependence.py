"""Whether a line or sentence can be understood by itself, by its first word, its end and its length. Pure functions."""

import re
from typing import Final

from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.questions import PointingWords

MAX_LABEL: Final = 5
"""Maximum words of a label (taste)."""
CHARACTERS_A_WORD: Final = 1.7
"""For Chinese and Japanese (by hand)."""
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # kana and Chinese characters
_COLONS: Final = (":", "：")
_LABEL: Final = re.compile(r"[^`:：/|]*[^`:：/|.!?…。！？;,]")
"""A line without a stop, an address, code, or a value after a colon."""
_FIRST_WORD: Final = re.compile(r"[\"'“‘«(\[*_]*(?P<word>[^\W\d_]+)(?![\w.(/:=-])")
_WRAPPED: Final = re.compile(r"(?<=\S)(?: (?! ))?\n(?!\s|[-+*•#>|=~]\s|\d{1,3}[.)]\s)")
"""A line break without the two spaces of a deliberate one, and before no mark."""


def announces(text: str) -> bool:
    """Whether a text ends with a colon."""
    return text.rstrip().rstrip("*_").endswith(_COLONS)


def is_label(line: str) -> bool:
    """Whether a line is shaped as a label of what follows: `Warning`, `Redis < 7.0`."""
    return count_words(line) <= MAX_LABEL and _LABEL.fullmatch(line.strip()) is not None


def depends(sentence: str, before: str, language: str) -> bool:
    """Whether a sentence begins with a pronoun or leans on another one, or goes on with what the text before it began.

    Args:
        sentence: the sentence.
        before: the text before it in its passage.
        language: of both, ISO 639-1.
    """
    if PointingWords.of(language).leaning.match(sentence.lstrip("*_ ")):
        return True
    first = _FIRST_WORD.match(sentence)
    if first is None or (word := first["word"]) in NounPhrases.of(language).capital_pronouns:
        return False
    goes_on = word[0].islower() and before[-1:].isalnum()
    return goes_on or word.lower() in PointingWords.of(language).pronouns | Grammar.of(language).demonstratives


def unwrapped(text: str) -> str:
    """Return a paragraph of the same length in which wrapped lines are joined with spaces."""
    return _WRAPPED.sub(lambda match: " " * len(match[0]), text)


def count_words(text: str) -> int:
    """Return the number of words; 1.7 Chinese or Japanese characters count as one."""
    characters = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + round(characters / CHARACTERS_A_WORD)
