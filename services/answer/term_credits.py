"""How much of the weight of each question term (name, stem, time) a sentence earns, in [0, 1].

A term may occur in the sentence, as a related word, in the title, or in the preceding sentences. Whatever is the same
for all sentences of a question is prepared once.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.language.topics.answer_context import AnswerContext
from libs.text.dates import DateMention, find_dates
from libs.text.tokens import is_stop_word, tokenize
from services.answer.answer_types import holds_date
from services.answer.lexicon.related_words import matching_stems
from services.answer.lexicon.vague_words import is_leaning, superlative_stems
from services.answer.lexicon.words import find_phrase, has_phrase, stems_of
from services.answer.question import ParsedQuestion
from services.answer.sentences import EvidenceSentence
from services.answer.verification.measures import is_date_supported

RELATED_CREDIT = 0.7
TITLE_CREDIT = 0.85
WITHIN_TITLE_CREDIT = 0.65
"""For a name inside the title but not at its start: the document is also about something else."""
CONTEXT_CREDIT = 0.45
NAME_NEARBY_CREDIT = 0.35
"""For a name elsewhere in the passage, if nothing in the sentence refers back to it."""
UNCHOSEN_CREDIT = 0.3
"""For `largest` in `which rover is the largest`, if the sentence has no rover."""
PART_OF_NAME_CREDIT = 0.55
SIBLING_CREDIT = 0.1
BESIDE_SIBLING_CREDIT = 0.4
COMPARED_CREDIT = 0.5
"""For a name that occurs only in a comparison: `a little more than Chang'e 5`."""
_LONGEST_COMPARISON = 40
"""Characters of the words of a comparison."""
TIME = "#time"
"""The term for all times in the question."""


@dataclass(frozen=True, slots=True)
class ScoringQuery:
    """A question prepared for comparison with the sentences of its evidence."""

    question: ParsedQuestion
    related_stems: Mapping[str, frozenset[str]]
    """Maps each stem of the question to related stems in the evidence."""


def prepare_query(question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> ScoringQuery:
    """Return the question with the related stems from its evidence."""
    vocabulary = frozenset().union(*(sentence.stem_set for sentence in sentences))
    stems = {*question.stems, question.category}
    return ScoringQuery(question, {stem: matching_stems(stem, vocabulary, question.language) for stem in stems if stem})


def credit(term: str, query: ScoringQuery, sentence: EvidenceSentence) -> float:
    """Return how much of a term's weight a sentence earns, in [0, 1]."""
    question = query.question
    if term == TIME:
        return _time_credit(question, sentence)
    if term in question.names:
        return _name_credit(term, sentence)
    if question.category and term in superlative_stems(question.language):
        return _superlative_credit(term, query, sentence)
    own_credit = own_word_credit(term, query, sentence)
    if own_credit or term not in _title_stems(sentence.passage.title, sentence.language):
        return own_credit or (CONTEXT_CREDIT if term in sentence.stems_before else 0.0)
    return TITLE_CREDIT


def own_word_credit(term: str, query: ScoringQuery, sentence: EvidenceSentence) -> float:
    """Return the credit of a stem from the sentence's own words: 1 if it occurs, less for a related word, else 0."""
    if term in sentence.stem_set:
        return 1.0
    return 0.0 if query.related_stems[term].isdisjoint(sentence.stem_set) else RELATED_CREDIT


def leans(sentence: EvidenceSentence) -> bool:
    """Whether a sentence begins with a word that refers back to earlier text."""
    return _is_leaning(sentence.text.split(None, 1)[0].rstrip(",").lower(), sentence.language)


_is_leaning = lru_cache(maxsize=4096)(is_leaning)
"""Cached because every sentence of the evidence is asked, often more than once."""


def _superlative_credit(term: str, query: ScoringQuery, sentence: EvidenceSentence) -> float:
    """Credit of a superlative such as `largest` in `which rover is the largest`: high only if a rover is mentioned."""
    own_credit = own_word_credit(term, query, sentence)
    return own_credit if own_word_credit(query.question.category, query, sentence) else min(own_credit, UNCHOSEN_CREDIT)


def _time_credit(question: ParsedQuestion, sentence: EvidenceSentence) -> float:
    """Credit for the question's times in the sentence; less if only a preceding sentence has them."""
    if holds_date(sentence.text, sentence.language):
        return float(_has_time(question, find_dates(sentence.text, language=sentence.language)))
    before = (text for text in sentence.before if holds_date(text, sentence.language))
    dates = [date for text in before for date in find_dates(text, language=sentence.language)]
    return CONTEXT_CREDIT if _has_time(question, dates) else 0.0


def _has_time(question: ParsedQuestion, dates: Sequence[DateMention]) -> bool:
    return any(is_date_supported(date, dates) for date in question.dates)


def _name_credit(name: str, sentence: EvidenceSentence) -> float:
    head, _, last = name.replace("-", " ").rpartition(" ")
    is_numbered = bool(head) and last.isdecimal()
    sibling = _sibling_in(sentence, head) if is_numbered else None
    if match := find_phrase(name, sentence.text):
        credit_beside = BESIDE_SIBLING_CREDIT if sibling and sibling.start() < match.start() else 1.0
        return COMPARED_CREDIT if _is_compared(sentence, match.start()) else credit_beside
    if sibling:
        return SIBLING_CREDIT
    if title_credit := _title_credit(name, sentence.passage.title, sentence.language):
        return title_credit
    if head and not is_numbered and has_phrase(last, sentence.text):
        return PART_OF_NAME_CREDIT
    return _nearby_credit(name, sentence)


@lru_cache(maxsize=1024)
def _title_credit(name: str, title: str, language: str) -> float:
    """Return the credit of a name in the title, for every sentence of the passage; an article may precede it."""
    match = find_phrase(name, title)
    if match is None:
        return 0.0
    before = tokenize(title[: match.start()])
    begins = not before or (len(before) == 1 and is_stop_word(before[0].text, language))
    return TITLE_CREDIT if begins else WITHIN_TITLE_CREDIT


def _nearby_credit(name: str, sentence: EvidenceSentence) -> float:
    if not _stands_in(name, sentence.passage.text):
        return 0.0
    points_back = any(has_phrase(name, before) for before in sentence.before) or leans(sentence)
    return CONTEXT_CREDIT if points_back else NAME_NEARBY_CREDIT


_stands_in = lru_cache(maxsize=256)(has_phrase)
"""Cached because every sentence of a passage needs the same result."""


def _sibling_in(sentence: EvidenceSentence, head: str) -> re.Match[str] | None:
    """Return a match of another member of a numbered series; None if absent or only compared with."""
    match = _sibling_pattern(head).search(sentence.text)
    return None if match is None or _is_compared(sentence, match.start()) else match


def _is_compared(sentence: EvidenceSentence, position: int) -> bool:
    """Whether the name at a position is only compared with: `more than`."""
    start = max(0, position - _LONGEST_COMPARISON)
    return AnswerContext.of(sentence.language).compared.search(sentence.text[start:position]) is not None


@lru_cache(maxsize=512)
def _sibling_pattern(head: str) -> re.Pattern[str]:
    """Return a pattern for numbered names of a series: `Venera 8` if `Venera 7` is asked for; also `Chandrayaan-2`."""
    return re.compile(rf"(?<!\w){re.escape(head)}[\s\-]\d+(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _title_stems(title: str, language: str) -> frozenset[str]:
    return frozenset(stems_of(title, language))
