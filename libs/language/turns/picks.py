"""What an answer lists, and which of the options a turn picks: by place, number or words; or all, or none of them.

Options are what the latest answer offered, or else what it listed, one on a line.
Of listed things only a place picks, as in `the last one`: their words alone are a new question about them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import regex

from libs.language.analysis import fold_word, stem_of
from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.numbers import Numbers
from libs.language.topics.questions import PointingWords
from libs.language.topics.turns import Picks
from libs.language.turns.wordings import WORD, phrase_at, phrase_pattern, words_of

MAX_ITEM: Final = 80
"""Maximum characters of an item that is a name and not a statement (taste)."""
_MARKUP: Final = regex.compile(r"\*\*|\s?(?<!\\)\[\d{1,3}\](?!\()")
_ITEM: Final = regex.compile(r"(?m)^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+(?P<item>\S.*)$")
_HEAD_END: Final = regex.compile(r":\s|\s[-–—|(]\s?|[.;]\s|,\s")
MAX_WORDS: Final = 4
"""Maximum words of content of a turn that picks by the option's words, with one that matches none of them (taste)."""
MAX_DIGITS: Final = 3
"""Digits of a place (taste)."""
_ALIKE: Final = 0.8
"""Likeness of a misspelt word (`difflib`'s ratio): one letter of five (taste)."""
_SHORTEST: Final = 3
"""Letters of a part of a word that picks: `mono` of `monochrome` (taste)."""


def listed_items(text: str) -> tuple[str, ...]:
    """The things that an answer lists, in order, without what it says about each; empty unless two or more."""
    items = tuple(_head(match["item"]) for match in _ITEM.finditer(_MARKUP.sub("", text)))
    return items if len(items) > 1 else ()


def _head(item: str) -> str:
    """The name at the beginning of an item: `Haus Linde` of `Haus Linde: 45 euros a night`."""
    head: str = _HEAD_END.split(item.strip(), maxsplit=1)[0].strip(" .,;:")
    return head if len(head) <= MAX_ITEM else head[:MAX_ITEM].rsplit(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class Pick:
    """What a turn picks."""

    options: tuple[str, ...] = ()
    words: str = ""
    """The words of the turn that pick; empty if it is the whole turn."""
    declines: bool = False
    rest: str = ""
    """What follows the words that decline: `neither, I want …`."""


def pick_offered(turn: str, options: Sequence[str], language: str) -> Pick | None:
    """Return what a turn picks of the options that were offered; None if it asks something else, or is ambiguous."""
    if not options or not turn.strip():
        return None
    picks = Picks.of(language)
    if _consists_of(turn, picks.no):
        return Pick(declines=True)
    words = words_of(turn)
    content = [word for word in words if word not in picks.filling]
    if content and content[0] in picks.none:
        end = next(word.end() for word in WORD.finditer(turn) if word[0].lower() in picks.none)
        return Pick(declines=True, rest=turn[end:].lstrip(" ,.;:!–—-") if len(content) > 1 else "")
    accepts = bool(words) and (picks.yes.issuperset(words) or _consists_of(turn, picks.yes_phrases))
    first = Pick((options[0],)) if accepts else None
    return _in_all(words, options, language) or first or _at_place(turn, options, language, by_words=True)


def pick_listed(turn: str, listed: Sequence[str], language: str) -> Pick | None:
    """Return what a turn picks of the things that the latest answer listed."""
    if len(listed) < 2:
        return None
    return _in_all(words_of(turn), listed, language) or _at_place(turn, listed, language)


def _consists_of(turn: str, phrases: tuple[str, ...]) -> bool:
    """Whether a turn is nothing but some phrases, which accept or decline."""
    position, begun = 0, False
    while position < len(turn):
        end = phrase_at(turn, phrases, position)
        if end == position and (turn[position].isalnum() or turn[position] in "?？"):
            return False
        begun, position = begun or end > position, max(end, position + 1)
    return begun


def _in_all(words: Sequence[str], options: Sequence[str], language: str) -> Pick | None:
    picks, count = Picks.of(language), len(options)
    is_every = not picks.every.isdisjoint(words) or (count == 2 and not picks.both.isdisjoint(words))
    little = picks.filling | picks.every | picks.both
    others = [word for word in words if word not in little and _number(word, language) != count]
    return Pick(tuple(options)) if is_every and not others else None


def _at_place(turn: str, options: Sequence[str], language: str, *, by_words: bool = False) -> Pick | None:
    """The option at the only place that a turn names, or that its words name."""
    picks = Picks.of(language)
    if len(options) > 1 and phrase_pattern(picks.before_last).search(turn):
        return Pick((options[-2],)) if _consists_of(turn, (*picks.before_last, *picks.filling)) else None
    content = [word for word in words_of(turn) if word not in picks.filling]
    position = _position(content[0], len(options), language) if len(content) == 1 else None
    option = options[position - 1] if position else _by_words(turn, options, language) if by_words else None
    return Pick((option,)) if option else _within(turn, options, language)


def _position(word: str, count: int, language: str) -> int | None:
    """The place of an option, from 1, by a number, ordinal or word; None for none of them."""
    picks, calendar = Picks.of(language), Calendar.of(language)
    if word in picks.last:
        return count
    if word in picks.middle:
        return (count + 1) // 2 if count % 2 else None
    if word in picks.pair:
        return picks.pair[word] if count == 2 else None
    nth = calendar.nth.fullmatch(word) if len(word) <= MAX_DIGITS + 3 else None
    number = int(regex.sub(r"\D", "", word)) if nth else calendar.ordinals.get(word)
    number = number or _number(word, language)
    return number if number and 1 <= number <= count else None


def _number(word: str, language: str) -> int | None:
    if word.isdecimal():
        return int(word) if len(word) <= MAX_DIGITS else None
    return Numbers.of(language).values.get(word)


def _by_words(turn: str, options: Sequence[str], language: str) -> str | None:
    """The only option with the most of a turn's words, those that resemble its own included; exactly these, if any.

    A question picks only with nothing else in it, and a few words with at most one that the option lacks.
    """
    stems = set(_stems(turn, language))
    if not stems:
        return None
    owns = [set(_stems(option, language)) for option in options]
    scores = [(sum(any(_resembles(word, one) for one in own) for word in stems), own == stems) for own in owns]
    count, _ = best = max(scores)
    asks = not Grammar.of(language).wh_words.isdisjoint(words_of(turn)[:1])
    lacking = 0 if asks or len(stems) > MAX_WORDS else min(1, count)
    is_told = scores.count(best) == 1 and len(stems) - count <= lacking
    return options[scores.index(best)] if is_told else None


def _stems(text: str, language: str) -> list[str]:
    """The stems of a text's content."""
    little = Picks.of(language).filling | language_of(language).stop_words
    return [stem_of(word, language) for word in words_of(text) if word not in little]


def _resembles(word: str, own: str) -> bool:
    """Whether a word is an option's own, a part of it, or misspelt by about one letter."""
    if len(word) < _SHORTEST:
        return word == own
    return word in own or bool(get_close_matches(fold_word(word), [fold_word(own)], cutoff=_ALIKE))


def _within(turn: str, options: Sequence[str], language: str) -> Pick | None:
    """The option at a place that a longer turn names: `how heavy is the second one`, not `who was the first man`."""
    little = language_of(language).stop_words | Picks.of(language).filling
    spans = list(WORD.finditer(turn))
    words = [span[0].lower() for span in spans]
    for at in range(1, len(words)):
        position = _position(words[at], len(options), language)
        if (
            words[at - 1] not in NounPhrases.of(language).definite_articles
            or not position
            or _number(words[at], language) is not None
        ):
            continue
        last = at + 1 if words[at + 1 : at + 2] in (["one"], ["option"]) else at
        following, end = words[last + 1 :], spans[last].end()
        is_last = not following or turn[end : spans[last + 1].start()].strip() or following[0] in little
        is_verb_last = little.issuperset(following[1:2]) and not PointingWords.of(language).auxiliaries.isdisjoint(
            words[:at]
        )
        if last > at or is_last or is_verb_last:
            return Pick((options[position - 1],), turn[spans[at - 1].start() : end])
    return None
