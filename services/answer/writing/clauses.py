"""Checks that a single source sentence supports each clause of a sentence: the action with its dates and numbers.

A model may mix neighbouring sentences: the date of one with the action of another. Each word is then supported, but the
combination is not. So each clause is compared with single sentences: one must have its verb, or a related word, all its
dates and numbers, and its subject, unless the passage is about that subject.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.contracts.evidence import Passage
from libs.text.dates import find_dates
from libs.text.numbers import find_numbers
from libs.text.tokens import stem
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.verbs import base_forms, irregular_stems
from services.answer.lexicon.words import stems_of
from services.answer.verification.windows import ParsedSentence, read_passage

_CLAUSE = re.compile(r"[,;:]?\s(?:and|but|which|who|whose|while|when|where|because|so that|after|before)\s|;\s")
_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*[ -]\Z")
"""The name before its number: `Apollo 11`."""
_LONGEST_OPENING = 12
"""Characters before a sentence's opening date: `On`, `Early in`."""
LEAST_COVERED = 0.7
"""Least share of a clause's words that the sentence and its passage's title must have."""
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]+")
_SAME_NAME = re.compile(rf"(?P<name>{_NAME.pattern}) (?:is|was|means|stands for) (?P=name)\b")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause to look for."""

    stems: frozenset[str]
    values: frozenset[str]
    """Its dates and numbers: `1969-07-20`, `38 `."""
    verbs: frozenset[str]
    subject: frozenset[str]


def stands_apart(sentence: str, passages: Sequence[Passage]) -> str | None:
    """Return the first clause of a sentence that no single sentence of the passages supports; None if there is none."""
    return next((clause for clause in _clauses(sentence) if not _is_supported(clause, passages)), None)


def _clauses(sentence: str) -> Iterator[str]:
    """The parts of a sentence that have a verb; a part without one belongs to the part before it."""
    clause = ""
    start = 0
    for end in [*(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]:
        part = sentence[start:end]
        if clause and _verbs(part):
            yield clause
            clause = part
        else:
            clause += part
        start = end
    yield clause


def _is_supported(text: str, passages: Sequence[Passage]) -> bool:
    """Whether a single sentence supports a clause; only those with its subject and most of its words are examined."""
    if _of_itself(text):
        return False
    if not (verbs := _verbs(text)):
        return True
    clause = _Clause(frozenset(stems_of(text)), _values(text), verbs, _names(text))
    parsed_passages = [read_passage(passage.title, passage.text) for passage in passages]
    return any(
        _covers(sentence, passage.title_stems, clause) and _supports(sentence, clause)
        for passage in parsed_passages
        for sentence in passage.sentences
    )


def _covers(sentence: ParsedSentence, title_stems: frozenset[str], clause: _Clause) -> bool:
    """Whether a sentence, with its passage's title, has the clause's subject and most of its words."""
    if not clause.subject <= sentence.stems | title_stems:
        return False
    missing_stems = clause.stems - sentence.stems - title_stems
    covered_count = (
        len(clause.stems) - len(missing_stems) + sum(has_related(stem, sentence.stems) for stem in missing_stems)
    )
    return covered_count >= LEAST_COVERED * len(clause.stems)


def _supports(sentence: ParsedSentence, clause: _Clause) -> bool:
    """Whether one clause of a source sentence has the verb and all dates and numbers of the other clause."""
    return any(
        _has_verb(part, clause.verbs) and (not clause.values or _has_values(part, sentence, clause.values))
        for part in _clauses(sentence.text)
    )


def _has_verb(text: str, verbs: frozenset[str]) -> bool:
    stems = frozenset(stems_of(text))
    return any(verb in stems or has_related(verb, stems) for verb in verbs)


def _has_values(text: str, sentence: ParsedSentence, values: frozenset[str]) -> bool:
    """Whether all values are in a clause, or in the date that opens its sentence and applies to all of it."""
    opening = {f"{date.first}" for date in sentence.dates if date.start <= _LONGEST_OPENING}
    source_values = _values(text) | opening
    return all(any(source_value.startswith(value) for source_value in source_values) for value in values)


def _of_itself(clause: str) -> bool:
    """Whether a name is defined by itself: `Juno stands for Juno at Jupiter`."""
    return _SAME_NAME.search(clause) is not None


def _verbs(text: str) -> frozenset[str]:
    """The stems of the verbs in the lexicon, without auxiliaries."""
    forms = base_forms()
    bases = _bases()
    words = [word.lower() for word in _WORD.findall(text)]
    stems = {stem for word in words for stem in stems_of(word)}
    verb_stems = {stem for word in words if word in forms or word in bases for stem in stems_of(word)}
    return frozenset(verb_stems | (stems & _participles()))


@lru_cache(maxsize=1)
def _participles() -> frozenset[str]:
    return frozenset(irregular_stems().values()) & frozenset(stem(base) for base in base_forms().values())


@lru_cache(maxsize=1)
def _bases() -> frozenset[str]:
    bases = frozenset(base_forms().values())
    return bases | {f"{base}s" for base in bases} | {f"{base.removesuffix('e')}ing" for base in bases}


def _names(text: str) -> frozenset[str]:
    """The stems of capitalised words, except the first word of the text."""
    names = [match[0] for match in _NAME.finditer(text) if match.start() > 0]
    return frozenset(stem for name in names for stem in stems_of(name))


def _values(text: str) -> frozenset[str]:
    dates = find_dates(text)
    candidates = (
        number
        for number in find_numbers(text)
        if all(number.end <= date.start or number.start >= date.end for date in dates)
    )
    numbers = (number for number in candidates if not _NAMED.search(text, 0, number.start))
    return frozenset({f"{date.first}" for date in dates} | {f"{number.value.normalize():f} " for number in numbers})
