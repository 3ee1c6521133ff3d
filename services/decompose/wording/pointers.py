"""The pointing word of an English turn that words of the history take the place of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from libs.language.topics.questions import PointingWords
from services.decompose.wording.words import LANGUAGE, Message, Word, split_words

_PERSONS = frozenset({"it", "they", "them", "he", "she", "him"})
_OWNERS = frozenset({"its", "their", "his", "her"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_BE_HAVE_DO = frozenset({"is", "are", "was", "were", "been", "be", "do", "does", "did", "has", "have", "had"})
_VERBS = _BE_HAVE_DO | {"can", "could", "will", "would", "should", "may", "might", "must"}
_JOINTS = frozenset({"and", "or", "but"})
_AFTER_NOUN = _VERBS | _JOINTS | {"for", "in", "on", "to", "with", "from", "by", "at", "as"}
_COMPOUND = re.compile(r"(?<![\w-])\w+-\w[\w-]*")
_NOT_BEFORE_ONE = frozenset({"this", "that", "which", "no", "the", "number"})
_NOT_AFTER_ONE = frozenset({"of", "day", "week", "month", "year", "hour", "minute", "million", "thousand", "hundred"})


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointing word of the turn."""

    start: int
    end: int
    is_possessive: bool
    is_noun: bool
    """Whether it is only the noun of a phrase: `one` of `the old one`."""


def find_pointer(turn: str) -> Pointer | None:
    """The first pointing word that a name or noun of the history can replace."""
    words = split_words(turn)
    others = (*PointingWords.of(LANGUAGE).expletive.finditer(turn), *_COMPOUND.finditer(turn))
    skipped = {start for match in others for start in range(*match.span())}
    for place, word in enumerate(words):
        if word.start in skipped or _is_named_within(words, place):
            continue
        after = _next(turn, words, place)
        if word.lower in _OWNERS and after is not None and (after.stem or word.lower != "her"):
            return Pointer(word.start, word.end, is_possessive=True, is_noun=False)
        is_one = word.lower in ("one", "ones")
        if word.lower in _PERSONS or word.lower == "her" or _is_noun(words, place, after):
            return Pointer(word.start, word.end, is_possessive=False, is_noun=is_one)
    return None


def names_antecedent(turn: Message, history: Sequence[Message]) -> bool:
    """Whether a turn points with a noun that was said before: `that refund`. It says what it is about by itself."""
    said = frozenset[str]().union(*(message.stems for message in history))
    followers = (
        _next(turn.text, turn.words, place) for place, word in enumerate(turn.words) if word.lower in _DEMONSTRATIVES
    )
    return any(noun is not None and noun.stem in said for noun in followers)


def _next(turn: str, words: Sequence[Word], place: int) -> Word | None:
    """The word after one, if no mark stands between them."""
    after = words[place + 1] if place + 1 < len(words) else None
    return None if after is None or turn[words[place].end : after.start].strip() else after


def _is_named_within(words: Sequence[Word], place: int) -> bool:
    """Whether the turn itself names what a possessive, or a pronoun of a later clause, stands for."""
    if words[place].lower in _OWNERS:
        return any(word.is_name for word in words)
    joint = next((at for at in range(place, 0, -1) if words[at].lower in _JOINTS), 0)
    return words[place].lower in _PERSONS and any(word.is_name for word in words[:joint])


def _is_noun(words: Sequence[Word], place: int, after: Word | None) -> bool:
    """Whether "one" or "that" stands for a noun, rather than being a number, article or conjunction."""
    word, before = words[place], words[place - 1] if place else None
    if word.lower in ("one", "ones"):
        is_number = (before is not None and before.lower in _NOT_BEFORE_ONE) or word.is_name
        return not is_number and (after is None or after.lower not in _NOT_AFTER_ONE)
    if word.lower not in _DEMONSTRATIVES or (after is not None and after.lower not in _AFTER_NOUN):
        return False
    opens_clause = word.lower == "that" and after is not None and after.lower in _VERBS
    return not (opens_clause and before is not None and before.stem)
