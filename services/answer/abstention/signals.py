"""What the evidence has of a question: the words, names and times, the wanted kind, and how close retrieval came."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.answer.lexicon.related_words import related_in
from services.answer.lexicon.vague_words import vague_stems
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.question import Question, sides_of
from services.answer.scoring import ScoredSentence, term_weights
from services.answer.term_credits import TIME
from services.answer.verification.measures import date_borne_out
from services.text.dates import find_dates
from services.vocabulary.evidence import Passage, Reference

BEST_SENTENCES = 5
SHARED_COVERAGE = 0.5


@dataclass(frozen=True, slots=True)
class Signals:
    """All but the cosine in [0, 1]."""

    sentence: float
    """The share of the question's weight that one of the best sentences has."""
    passage: float
    """The share of it that one passage has, its title included."""
    names: float
    """How much of the least known name is there: 1 as it is spelt, less in parts; 1 too when nothing is named."""
    kind: float
    """Whether the best sentence holds an answer of the wanted kind."""
    cosine: float | None
    """The best one; None where no vectors were searched, or none of those found counts."""
    missing: tuple[str, ...] = ()
    """Words of the question that the evidence doesn't have, as the question spells them."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage with its title, as it is searched for the question's words."""

    text: str
    stems: frozenset[str]
    """Of the title and of the sentences that were read in it."""
    names: frozenset[str]
    """Those of the question that it has."""


def read_signals(question: Question, ranked: Sequence[ScoredSentence], references: Sequence[Reference]) -> Signals:
    """Look for the question in its evidence.

    Args:
        question: the question or sub-question.
        ranked: its evidence's sentences as `score_sentences` gives them, at least one.
        references: the passages that they stand in.
    """
    read = _read(question, ranked, references)
    weights = term_weights(question, [scored.sentence for scored in ranked])
    vocabulary = frozenset().union(*(passage.stems for passage in read))
    told_by = {stem: related_in(stem, vocabulary) | {stem} for stem in question.stems}
    covered = [_coverage(question, weights, told_by, passage) for passage in read]
    other_side = sum(weights[name] for name in sides_of(question)[1:] if _name_found(name, read) == 1.0)
    cosines = _cosines(references, covered)
    return Signals(
        sentence=_with(other_side, max(scored.coverage for scored in ranked[:BEST_SENTENCES])),
        passage=_with(other_side, max(covered)),
        names=min((_name_found(name, read) for name in question.names), default=1.0),
        kind=ranked[0].kind,
        cosine=max(cosines, default=None),
        missing=_missing(question, read),
    )


def _with(other_side: float, coverage: float) -> float:
    """Of two things set beside each other one sentence need not name both: what is told of the other stands in its own
    passage."""
    return min(1.0, coverage + other_side)


def _read(question: Question, ranked: Sequence[ScoredSentence], references: Sequence[Reference]) -> list[_Read]:
    said: dict[int, list[frozenset[str]]] = defaultdict(list)
    for scored in ranked:
        said[scored.sentence.reference.number].append(scored.sentence.stem_set)
    return [_read_passage(question, reference.evidence.passage, said[reference.number]) for reference in references]


def _read_passage(question: Question, passage: Passage, said: Sequence[frozenset[str]]) -> _Read:
    text = f"{passage.title}\n{passage.text}"
    names = frozenset(name for name in question.names if has_phrase(name, text))
    return _Read(text, frozenset(stems_of(passage.title)).union(*said), names)


def _coverage(
    question: Question, weights: Mapping[str, float], told_by: Mapping[str, frozenset[str]], passage: _Read
) -> float:
    return sum(weights[term] for term in weights if _stands_in(term, question, told_by, passage))


def _cosines(references: Sequence[Reference], covered: Sequence[float]) -> list[float]:
    """A passage that several sub-queries found brings the cosine of the one that it suits best: for another it counts
    only when it has the words."""
    return [
        reference.evidence.scores.vector
        for reference, coverage in zip(references, covered, strict=True)
        if reference.evidence.scores.vector is not None
        and (len(reference.evidence.nodes) < 2 or coverage >= SHARED_COVERAGE)
    ]


def _stands_in(term: str, question: Question, told_by: Mapping[str, frozenset[str]], passage: _Read) -> bool:
    if term in question.names:
        return term in passage.names
    if term == TIME:
        return any(date_borne_out(date, find_dates(passage.text)) for date in question.dates)
    return not told_by[term].isdisjoint(passage.stems)


def _name_found(name: str, read: Sequence[_Read]) -> float:
    if any(name in passage.names for passage in read):
        return 1.0
    words = name.split()
    if len(words) == 1 or words[-1].isdecimal() or not any(has_phrase(words[-1], passage.text) for passage in read):
        return 0.0
    return 0.5 * max(sum(has_phrase(word, passage.text) for word in words) for passage in read) / len(words)


def _missing(question: Question, read: Sequence[_Read]) -> tuple[str, ...]:
    names = [name for name in question.names if not any(name in passage.names for passage in read)]
    known = vague_stems().union(*(passage.stems for passage in read))
    unknown = {stem for stem in question.stems if stem not in known}
    words = [word.strip("?!.,;:\"'()") for word in question.text.split() if not unknown.isdisjoint(stems_of(word))]
    return tuple(dict.fromkeys([*names, *words]))
