"""Which of the options a turn picks: by place, number, letter, words, comparison; or all, or none of them.

Options are what the latest answer offered, or else what it listed. Of listed things only a place or a comparison picks
(`the last one`): their words alone are a new question about them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from libs.language.analysis import fold_word, stem_of
from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar
from libs.language.topics.numbers import Numbers
from libs.language.topics.turns import Picks
from libs.language.turns.wordings import WORD, content_of, phrase_at, words_of

MAX_WORDS: Final = 4
"""Maximum words of content of a turn that picks by the option's words, with one that matches none of them (taste)."""
MAX_DIGITS: Final = 3
"""Digits of a place (taste)."""
_SHORTEST: Final = 3
"""Letters of a part of a word that picks: `mono` of `monochrome` (taste)."""
_NUMBER: Final = regex.compile(r"\p{N}+(?:[.,:]\p{N}+)*")
_DATE: Final = regex.compile(r"(?<=\()\d{4}(?:-\d{2}){0,2}(?=\)\Z)")
"""The date of a document behind its title."""


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
    if content and picks.none.issuperset(content[:1]):
        end = next(word.end() for word in WORD.finditer(turn) if word[0].lower() in picks.none)
        return Pick(declines=True, rest=turn[end:].lstrip(" ,.;:!–—-") if len(content) > 1 else "")
    if found := _in_all(words, content, options, language):
        return found
    if words and (picks.yes.issuperset(words) or _consists_of(turn, picks.yes_phrases)):
        return Pick((options[0],))
    option = _at_place(turn, content, options, language) or _by_words(turn, options, language)
    return Pick((option,)) if option else _within(turn, options, language)


def pick_listed(turn: str, listed: Sequence[str], language: str) -> Pick | None:
    """Return what a turn picks of the things that the latest answer listed."""
    if len(listed) < 2:
        return None
    content = [word for word in words_of(turn) if word not in Picks.of(language).filling]
    if found := _in_all(words_of(turn), content, listed, language):
        return found
    option = _at_place(turn, content, listed, language)
    return Pick((option,)) if option else _within(turn, listed, language)


def _consists_of(turn: str, phrases: tuple[str, ...]) -> bool:
    """Whether a turn is nothing but some phrases, which accept or decline."""
    position, begun = 0, False
    while position < len(turn):
        end = phrase_at(turn, phrases, position)
        if end == position and (turn[position].isalnum() or turn[position] in "?？"):
            return False
        begun, position = begun or end > position, max(end, position + 1)
    return begun


def _in_all(words: Sequence[str], content: Sequence[str], options: Sequence[str], language: str) -> Pick | None:
    picks, count = Picks.of(language), len(options)
    is_every = not picks.every.isdisjoint(words) or (count == 2 and not picks.both.isdisjoint(words))
    others = [word for word in content if word not in picks.every | picks.both and _number(word, language) != count]
    return Pick(tuple(options)) if is_every and not others else None


def _at_place(turn: str, content: Sequence[str], options: Sequence[str], language: str) -> str | None:
    """The option at the only place that a turn names, or the only one that a comparison fits."""
    picks = Picks.of(language)
    plain = turn.strip().strip(".!?… ")
    start = next((word.end() + 1 for word in WORD.finditer(plain) if word[0].lower() in picks.articles), 0)
    if len(options) > 1 and any(phrase_at(plain, picks.before_last, at) > at for at in {0, start}):
        return options[-2]
    if len(content) > 1:  # `the bigger of the two`
        content = [word for word in content if _number(word, language) != len(options)]
    if len(content) != 1:
        return None
    position = _position(content[0], len(options), language)
    return options[position - 1] if position else _compared(content[0], options, picks)


def _position(word: str, count: int, language: str) -> int | None:
    """The place of an option, from 1, by a number, letter, ordinal or word; None for none of them."""
    picks, calendar = Picks.of(language), Calendar.of(language)
    if word in picks.last:
        return count
    if word in picks.middle:
        return (count + 1) // 2 if count % 2 else None
    if word in picks.pair:
        return picks.pair[word] if count == 2 else None
    nth = calendar.nth.fullmatch(word) if len(word) <= MAX_DIGITS + 3 else None
    number = int(regex.sub(r"\D", "", word)) if nth else calendar.ordinals.get(word)
    number = number or picks.letters.get(word) or _number(word, language)
    return number if number and 1 <= number <= count else None


def _number(word: str, language: str) -> int | None:
    if word.isdecimal():
        return int(word) if len(word) <= MAX_DIGITS else None
    return Numbers.of(language).values.get(word)


def _compared(word: str, options: Sequence[str], picks: Picks) -> str | None:
    """The option that a comparison fits, by the numbers that the options state; None if they don't tell."""
    if word in picks.least_price | picks.most_price:
        found = [picks.price.search(option) for option in options]
        values = [_value(match["number"] or match["before"]) for match in found if match]
        least = word in picks.least_price
    elif word in picks.oldest | picks.newest and all(map(_DATE.search, options)):
        values, least = [_value(date[0]) for date in map(_DATE.search, options) if date], word in picks.oldest
    elif word in picks.least | picks.most | picks.oldest | picks.newest:
        values, least = _differing_numbers(options), word in picks.least | picks.oldest
    else:
        return None
    if len(values) != len(options) or len(set(values)) < len(values):
        return None
    return options[values.index(min(values) if least else max(values))]


def _differing_numbers(options: Sequence[str]) -> list[tuple[int, ...]]:
    """The first number in which all options differ; empty if there is none."""
    columns = zip(*(map(_value, _NUMBER.findall(option)) for option in options), strict=False)
    return next((list(column) for column in columns if len(set(column)) == len(options)), [])


def _value(number: str) -> tuple[int, ...]:
    """A number or version for comparing: `1,299` is (1299,), `2.10` is (2, 10)."""
    parts = regex.sub(r"(?<=\d)[.,](?=\d{3}(?!\d))", "", number)
    return tuple(map(int, regex.findall(r"\d{1,9}", parts)))


def _by_words(turn: str, options: Sequence[str], language: str) -> str | None:
    """The only option with exactly the words of a turn, or all of them, or else the most."""
    picks = Picks.of(language)
    told = [word for word in content_of(turn, language) if word not in picks.filling]
    asks = not Grammar.of(language).wh_words.isdisjoint(words_of(turn)[:1])
    if not told:
        return None
    words = [set(_parts(option, language)) for option in options]
    stems = set(_parts(" ".join(told), language))
    exact = [option for option, own in zip(options, words, strict=True) if own == stems]
    whole = [option for option, own in zip(options, words, strict=True) if stems <= own]
    if len(matches := exact or whole) == 1:
        return matches[0]
    if matches or asks or len(told) > MAX_WORDS:
        return None
    counts = [sum(any(_resembles(word, own) for own in each) for word in stems) for each in words]
    best = max(counts)
    missing = len(stems) - best
    return options[counts.index(best)] if best and counts.count(best) == 1 and missing <= min(1, best) else None


def _parts(text: str, language: str) -> list[str]:
    """The stems of a text's content, and of the parts of its codes."""
    little = Picks.of(language).filling | language_of(language).stop_words
    return [stem_of(word, language) for word in words_of(text) if word not in little]


def _resembles(word: str, own: str) -> bool:
    """Whether a word is an option's own, a part of it, or misspelt by one letter."""
    if len(word) < _SHORTEST:
        return word == own
    return word in own or (len(word) > _SHORTEST and _differ_by_one(fold_word(word), fold_word(own)))


def _differ_by_one(one: str, other: str) -> bool:
    """Whether one letter was added, dropped, changed, or exchanged with the next one."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return True
    rest, other_rest = one[start:], other[start:]
    exchanged = rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:]
    return exchanged or rest[1:] == other_rest[1:] or rest[1:] == other_rest or rest == other_rest[1:]


def _within(turn: str, options: Sequence[str], language: str) -> Pick | None:
    """The option at a place that a longer turn names: `how heavy is the second one`."""
    picks = Picks.of(language)
    words = list(WORD.finditer(turn))
    for at, word in enumerate(words[1:], start=1):
        if words[at - 1][0].lower() not in picks.articles:
            continue
        position = _position(word[0].lower(), len(options), language)
        if (
            position
            and _number(word[0].lower(), language) is None
            and (end := _end_of_place(turn, words, at, language))
        ):
            return Pick((options[position - 1],), turn[words[at - 1].start() : end])
    return None


def _end_of_place(turn: str, words: Sequence["regex.Match[str]"], at: int, language: str) -> int:
    """Where the words of a place end: after `one`, if it stands there; 0 if they belong to a noun: `the first man`."""
    picks, little = Picks.of(language), language_of(language).stop_words
    last = at + 1 if at + 1 < len(words) and words[at + 1][0].lower() in ("one", "option") else at
    following = [words[i][0].lower() for i in range(last + 1, len(words))]
    gap = turn[words[last].end() : words[last + 1].start()] if last + 1 < len(words) else "."
    run = (
        0 if gap.strip() else next((i for i, w in enumerate(following) if w in little | picks.filling), len(following))
    )
    has_auxiliary = any(words[i][0].lower() in picks.auxiliaries for i in range(at))
    return words[last].end() if run == 0 or last > at or (run == 1 and has_auxiliary) else 0
