"""Checks that a single source sentence supports each clause of a sentence: the action with its dates and numbers.

A model may mix neighbouring sentences: the date of one with the action of another. Each word is then supported, but the
combination is not. So each clause is compared with single sentences: one must have its verb, or a related word, all its
dates and numbers, and its subject, unless the passage is about that subject. Pure functions with caches.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.contracts.evidence import Passage
from libs.language.known import language_of
from libs.language.topics.clauses import ClauseParts
from libs.language.topics.grammar import Inflection
from libs.text.dates.document_dates import find_dates
from libs.text.limits import MAX_WORD
from libs.text.numbers.finder import find_numbers
from libs.text.tokens import stem
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import base_forms, irregular_stems, stems_of
from services.answer.verification.windows import ParsedSentence, read_passage

_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*[ -]\Z")
"""The name before its number: `Apollo 11`."""
_MAX_OPENING = 12
"""Characters before a sentence's opening date: `On`, `Early in` (taste)."""
MIN_COVERED = 0.7
"""Least share of a clause's words that the sentence and its passage's title must have (by hand)."""
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]+")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause to look for."""

    stems: frozenset[str]
    values: frozenset[str]
    """Its dates and numbers: `1969-07-20`, `38 `."""
    verbs: frozenset[str]
    subject: frozenset[str]


def stands_apart(sentence: str, passages: Sequence[Passage], language: str) -> str | None:
    """Return the first clause of a sentence that no single sentence of the passages supports; None if there is none.

    Args:
        sentence: the sentence to check.
        passages: its sources.
        language: of the sentence and the passages, ISO 639-1.
    """
    clauses = _clauses(sentence, language)
    return next((clause for clause in clauses if not _is_supported(clause, passages, language)), None)


def _clauses(sentence: str, language: str) -> Iterator[str]:
    """The parts of a sentence that have a verb; a part without one belongs to the part before it."""
    boundaries = ClauseParts.of(language).next_clause.finditer(sentence)
    clause = ""
    start = 0
    for end in [*(match.start() for match in boundaries), len(sentence)]:
        part = sentence[start:end]
        if clause and _verbs(part, language):
            yield clause
            clause = part
        else:
            clause += part
        start = end
    yield clause


def _is_supported(text: str, passages: Sequence[Passage], language: str) -> bool:
    """Whether a single sentence supports a clause; only those with its subject and most of its words are examined."""
    if _of_itself(text, language):
        return False
    if not (verbs := _verbs(text, language)):
        return True
    clause = _Clause(frozenset(stems_of(text, language)), _values(text, language), verbs, _names(text, language))
    parsed_passages = [read_passage(passage.title, passage.text, language) for passage in passages]
    return any(
        _covers(sentence, passage.title_stems, clause, language) and _supports(sentence, clause, language)
        for passage in parsed_passages
        for sentence in passage.sentences
    )


def _covers(sentence: ParsedSentence, title_stems: frozenset[str], clause: _Clause, language: str) -> bool:
    """Whether a sentence, with its passage's title, has the clause's subject and most of its words."""
    if not clause.subject <= sentence.stems | title_stems:
        return False
    missing_stems = clause.stems - sentence.stems - title_stems
    related_count = sum(has_related(stem, sentence.stems, language) for stem in missing_stems)
    covered_count = len(clause.stems) - len(missing_stems) + related_count
    return covered_count >= MIN_COVERED * len(clause.stems)


def _supports(sentence: ParsedSentence, clause: _Clause, language: str) -> bool:
    """Whether one clause of a source sentence has the verb and all dates and numbers of the other clause."""
    return any(
        _has_verb(part, clause.verbs, language)
        and (not clause.values or _has_values(part, sentence, clause.values, language))
        for part in _clauses(sentence.text, language)
    )


def _has_verb(text: str, verbs: frozenset[str], language: str) -> bool:
    stems = frozenset(stems_of(text, language))
    return any(verb in stems or has_related(verb, stems, language) for verb in verbs)


def _has_values(text: str, sentence: ParsedSentence, values: frozenset[str], language: str) -> bool:
    """Whether all values are in a clause, or in the date that opens its sentence and applies to all of it."""
    opening = {f"{date.first}" for date in sentence.dates if date.start <= _MAX_OPENING}
    source_values = _values(text, language) | opening
    return all(any(source_value.startswith(value) for source_value in source_values) for value in values)


def _of_itself(clause: str, language: str) -> bool:
    """Whether a name is defined by itself: `Juno stands for Juno at Jupiter`."""
    return ClauseParts.of(language).self_definition.search(clause) is not None


def _verbs(text: str, language: str) -> frozenset[str]:
    """The stems of the verbs in the lexicon, without auxiliaries."""
    forms = _verb_forms(language)
    words = [word.lower() for word in _WORD.findall(text)]
    stems = {stem for word in words for stem in stems_of(word, language)}
    verb_stems = {stem for word in words if word in forms for stem in stems_of(word, language)}
    return frozenset(verb_stems | (stems & _participles(language)))


@lru_cache(maxsize=64)  # taste
def _participles(language: str) -> frozenset[str]:
    return frozenset(irregular_stems(language).values()) & frozenset(
        stem(base, language) for base in base_forms(language).values()
    )


@lru_cache(maxsize=64)  # taste
def _verb_forms(language: str) -> frozenset[str]:
    """Return past forms, base forms and those with regular endings; none in a language without clause parts."""
    present_ending, inflection = ClauseParts.of(language).present_ending, Inflection.of(language)
    if not present_ending:
        return frozenset()
    bases = frozenset(base_forms(language).values())
    continuous = {
        f"{base.removesuffix(letters)}{ending}"
        for base in bases
        for letters in inflection.base_endings
        for ending in inflection.continuous_endings
    }
    return bases.union(base_forms(language), (f"{base}{present_ending}" for base in bases), continuous)


def _names(text: str, language: str) -> frozenset[str]:
    """The stems of capitalised words, except the first word of the text; none where all nouns are capitalised."""
    if language_of(language).capitalises_nouns:
        return frozenset()
    names = [match[0] for match in _NAME.finditer(text) if match.start() > 0]
    return frozenset(stem for name in names for stem in stems_of(name, language))


def _values(text: str, language: str) -> frozenset[str]:
    dates = find_dates(text, language=language)
    candidates = (
        number
        for number in find_numbers(text, language)
        if all(number.end <= date.start or number.start >= date.end for date in dates)
    )
    numbers = (
        number for number in candidates if not _NAMED.search(text, max(0, number.start - MAX_WORD), number.start)
    )
    return frozenset({f"{date.first}" for date in dates} | {f"{number.value.normalize():f} " for number in numbers})
