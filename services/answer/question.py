"""What a question asks for: its content words, the names in it, and the wanted answer type."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from libs.contracts.dates import PartialDate
from libs.text.calendar_words import LAST_YEAR, MONTHS, WEEKDAYS
from libs.text.dates import DateMention, find_dates
from libs.text.politeness import without_politeness
from libs.text.tokens import Token, is_stop_word, stem, tokenize
from libs.text.units import unit_named
from services.answer.lexicon.vague_words import stems_before_counts, vague_stems
from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of

_CALENDAR = MONTHS.keys() | WEEKDAYS.keys()


class AnswerKind(StrEnum):
    """What a sentence must contain to answer the question."""

    DATE = "DATE"
    PERSON = "PERSON"
    PLACE = "PLACE"
    NUMBER = "NUMBER"
    NAME = "NAME"
    REASON = "REASON"
    DEFINITION = "DEFINITION"
    STATEMENT = "STATEMENT"


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question, for comparison with sentences."""

    text: str
    kind: AnswerKind
    stems: tuple[str, ...]
    """Content stems that are not part of names, without duplicates, in order."""
    names: tuple[str, ...]
    """Names in the question: `Venera 7`, `Neil Armstrong`, `Mars`."""
    units: frozenset[str] = frozenset()
    """Units that the answer may have, if the question implies them (`how far`); empty for any."""
    counted_stem: str = ""
    """Stem of the thing counted after `how many`, or measured after `how much`."""
    dates: tuple[DateMention, ...] = ()
    """Times in the question; the answer has to lie within them."""
    category: str = ""
    """Stem of the category of the wanted name: `rocket` in `which rocket`."""


_KINDS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (
        AnswerKind.DATE,
        re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|year|month|decade|century)\b|\bhow long ago\b"),
    ),
    (
        AnswerKind.NUMBER,
        re.compile(
            r"\bhow (?:many|much|long|far|high|deep|tall|wide|broad|thick|heavy|big|large|small|old|fast|hot|cold|often"
            r"|close|near|strong|bright|great)\b"
            r"|\bwhat (?:is|was|are|were) (?:the |its |their )?(?:\w+ )?(?:mass|weight|distance|speed|temperature"
            r"|height|depth|diameter|size|length|age|cost|price|number|pressure|duration|width|share|percentage)\b"
            r"|\bwhat (?:percentage|share|number|amount|fraction|temperature|distance|speed|height|depth|mass)\b"
        ),
    ),
    (
        AnswerKind.PLACE,
        re.compile(r"\bwhere\b|\b(?:what|which) (?:country|city|place|location|region|town|state|site)\b"),
    ),
    (AnswerKind.PERSON, re.compile(r"\bwho(?:m|se)?\b")),
    (AnswerKind.REASON, re.compile(r"\bwhy\b|\bwhat (?:is|was|were|are) the (?:reason|cause)\b|\bwhat caused\b")),
    (
        AnswerKind.DEFINITION,
        re.compile(
            r"^(?:and )?what (?:is|are|was|were) (?:an? |the )?[\w'\-]+(?: [\w'\-]+){0,2}\s*\?*$"
            r"|\b(?:tell|known?) (?:me )?about\b|^(?:and )?what about\b|^describe\b|^explain\b"
        ),
    ),
    (
        AnswerKind.NAME,
        re.compile(
            r"\bwhich\b|\bwhat (?:was|is|were|are) the (?:name|first|last|only)\b"
            r"|\bwhat (?!is |was |are |were |did |do |does |has |have |had |will |would |can |could |happen)\w+"
        ),
    ),
)
_UNITS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\bhow long (?:did|do|does|will|would|has|have|had|can|could)\b|\bduration\b"),
        "second minute hour day week month year",
    ),
    (re.compile(r"\bhow long (?:is|are|was|were)\b"), "minute hour day week month year km m cm mm mi ft"),
    (re.compile(r"\bhow (?:old|often)\b|\bage\b"), "day week month year"),
    (
        re.compile(
            r"\bhow (?:far|high|deep|tall|wide|broad|thick|close|near)\b"
            r"|\b(?:height|depth|width|distance|diameter|length)\b"
        ),
        "km m cm mm mi ft in au light-year",
    ),
    (re.compile(r"\bhow heavy\b|\b(?:mass|weight|weigh)\b"), "kg g t lb mg oz"),
    (re.compile(r"\bhow (?:hot|cold)\b|\btemperature\b"), "°C °F K °"),
    (re.compile(r"\bhow fast\b|\bspeed\b"), "km/h m/s km/s mph km m"),
    (re.compile(r"\bcosts?\b|\bprice\b|\bfees?\b"), "USD EUR GBP JPY INR CNY CHF KRW"),
    (re.compile(r"\b(?:percentage|share)\b"), "percent"),
    (re.compile(r"\b(?:power|watts)\b"), "W kW MW GW"),
)
_PEOPLE = r"[A-Z][a-z]+(?:ese|ish|ian|ean|rican)|Soviet|French|Dutch|Greek|German|Swiss|Czech|Arab|Thai|Israeli"
_OF_A_PEOPLE = re.compile(_PEOPLE, re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:[Ww]hich|[Ww]hat) "
    rf"(?:(?:{_PEOPLE}|two|three|four|five|six|other) )?"
    r"(?P<thing>[A-Za-z]{3,})(?<! was)(?<! were)(?<! did)(?<! does)(?<! has)(?<! had)(?<! are)\b"
)
"""`Which Japanese lander` and `which two landers` ask for landers."""
_NO_CONTENT = re.compile(r"\b(?:how (?:many|much)|per|since|do (?:I|we|you) get)\b", re.IGNORECASE)
"""Question words that no answer repeats: as terms they would always be missing from the evidence."""
_SINCE = re.compile(r"\bsince\s+(?:the\s+)?\Z", re.IGNORECASE)
_LATEST = PartialDate(LAST_YEAR, 12, 31)
_HOW_MANY = re.compile(
    r"\bhow (?:many|much) (?:\w+ )??([\w-]+)"
    r"(?= (?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|of|in|on)\b|\?|$)"
)
_HOW_MANY_DID = re.compile(r"\bhow many ([\w-]+) (\w+)")
"""`How many members came?`: the counted noun is the subject of the verb."""
_JOINED = re.compile(r"\s*,?\s*(?:or|and|than|vs\.?|versus)\s+(?:the\s+)?", re.IGNORECASE)
"""Connects two names that are compared or listed together."""


def read_question(text: str) -> Question:
    """Parse a question, or a sub-query in the form of one, without leading politeness."""
    text = without_politeness(text)
    lowered = " ".join(text.lower().replace("’", "'").split())
    kind = next((kind for kind, pattern in _KINDS if pattern.search(lowered)), AnswerKind.STATEMENT)
    names = names_of_question(text)
    dates = tuple(_until_latest(date, text) for date in find_dates(text))
    name_stems = {stem for words in (*names, *(date.text for date in dates)) for stem in stems_of(words)}
    stems = tuple(dict.fromkeys(stem for stem in stems_of(_NO_CONTENT.sub("how", text)) if stem not in name_stems))
    is_number = kind is AnswerKind.NUMBER
    units = _units(lowered) if is_number else frozenset()
    return Question(text, kind, stems, names, units, _counted_stem(lowered), dates, _category(text))


def _until_latest(date: DateMention, text: str) -> DateMention:
    """Extend a date after `since` to the latest date: `since March 2026` covers everything from March on."""
    return replace(date, last=_LATEST) if _SINCE.search(text, 0, date.start) else date


def _units(lowered: str) -> frozenset[str]:
    return frozenset(unit for pattern, units in _UNITS if pattern.search(lowered) for unit in units.split())


def _counted_stem(lowered: str) -> str:
    subject_match = _HOW_MANY_DID.search(lowered)
    match = subject_match if subject_match and subject_match[2] in base_forms() else _HOW_MANY.search(lowered)
    if match is None:
        return ""
    words = lowered[match.start() : match.end(1)].split()[2:]
    things = [word for word in words if not is_stop_word(word)]  # `How many days off do I have?`
    return stem(things[-1] if things else match[1])


def _category(text: str) -> str:
    match = _WHICH.search(" ".join(text.split()))
    return stem(match["thing"].lower()) if match else ""


def names_of_question(text: str) -> tuple[str, ...]:
    """Return the names in a question: runs of capitalised words with their numbers, and `apollo 11` in lower case."""
    tokens = tokenize(text)
    names: list[str] = []
    position = 0
    while position < len(tokens):
        end = _end_of_name(text, tokens, position)
        if end > position:
            names.append(text[tokens[position].start : tokens[end - 1].end].removesuffix("'s").removesuffix("’s"))
        position = max(end, position + 1)
    return tuple(dict.fromkeys(names))


def objects_of(question: Question) -> tuple[str, ...]:
    """Return the names that are direct objects of a verb (`pass Neptune`), except the question's first name."""
    return tuple(name for name in question.names[1:] if _is_object(question.text, name))


def _is_object(text: str, name: str) -> bool:
    before = tokenize(text[: max(0, text.find(name))])
    return bool(before) and not is_stop_word(before[-1].text) and not before[-1].is_capitalised


def subject_of(question: Question) -> str | None:
    """Return the first name of several words, else the first name; None for `which Japanese lander`."""
    things = (name for name in question.names if not _OF_A_PEOPLE.fullmatch(name))
    return max(things, key=lambda name: " " in name, default=None)  # the first of equals


def _end_of_name(text: str, tokens: tuple[Token, ...], position: int) -> int:
    """Return the index after the last token of the name that begins here; `position` if no name begins here."""
    if not _begins_name(text, tokens, position):
        return position
    end = position + 1
    while end < len(tokens) and _continues_name(text, tokens[end - 1], tokens[end]):
        end += 1
    return end


def _begins_name(text: str, tokens: tuple[Token, ...], position: int) -> bool:
    token = tokens[position]
    if token.is_capitalised:
        return (
            not is_stop_word(token.text)
            and token.text.lower() not in _CALENDAR
            and not (position == 0 and stem(token.text) in vague_stems())
        )
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    numbered = following is not None and following.text.isdecimal() and _continues_name(text, token, following)
    return numbered and token.text.isalpha() and not _is_count_or_date(tokens, position)


def _is_count_or_date(tokens: tuple[Token, ...], position: int) -> bool:
    """Whether a lower-case word before a number is not a name: `in 1969`, `first 7`, `about 20 kilometres`."""
    word, number = tokens[position].text, tokens[position + 1].text
    unit = tokens[position + 2].text if position + 2 < len(tokens) else ""
    return is_stop_word(word) or len(number) > 3 or stem(word) in stems_before_counts() or unit_named(unit) is not None


def _continues_name(text: str, token: Token, following: Token) -> bool:
    separator = text[token.end : following.start]
    ends_in_possessive = token.text.endswith(("'s", "’s"))
    return separator == " " and not ends_in_possessive and (following.is_capitalised or following.text.isdecimal())
