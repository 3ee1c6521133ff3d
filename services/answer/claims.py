"""What a sentence claims that can be checked: numbers, dates, names, what it denies, words that have an opposite."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from services.answer.words import stems_of
from services.text.calendar_words import MONTHS, WEEKDAYS
from services.text.dates import DateMention, find_dates
from services.text.numbers import Number, find_numbers
from services.text.tokens import Token, is_stop_word, stem, tokenize

_NEGATOR = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|unable|hardly|fail(?:s|ed|ing)?(?= to\b)"
    r"|lack(?:s|ed)?|refused to|impossible)\b|n['’]t\b",
    re.IGNORECASE,
)
MOST_CHARACTERS = 4000
"""What is longer is no sentence; the rest of it is left unread."""
_LONGEST_HEDGE = 20
_SCOPE = 4
"""What is denied: so many content words after the negator and one before it, within its clause."""
_DIGITS_OF_A_NAME = 2
"""`Apollo 13` is a name, `Saturn 294 times` is not."""
_CLAUSE_END = re.compile(r"[,;:.!?()–—]|\b(?:but|although|though|because|while|whereas|until|so that|and)\b")
_HEDGE = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|some|over|under|more than|less than|at least|at most|up to"
    r"|fewer than|just|only about|close to)\s*\Z",
    re.IGNORECASE,
)
_OPPOSITES = """
first/last before/after above/below over/under more/less more/fewer most/least north/south northern/southern east/west
eastern/western largest/smallest highest/lowest longest/shortest oldest/youngest increase/decrease increased/decreased
rose/fell rise/fall grew/shrank succeeded/failed success/failure successful/unsuccessful arrived/departed arrived/left
entered/left day/night hot/cold inner/outer near/far early/late earlier/later won/lost gained/lost accepted/rejected
approved/rejected faster/slower heavier/lighter open/closed opened/closed begin/end began/ended started/stopped
upper/lower left/right alive/dead inside/outside maximum/minimum true/false better/worse best/worst higher/lower
manned/unmanned crewed/uncrewed warm/cold warmer/colder thick/thin strong/weak positive/negative
"""


@dataclass(frozen=True, slots=True)
class Name:
    """A named thing as a sentence spells it."""

    text: str
    sure: bool = True
    """False for a word that begins the sentence and may be capitalised for that alone."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what softens it."""

    number: Number
    hedged: bool
    text: str


@dataclass(frozen=True, slots=True)
class Claims:
    """A sentence, taken apart."""

    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    """Outside of dates and of numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    names: tuple[Name, ...]
    denied: tuple[frozenset[str], ...]
    """For each negator the stems that it denies."""


@lru_cache(maxsize=2048)
def read_claims(text: str) -> Claims:
    """Take a sentence apart; remembered, because sources are compared with many sentences."""
    text = text[:MOST_CHARACTERS]
    dates = find_dates(text)
    numbers = find_numbers(text)
    in_numbers = {place for number in numbers for place in range(number.start + 1, number.end)}
    # The `C` of `5 °C` is no name.
    words = tuple(word for word in tokenize(text) if word.start not in in_numbers)
    names = tuple(_names(text, words))
    return Claims(
        text,
        frozenset(stems_of(text)),
        tuple(_quantities(text, numbers, dates, names)),
        numbers,
        dates,
        names,
        tuple(_denied(text)),
    )


def _quantities(
    text: str, numbers: tuple[Number, ...], dates: tuple[DateMention, ...], names: tuple[Name, ...]
) -> Iterator[Quantity]:
    taken = [(date.start, date.end) for date in dates]
    for name in names:
        position = text.find(name.text)
        taken.append((position, position + len(name.text)))
    for number in numbers:
        if not any(start < number.end and number.start < end for start, end in taken):
            before = text[max(0, number.start - _LONGEST_HEDGE) : number.start]
            hedged = _HEDGE.search(before) is not None
            yield Quantity(number, hedged, text[number.start : number.end])


def _names(text: str, tokens: tuple[Token, ...]) -> Iterator[Name]:
    position = 0
    while position < len(tokens):
        if not _may_name(tokens[position]):
            position += 1
            continue
        end = position + 1
        while end < len(tokens) and text[tokens[end - 1].end : tokens[end].start] == " " and _goes_on(tokens, end):
            end += 1
        name = text[tokens[position].start : tokens[end - 1].end]
        yield Name(re.sub(r"['’]s\Z", "", name), position > 0 or end - position > 1)
        position = end


def _may_name(token: Token) -> bool:
    lowered = token.text.lower()
    return token.is_capitalised and not is_stop_word(token.text) and lowered not in MONTHS and lowered not in WEEKDAYS


def _goes_on(tokens: tuple[Token, ...], end: int) -> bool:
    if tokens[end - 1].text.endswith(("'s", "’s")):
        return False
    return _may_name(tokens[end]) or (tokens[end].text.isdecimal() and len(tokens[end].text) <= _DIGITS_OF_A_NAME)


def _denied(text: str) -> Iterator[frozenset[str]]:
    for negator in _NEGATOR.finditer(text):
        clause_end = _CLAUSE_END.search(text, negator.end() + 1)
        after = text[negator.end() : clause_end.start() if clause_end else len(text)]
        before = _CLAUSE_END.split(text[: negator.start()])[-1]
        yield frozenset([*stems_of(before)[-1:], *stems_of(after)[:_SCOPE]])


@lru_cache(maxsize=1)
def opposites() -> Mapping[str, frozenset[str]]:
    """From a stem to the stems that say the opposite."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES.split():
        one, other = (stem(word) for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
