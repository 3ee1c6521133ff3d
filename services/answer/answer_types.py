"""Check whether a sentence has the form of the wanted answer type: a date, a name, a number with the right unit."""

import re
from collections.abc import Callable, Iterator, Mapping

from libs.text.calendar_words import MONTHS, WEEKDAY_NAME
from libs.text.numbers import Number, find_numbers
from libs.text.tokens import is_stop_word, tokenize
from services.answer.lexicon.related_words import tells_of
from services.answer.lexicon.words import phrase_pattern, stems_of
from services.answer.question import AnswerKind, Question

_VERBS_TOO = ("may", "march", "mar")
_MONTH = "|".join(
    [
        *sorted(MONTHS.keys() - set(_VERBS_TOO), key=len, reverse=True),
        *(rf"(?-i:{name.title()}|{name.upper()})" for name in _VERBS_TOO),
    ]
)
"""`May`, `March` and `Mar` count as months only when capitalised: `Hotels may cost …` has no date."""
_DATE = re.compile(
    rf"\b(?:1\d{{3}}|20\d\d|21\d\d)s?\b(?!\s?(?:km|kg|m|kilo|metres|meters|miles|pictures|people))"
    rf"|\b(?:{_MONTH})\.?\s+\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b"
    r"|\b(?:nineteenth|twentieth|twenty-first|\d\dth) century\b",
    re.IGNORECASE,
)
_REGULAR_TIME = re.compile(
    r"\b(?:(?:on|every|each|until|before|after) (?:the )?"
    rf"(?:{WEEKDAY_NAME}s?|week(?:days|ends)|\d{{1,2}}(?:st|nd|rd|th))"
    r"|(?:every|each) (?:day|morning|evening|night|week|month|quarter|spring|summer|autumn|winter|year)"
    r"|(?:daily|weekly|monthly)(?=[.,;]| (?:at|on|from|by)\b)"
    r"|(?:first|last) (?:day|week) of|\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|o['’]clock)|\d{1,2}:\d\d"
    r"|(?:within|after|before|in) (?:\w+ )?(?:minutes|hours|days|weeks|months|years)"
    r"|(?:minutes|hours|days|weeks|months|years) (?:after|before|later|earlier|in advance))\b",
    re.IGNORECASE,
)
"""`On the 15th`, `every Monday`, `from 8 am`, `two weeks in advance`."""
_PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
REGULAR = 0.6
"""Score of a recurring or relative time, compared with 1 for an exact date."""
_DIGIT = re.compile(r"\d")
_EXACT_DATE = re.compile(rf"\b(?:{_MONTH})\b", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:in|at|on|from|near|over|above|inside|into|to|onto|of|off|between|around|round|across|towards?)\s+"
    r"(?:the\s+|a\s+|an\s+)?(?:[a-z]+\s+){0,2}(?P<place>[^\W\d_a-z][\w'’\-]*)"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|in order to|due to|owing to|thanks to|therefore|thus|caused|the reason|for want of"
    r"|as a result|to avoid|to prevent|after all|, so|, for|which is why)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![.!?] )(?<!\A)[^\W\d_a-z][\w'’\-]*(?:\s(?:of|de|van|von|the|and)?\s?(?:[^\W\d_a-z][\w'’\-]*|\d+\b))*"
)
_PERSON = re.compile(r"[^\W\d_a-z][^\W\d_]+(?:\s[^\W\d_a-z]\.?)?(?:\s(?:de|van|von|al|bin)\s|\s)[^\W\d_a-z][^\W\d_]+")
_DEFINING = re.compile(r"\b(?:is|are|was|were|means?|refers? to|describes?|consists? of)\b")
_IS_A = re.compile(r"\s(?:is|are|was|were)\s(?:an?|the|one|\w+'s)\s|,\s(?:an?|the)\s|\s\(|\s(?:means?|stands for)\s")
_CALLED = re.compile(r"\b(?:called|known as|named|nicknamed)\s(?:an?\s|the\s)?\Z")
_INTENT = re.compile(
    r"\b(?:(?:was|were|is|are) (?:meant )?to (?:be\b|[a-z]+)|should have"
    r"|(?:planned|scheduled|supposed|intended|due|hoped) (?:for|to))",
    re.IGNORECASE,
)
NEXT_CLAUSE = re.compile(
    r";\s+|,\s+(?:while|whereas)\s+|,\s+(?:and|but)\s+(?=(?:the|its?|an?|his|her|their|they|he|she|this|that)\b|[^\W\d_a-z])"
)
"""Start of a clause that has its own subject; does not match before `, and survived 57 minutes`."""
_HOW_MUCH = re.compile(r"\bhow much\b", re.IGNORECASE)
_IN_WORDS = re.compile(r"['’\-]")
UNSAID_CATEGORY = 0.7
"""Score of a name if the question asks for a `rocket` and the sentence does not mention one."""
_AFTER_NUMBER = 4
"""The counted noun must occur within this many words after its number."""


def holds_answer_type(question: Question, sentence: str) -> float:
    """Return how well the sentence's form fits the wanted answer type, from 0 (no match) to 1 (full match)."""
    return _CHECKS[question.kind](question, sentence)


def tells_of_intent(text: str) -> bool:
    """Whether a text states what was planned to happen: `it was to be launched in 1986`."""
    return _INTENT.search(text) is not None


def holds_date(sentence: str) -> bool:
    """Whether the sentence has a date, or something that looks like one."""
    return next(_dates(sentence), None) is not None


def _dates(sentence: str) -> Iterator[re.Match[str]]:
    """Date matches; a cheap test first skips sentences that have neither a digit nor the word `century`."""
    might_be_dated = _DIGIT.search(sentence) or "century" in sentence.lower()
    return _DATE.finditer(sentence) if might_be_dated else iter(())


def quantities(sentence: str) -> tuple[Number, ...]:
    """Return the numbers of a sentence that are not part of a date or of a name such as `Venera 7`."""
    dates = [match.span() for match in _dates(sentence)]
    return tuple(
        number
        for number in find_numbers(sentence)
        if not any(start < number.end and number.start < end for start, end in dates) and not _in_name(sentence, number)
    )


def _in_name(sentence: str, number: Number) -> bool:
    """Whether a number is digits right after a capitalised word that is not a stop word: `Venera 7`, not `In 7`."""
    word = sentence[: number.start].rsplit(None, 1)[-1:]
    is_digits = sentence[number.start : number.end].isdecimal()
    is_name = bool(word) and word[0][0].isupper() and _IN_WORDS.sub("", word[0]).isalpha()
    return is_digits and is_name and not is_stop_word(word[0])


def _date(question: Question, sentence: str) -> float:
    """Score dates: 1 with a named month, .8 for others; recurring times count unless the question is in past tense."""
    if _EXACT_DATE.search(sentence):
        return 1.0
    if holds_date(sentence):
        return 0.8
    comes_again = not _PAST.search(question.text) and _REGULAR_TIME.search(sentence)
    return REGULAR if comes_again else 0.0


def _number(question: Question, sentence: str) -> float:
    numbers = quantities(sentence)
    if not numbers:
        return 0.0
    if question.counted_stem:
        return max(_count_score(question, sentence, number) for number in numbers)
    if not question.units:
        return 1.0
    return 1.0 if any(number.unit in question.units for number in numbers) else 0.25


def _count_score(question: Question, sentence: str, number: Number) -> float:
    """Score a number; `how much soil` may be answered in grams of samples, `how much power` without the noun."""
    if counts(question.counted_stem, sentence, number) or (number.unit and number.unit in question.units):
        return 1.0
    measures = number.unit and _HOW_MUCH.search(question.text) and tells_thing(question.counted_stem, sentence)
    return 0.6 if measures else 0.35


def tells_thing(thing: str, sentence: str) -> bool:
    """Whether a sentence has the stem of the thing, or a related word."""
    stems = frozenset(stems_of(sentence))
    return thing in stems or tells_of(thing, stems)


def counts(stem: str, sentence: str, number: Number) -> bool:
    """Whether a number counts the thing with this stem, which must follow closely: `six small moons`."""
    following = tokenize(sentence[number.start : number.end + 60])
    width = len(tokenize(sentence[number.start : number.end]))
    near = " ".join(token.text for token in following[: width + _AFTER_NUMBER])
    return stem in stems_of(near)


def _place(question: Question, sentence: str) -> float:
    question_text = question.text.lower()
    places = (match["place"] for match in _PLACE.finditer(sentence))
    return float(any(place.lower() not in question_text and place.lower() not in MONTHS for place in places))


def _person(question: Question, sentence: str) -> float:
    question_text = question.text.lower()
    persons = [match[0] for match in _PERSON.finditer(sentence)]
    if any(person.lower() not in question_text and not _is_calendar(person) for person in persons):
        return 1.0
    return 0.4 * _name(question, sentence)


def _name(question: Question, sentence: str) -> float:
    question_text = question.text.lower()
    if not any(
        match[0].lower() not in question_text and not _is_calendar(match[0]) for match in _NAME.finditer(sentence)
    ):
        return 0.0
    return 1.0 if not question.category or tells_thing(question.category, sentence) else UNSAID_CATEGORY


def _is_calendar(name: str) -> bool:
    return any(word in MONTHS for word in name.lower().split())


def _reason(question: Question, sentence: str) -> float:
    return float(_REASON.search(sentence) is not None)


def _definition(question: Question, sentence: str) -> float:
    """Score 1 for `X is a …`, `X, a …` and `called X`; .6 for other defining verbs with X as subject."""
    return max((_defines(thing, sentence) for thing in question.names or (_thing(question),)), default=0.0)


def _thing(question: Question) -> str:
    """What to define, in the question's content words; used if it is not a name."""
    words = [token.text for token in tokenize(question.text) if not is_stop_word(token.text)]
    return " ".join(words)


def _defines(thing: str, sentence: str) -> float:
    match = phrase_pattern(thing).search(sentence) if thing else None
    if match is None:
        return 0.0
    after = sentence[match.end() :]
    if _IS_A.match(after) or _CALLED.search(sentence[: match.start()]):
        return 1.0
    at_head = len(tokenize(sentence[: match.start()])) <= 1
    return 0.6 if at_head and _DEFINING.search(after) else 0.0


def _statement(question: Question, sentence: str) -> float:
    return 0.0


_CHECKS: Mapping[AnswerKind, Callable[[Question, str], float]] = {
    AnswerKind.DATE: _date,
    AnswerKind.NUMBER: _number,
    AnswerKind.PLACE: _place,
    AnswerKind.PERSON: _person,
    AnswerKind.NAME: _name,
    AnswerKind.REASON: _reason,
    AnswerKind.DEFINITION: _definition,
    AnswerKind.STATEMENT: _statement,
}
