"""Candidates in a sentence for the short answer to a question: dates, numbers, names, else phrases. Pure functions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.questions import AnswerForms, QuestionForms
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.names import find_names
from libs.text.tokens import tokenize
from services.answer.answer_types import counts, quantities
from services.answer.lexicon.words import phrase_pattern, stems_of
from services.answer.question import AnswerKind, ParsedQuestion
from services.answer.sentences import EvidenceSentence
from services.answer.verification.claims import read_claims

TITLE_CERTAINTY = 0.6  # of an answer found in the title alone; by hand
PHRASE_CERTAINTY = 0.5  # of an answer that is just a phrase; by hand
_MAX_PHRASE = 12  # words (taste)
_TIMES: Final = frozenset({"second", "minute", "hour", "day", "week", "month", "year", "decade", "century"})
"""Units of time by their canonical names."""


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """A candidate for the short answer."""

    text: str
    start: int | None
    """Its offset in the sentence; None if only the document's title contains it."""
    certainty: float = 1.0
    """In (0, 1]: confidence that it is the answer; 1 for a date, number or name in the sentence."""


def short_answers(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield the sentence's candidates, best first; nothing if it has none of the wanted answer type."""
    if question.kind is AnswerKind.DATE:
        yield from _dates(question, sentence)
    elif question.kind is AnswerKind.NUMBER:
        yield from _numbers(question, sentence)
    elif question.kind in (AnswerKind.PERSON, AnswerKind.NAME, AnswerKind.PLACE):
        yield from _names(question, sentence)
    else:
        yield from _phrases(question, sentence)


def _dates(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield dates, those first whose clause shares most words with the question.

    Within a clause, dates nearest to a question word that is not a name come first: `launched on …, landed on …`.
    """
    text, language = sentence.text, sentence.language
    context = AnswerForms.of(language)
    positions = _term_positions(question, text, language)

    def unfitness(date: DateMention) -> tuple[float, int, int]:
        distance = min((abs(date.start - position) for position in positions), default=date.start)
        clause = _clause_at(text, date.start, context.predicate_boundary)
        shared_stems = set(question.stems).intersection(stems_of(clause, language))
        overlap = _clause_overlap(question, sentence, date.start, context.item_boundary)
        return -overlap, -len(shared_stems), distance

    for date in sorted(find_dates(text, language=language), key=unfitness):
        if not _is_about_another(question, sentence, date.start):
            yield ShortAnswer(date.text, date.start)


def _numbers(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield numbers with the wanted unit or counted noun, and no others; `how much` requires a unit."""
    language, planned = sentence.language, AnswerForms.of(sentence.language).planned
    numbers = quantities(sentence.text, language)
    if QuestionForms.of(question.language).amount.search(question.text):
        numbers = tuple(number for number in numbers if number.unit and number.unit not in _TIMES)
    elif question.counted_stem:
        numbers = tuple(number for number in numbers if counts(question.counted_stem, sentence.text, number, language))
    if question.units:
        numbers = tuple(number for number in numbers if number.unit in question.units)
    for number in sorted(numbers, key=lambda number: planned.search(sentence.text[: number.start]) is not None):
        following = tokenize(sentence.text[number.end : number.end + 40])[:1]  # characters of a long word (taste)
        noun_follows = any(question.counted_stem in stems_of(token.text, language) for token in following)
        end = number.end + following[0].end if question.counted_stem and noun_follows else number.end
        yield ShortAnswer(sentence.text[number.start : end], number.start)


def _names(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield names that are not in the question, best first; last, the first name of the title."""
    text, boundary = sentence.text, AnswerForms.of(sentence.language).clause_boundary
    nouns_too = language_of(sentence.language).capitalises_nouns  # then only sure names are names
    all_names = find_names(text, sentence.language)
    names = [name for name in all_names if name.is_sure or not (nouns_too or _is_common(name.text, sentence))]
    new_names = [name.text for name in names if not phrase_pattern(name.text).search(question.text)]

    def unfitness(name: str) -> tuple[float, tuple[int, int]]:
        overlap = _clause_overlap(question, sentence, text.find(name), boundary)
        return -overlap, _unfitness(name, question, sentence)

    for name in sorted(new_names, key=unfitness):
        yield ShortAnswer(name, text.find(name))
    if question.kind is AnswerKind.PLACE and language_of(sentence.language).capitalises_nouns:
        yield from _places(question, sentence)
    for title_name in read_claims(sentence.passage.title, sentence.language).names[:1]:
        if not phrase_pattern(title_name.text).search(question.text):
            yield ShortAnswer(title_name.text, None, TITLE_CERTAINTY)


def _places(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield the nouns after prepositions of place that are not in the question; there a place may be no sure name."""
    for match in AnswerForms.of(sentence.language).place.finditer(sentence.text):
        if not phrase_pattern(match["place"]).search(question.text):
            yield ShortAnswer(match["place"], match.start("place"))


def _clause_overlap(
    question: ParsedQuestion, sentence: EvidenceSentence, position: int, boundary: re.Pattern[str]
) -> float:
    """Count the question's words in the clause around a position of the sentence.

    The question's first name, which is usually its subject, counts as three.
    """
    clause = _clause_at(sentence.text, position, boundary)
    stems = set(question.stems) - {question.category}
    name_matches = [phrase_pattern(name).search(clause) is not None for name in question.names]
    shared_stems = stems.intersection(stems_of(clause, sentence.language))
    return len(shared_stems) + sum(name_matches) + 2 * any(name_matches[:1])


def _is_about_another(question: ParsedQuestion, sentence: EvidenceSentence, position: int) -> bool:
    """Whether the sentence names the question's subject, but the clause at `position` has neither it nor a pronoun."""
    language = sentence.language
    clause = _clause_at(sentence.text, position, AnswerForms.of(language).clause_boundary)
    subjects = [phrase_pattern(name) for name in question.names[:1]]
    if any(_is_only_compared(name, clause, language) for name in subjects):
        return True
    elsewhere = any(name.search(sentence.text) and not name.search(clause) for name in subjects)
    clause_words = (token.text.lower() for token in tokenize(clause))
    return elsewhere and Grammar.of(language).third_person_pronouns.isdisjoint(clause_words)


def _is_only_compared(name: re.Pattern[str], clause: str, language: str) -> bool:
    """Whether the clause uses the name only as a point in time for something else: `two years after Sputnik 1`."""
    matches = list(name.finditer(clause))
    distance = AnswerForms.of(language).distance_in_time
    return bool(matches) and all(distance.search(clause[: match.start()]) for match in matches)


def _clause_at(text: str, position: int, boundary: re.Pattern[str]) -> str:
    edges = [0, *(edge for match in boundary.finditer(text) for edge in (match.start(), match.end())), len(text)]
    return next(
        text[start:end]
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        if position < end or end == len(text)
    )


def _is_common(word: str, sentence: EvidenceSentence) -> bool:
    """Whether a word is capitalised only because it begins the sentence."""
    plural_suffix = Inflection.of(sentence.language).plural_suffix
    is_plural = bool(plural_suffix) and word.endswith(plural_suffix)
    return is_plural or re.search(rf"\b{re.escape(word.lower())}\b", sentence.passage.text) is not None


def _unfitness(name: str, question: ParsedQuestion, sentence: EvidenceSentence) -> tuple[int, int]:
    """Return the sort key of a name as an answer; lower is better.

    Best is a name next to the wanted category (`an Atlas V rocket`), then a person's full name or a name after `was`,
    then one closely before a name of the question.
    """
    text, start = sentence.text, sentence.text.find(name)
    context, before, end = AnswerForms.of(sentence.language), text[:start], start + len(name)
    if question.category and question.category in _stems_beside(text, start, end, sentence.language):
        return 0, start
    if question.kind is AnswerKind.PERSON and " " in name:
        return 1, start
    if question.kind is AnswerKind.NAME and context.copula.search(before):
        return 1, start
    if question.kind is AnswerKind.PLACE:
        return (2, start) if context.at_place_of_kind.search(before) else (3, start)
    if question.kind is AnswerKind.NAME and context.at_place.search(before):
        return 4, start  # `landed in Vastitas Borealis` says where, not which lander
    name_starts = [match.start() for other in question.names for match in phrase_pattern(other).finditer(text)]
    distances = [name_start - end for name_start in name_starts if name_start >= end]
    return (2, min(distances)) if distances else (3, start)


def _stems_beside(text: str, start: int, end: int, language: str) -> frozenset[str]:
    """Return the stems of the words directly before and after a name."""
    after = text[end : end + 15].split(",")[0]  # characters of the next word (taste)
    return frozenset((*stems_of(after, language)[:1], *stems_of(text[:start], language)[-1:]))


def _phrases(question: ParsedQuestion, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield the text after the last question word in the sentence, up to the end of its clause."""
    positions = _term_positions(question, sentence.text, sentence.language)
    if not positions:
        return
    after = tokenize(sentence.text[max(positions) :])
    start = max(positions) + (after[0].end if after else 0)
    end = AnswerForms.of(sentence.language).phrase_end.search(sentence.text, start)
    phrase = sentence.text[start : end.start() if end else len(sentence.text)]
    words = phrase.split()[:_MAX_PHRASE]
    if words:
        text = " ".join(words)
        yield ShortAnswer(text, sentence.text.find(words[0], start), PHRASE_CERTAINTY)


def _term_positions(question: ParsedQuestion, text: str, language: str) -> list[int]:
    """Return the offsets in the text of question words that are not part of a name."""
    stems = frozenset(question.stems)
    return [token.start for token in tokenize(text) if not set(stems_of(token.text, language)).isdisjoint(stems)]
