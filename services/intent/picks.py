"""Recognise a choice among offered options, without a model: `the second one`, `yes`, the option's own words."""
# ruff: noqa: SIM905 - a list of words reads best as words

from collections.abc import Sequence
from typing import Final

from libs.text.calendar_words import ordinal_number
from libs.text.number_words import small_number
from libs.text.tokens import content_stems, words
from services.intent.unresolved import find_unresolved

_FILLING: Final = frozenset(
    """
        the a one ones option choice number no please i i'm mean meant want about for is it that's it's take pick
        choose go with of them these those let's would like to interested in talking asking and what how
    """.split()
)
_YES: Final = frozenset({"yes", "yeah", "yep", "yup", "sure", "right", "correct", "exactly", "ok", "okay"})
_LETTERS: Final = {"b": 2, "c": 3, "d": 4, "e": 5}
_PAIR: Final = {"former": 1, "latter": 2}


def find_pick(turn: str, options: Sequence[str]) -> str | None:
    """Return the option that a turn picks; None if it picks none, is ambiguous, or asks a new question.

    `Yes` picks the first option, which is the most likely.
    """
    if not options:
        return None
    turn_words = [word for word in words(turn) if word not in _FILLING]
    if turn_words and all(word in _YES for word in turn_words):
        return options[0]
    if len(turn_words) == 1 and (position := _position(turn_words[0], len(options))):
        return options[position - 1]
    return _by_words(turn, options)


def _by_words(turn: str, options: Sequence[str]) -> str | None:
    """Return the only option that has exactly the words of the turn, or else all of them; None if not unique."""
    turn_stems = {stem for stem in content_stems(turn) if stem not in _FILLING}
    if not turn_stems:
        return None
    stems = [set(content_stems(choice)) for choice in options]
    exact = [choice for choice, option_stems in zip(options, stems, strict=True) if option_stems == turn_stems]
    partial = [choice for choice, option_stems in zip(options, stems, strict=True) if turn_stems <= option_stems]
    matches = exact or partial
    return matches[0] if len(matches) == 1 else None


def _position(word: str, count: int) -> int | None:
    if word in ("last", "final"):
        return count
    if word in _PAIR:
        return _PAIR[word] if count == 2 else None
    number = ordinal_number(word) or _LETTERS.get(word) or small_number(word)
    return number if number and 1 <= number <= count else None


def merge(question: str, choice: str) -> str:
    """Return the unclear question with its unclear phrase replaced by the choice, else prefixed by the choice."""
    phrases = [phrase for phrase in find_unresolved(question, ()) if not phrase.tells_a_part]
    if not phrases:
        return f"{choice}: {question}" if question else choice
    first = max(phrases, key=lambda phrase: phrase.weight)
    replacement = f"{choice}'s" if first.possessive else choice
    return question[: first.span.start] + replacement + question[first.span.end :]
