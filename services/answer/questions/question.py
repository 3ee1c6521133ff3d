"""What a question asks for: its content words, the names in it, and the wanted answer type. Pure functions."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from libs.language.known import language_of
from libs.language.topics.questions import QuestionForms
from libs.text.dates.document_dates import find_dates
from libs.text.limits import MAX_QUESTION
from libs.text.names import find_names
from libs.text.tokens import stem
from services.answer.lexicon.words import stems_of


class AnswerKind(StrEnum):
    """What a sentence must contain to answer the question.

    The first kind whose pattern matches is the question's: `which year` asks for a date, though it has `which`.
    """

    DATE = "DATE"
    NUMBER = "NUMBER"
    PLACE = "PLACE"
    PERSON = "PERSON"
    NAME = "NAME"
    STATEMENT = "STATEMENT"


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A parsed question, for comparison with sentences."""

    text: str
    kind: AnswerKind
    stems: tuple[str, ...]
    """Content stems that are not part of names, without duplicates, in order."""
    names: tuple[str, ...]
    """Names in the question: `Venera 7`, `Neil Armstrong`, `Mars`."""
    units: frozenset[str] = frozenset()
    """Units that the answer may have, if the question implies them (`how far`); empty for any."""
    category: str = ""
    """Stem of the category of the wanted name: `rocket` in `which rocket`."""
    language: str = field(kw_only=True)
    """ISO 639-1."""

    @property
    def asks_amount(self) -> bool:
        """Whether it asks for an amount of something that has no plural: `how much soil`."""
        return QuestionForms.of(self.language).amount.search(self.text) is not None

    @property
    def subject(self) -> str:
        """Its first name of several words, else its first name; empty for none."""
        return max(self.names, key=lambda name: " " in name, default="")


_UNITS: Final = {
    "duration": "second minute hour day week month year",
    "extent": "minute hour day week month year km m cm mm mi ft",
    "age": "day week month year",
    "length": "km m cm mm mi ft in au light-year",
    "mass": "kg g t lb mg oz",
    "temperature": "°C °F K °",
    "speed": "km/h m/s km/s mph km m",
    "money": "USD EUR GBP JPY INR CNY CHF KRW",
    "share": "percent",
    "power": "W kW MW GW",
}
"""The units of each kind of quantity."""


def read_question(text: str, language: str) -> ParsedQuestion:
    """Parse a question, or a sub-query in the form of one.

    Args:
        text: the question; its first `MAX_QUESTION` characters are read.
        language: of the question, ISO 639-1.
    """
    text = text[:MAX_QUESTION]
    plain = " ".join(text.replace("’", "'").split())
    kind = _kind(plain.lower(), language)
    may_be_doubtful = not language_of(language).capitalises_nouns
    found = (name.text for name in find_names(text, language) if name.is_sure or may_be_doubtful)
    names = tuple(dict.fromkeys(found))
    dates = (date.text for date in find_dates(text, language=language))
    name_stems = {stem for words in (*names, *dates) for stem in stems_of(words, language)}
    stems = tuple(dict.fromkeys(stem for stem in stems_of(text, language) if stem not in name_stems))
    units = _units(plain.lower(), language) if kind is AnswerKind.NUMBER else frozenset()
    return ParsedQuestion(text, kind, stems, names, units, _category(plain, language), language=language)


def _kind(lower_text: str, language: str) -> AnswerKind:
    kinds = QuestionForms.of(language).kinds
    patterns = ((kind, kinds.get(kind.value.lower())) for kind in AnswerKind)
    return next((kind for kind, pattern in patterns if pattern and pattern.search(lower_text)), AnswerKind.STATEMENT)


def _units(lower_text: str, language: str) -> frozenset[str]:
    measures = QuestionForms.of(language).measures
    return frozenset(
        unit for measure, pattern in measures.items() if pattern.search(lower_text) for unit in _UNITS[measure].split()
    )


def _category(text: str, language: str) -> str:
    match = QuestionForms.of(language).category.search(text)
    return stem(match["thing"], language) if match else ""
