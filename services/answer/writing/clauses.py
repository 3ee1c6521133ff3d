"""Whether each clause of a sentence stands in one sentence of its sources: what was done, with its dates and numbers.

A model mixes what neighbouring sentences tell: the date of one with the deed of the other. Word by word all is borne
out, and yet nobody said it. So each clause is looked for in single sentences: one has to tell its verb, or a related
word, and all its dates and numbers, and its subject, unless that is what the passage is about.
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
from services.answer.verification.windows import ReadSentence, read_passage

_CLAUSE = re.compile(r"[,;:]?\s(?:and|but|which|who|whose|while|when|where|because|so that|after|before)\s|;\s")
_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*[ -]\Z")
"""The end of a name that the number behind it belongs to: `Apollo 11`."""
_LONGEST_OPENING = 12
"""Characters before a sentence's opening date: `On`, `Early in`."""
LEAST_COVERED = 0.7
"""Of a clause's words, by the sentence that tells it and its passage's title."""
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]+")
_SAME_NAME = re.compile(rf"(?P<name>{_NAME.pattern}) (?:is|was|means|stands for) (?P=name)\b")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause that is looked for."""

    stems: frozenset[str]
    values: frozenset[str]
    """Its dates and numbers: `1969-07-20`, `38 `."""
    verbs: frozenset[str]
    subject: frozenset[str]


def stands_apart(sentence: str, passages: Sequence[Passage]) -> str | None:
    """The first clause of a sentence that no single sentence of the passages tells; None where each has one."""
    return next((clause for clause in _clauses(sentence) if not _is_told(clause, passages)), None)


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


def _is_told(text: str, passages: Sequence[Passage]) -> bool:
    """Sentences are read closely only where they have the clause's subject and most of its words."""
    if _of_itself(text):
        return False
    if not (verbs := _verbs(text)):
        return True
    clause = _Clause(frozenset(stems_of(text)), _values(text), verbs, _names(text))
    read = [read_passage(passage.title, passage.text) for passage in passages]
    return any(
        _covers(sentence, passage.title_stems, clause) and _tells(sentence, clause)
        for passage in read
        for sentence in passage.sentences
    )


def _covers(sentence: ReadSentence, about: frozenset[str], clause: _Clause) -> bool:
    """Whether a sentence has the clause's subject and most of its words, or what it is about does."""
    if not clause.subject <= sentence.stems | about:
        return False
    lacking = clause.stems - sentence.stems - about
    known = len(clause.stems) - len(lacking) + sum(has_related(stem, sentence.stems) for stem in lacking)
    return known >= LEAST_COVERED * len(clause.stems)


def _tells(sentence: ReadSentence, clause: _Clause) -> bool:
    """Whether one clause of a sentence tells the verb and all dates and numbers of another sentence's clause."""
    return any(
        _has_verb(told, clause.verbs) and (not clause.values or _has_values(told, sentence, clause.values))
        for told in _clauses(sentence.text)
    )


def _has_verb(told: str, verbs: frozenset[str]) -> bool:
    stems = frozenset(stems_of(told))
    return any(verb in stems or has_related(verb, stems) for verb in verbs)


def _has_values(told: str, sentence: ReadSentence, values: frozenset[str]) -> bool:
    """The date that a sentence begins with holds for all of it."""
    opening = {f"{date.first}" for date in sentence.dates if date.start <= _LONGEST_OPENING}
    known = _values(told) | opening
    return all(any(one.startswith(value) for one in known) for value in values)


def _of_itself(clause: str) -> bool:
    """Whether one name stands for what is said of it, too: `Juno stands for Juno at Jupiter`."""
    return _SAME_NAME.search(clause) is not None


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
