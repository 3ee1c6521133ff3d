"""Whether each clause of a sentence stands in one sentence of its sources: what was done, with its dates and numbers.

A model mixes what neighbouring sentences tell: the date of one with the deed of the other. Word by word all is borne
out, and yet nobody said it. So each clause is looked for in single sentences: one has to tell its verb, or a related
word, and all its dates and numbers, and its subject, unless that is what the passage is about.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.verbs import base_forms, irregular_stems
from services.answer.lexicon.words import stems_of
from services.answer.verification.windows import ReadSentence, read_passage
from services.text.dates import find_dates
from services.text.numbers import find_numbers
from services.text.tokens import stem
from services.vocabulary.evidence import Passage

_CLAUSE = re.compile(r"[,;:]?\s(?:and|but|which|who|whose|while|when|where|because|so that|after|before)\s|;\s")
_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*[ -]\Z")
"""The end of a name that the number behind it belongs to: `Apollo 11`."""
_LONGEST_OPENING = 12
"""Characters before a sentence's opening date: `On`, `Early in`."""
LEAST_COVERED = 0.7
"""Of a clause's words, by the sentence that tells it and its passage's title."""
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]+")


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause of a source's sentence: its own stems, those of the sentence, those of the passage's title."""

    stems: frozenset[str]
    values: frozenset[str]
    """Dates and numbers of the clause, and dates by which the sentence opens: `1969-07-20`, `38`."""
    sentence: frozenset[str]
    title: frozenset[str]


def stands_apart(sentence: str, passages: Sequence[Passage]) -> str | None:
    """The first clause of a sentence that no single sentence of the passages tells; None where each has one."""
    told = [each for passage in passages for each in _told(passage.text, passage.title)]
    return next((clause for clause in _clauses(sentence) if not _is_told(clause, told)), None)


def _clauses(sentence: str) -> Iterator[str]:
    """The parts of a sentence that have a verb; others belong to the one before."""
    held = ""
    start = 0
    for cut in [*(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]:
        part = sentence[start:cut]
        if held and _verbs(part):
            yield held
            held = part
        else:
            held += part
        start = cut
    yield held


def _is_told(clause: str, told: Sequence[_Told]) -> bool:
    if _of_itself(clause):
        return False
    verbs = _verbs(clause)
    if not verbs:
        return True
    values, subject, stems = _values(clause), _names(clause), frozenset(stems_of(clause))
    return any(
        all(any(known.startswith(value) for known in each.values) for value in values)
        and any(verb in each.stems or has_related(verb, each.stems) for verb in verbs)
        and subject <= each.sentence | each.title
        and sum(stem in each.sentence or stem in each.title or has_related(stem, each.sentence) for stem in stems)
        >= LEAST_COVERED * len(stems)
        for each in told
    )


def _of_itself(clause: str) -> bool:
    """Whether one name stands for what is said of it, too: `Juno stands for Juno at Jupiter`."""
    names = [match[0] for match in _NAME.finditer(clause)]
    return any(
        re.search(rf"{re.escape(name)} (?:is|was|means|stands for) {re.escape(name)}\b", clause) for name in names
    )


def _verbs(text: str) -> frozenset[str]:
    """The stems of the verbs that the lexicon knows; auxiliaries are none."""
    forms = base_forms()
    bases = _bases()
    words = [word.lower() for word in _WORD.findall(text)]
    stems = {stem for word in words for stem in stems_of(word)}
    known = {stem for word in words if word in forms or word in bases for stem in stems_of(word)}
    return frozenset(known | (stems & _participles()))


@lru_cache(maxsize=1)
def _participles() -> frozenset[str]:
    return frozenset(irregular_stems().values()) & frozenset(stem(base) for base in base_forms().values())


@lru_cache(maxsize=1)
def _bases() -> frozenset[str]:
    bases = frozenset(base_forms().values())
    return bases | {f"{base}s" for base in bases} | {f"{base.removesuffix('e')}ing" for base in bases}


def _names(text: str) -> frozenset[str]:
    """The stems of capitalised words within the text; its first word may be any."""
    names = [match[0] for match in _NAME.finditer(text) if match.start() > 0]
    return frozenset(stem for name in names for stem in stems_of(name))


def _values(text: str) -> frozenset[str]:
    dates = find_dates(text)
    apart = (n for n in find_numbers(text) if all(n.end <= d.start or n.start >= d.end for d in dates))
    numbers = (n for n in apart if not _NAMED.search(text, 0, n.start))
    return frozenset({f"{d.first}" for d in dates} | {f"{n.value.normalize():f} " for n in numbers})


@lru_cache(maxsize=256)
def _told(text: str, title: str) -> tuple[_Told, ...]:
    passage = read_passage(title, text)
    return tuple(told for sentence in passage.sentences for told in _told_in(sentence, passage.title_stems))


def _told_in(sentence: ReadSentence, about: frozenset[str]) -> Iterator[_Told]:
    """The date that a sentence begins with holds for all of it."""
    opening = frozenset(f"{date.first}" for date in sentence.dates if date.start <= _LONGEST_OPENING)
    for clause in _clauses(sentence.text):
        yield _Told(frozenset(stems_of(clause)), _values(clause) | opening, sentence.stems, about)
