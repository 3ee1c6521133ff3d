"""Score how well each sentence of the evidence answers a question.

The score is the share of the question's weight that the sentence has, and more if it has an answer of the wanted type,
the question's subject, and one of its other words. Names and stems weigh by their rarity. Without any of the weights, a
short answer over the sample corpus changes (`bench.two_hops`, `bench.sample_answers`); their values are by hand. Pure.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.patterns import NEVER
from libs.language.topics.questions import AnswerForms
from services.answer.answer_types import holds_answer_type, holds_date
from services.answer.lexicon.related_words import matching_stems
from services.answer.lexicon.words import has_phrase, phrase_pattern, stems_of, vague_stems
from services.answer.question import AnswerKind, ParsedQuestion
from services.answer.sentences import EvidenceSentence

RELATED_CREDIT: Final = 0.7
"""For a word that is related to the question's (by hand)."""
TITLE_CREDIT: Final = 0.8
"""For a name or word in the document's title, which tells what the document is about (by hand)."""
CONTEXT_CREDIT: Final = 0.4
"""For a name or word in the sentences just before (by hand)."""
KIND_WEIGHT: Final = 0.4
"""Weight of the answer type (by hand)."""
_MAX_COMPARISON: Final = 40
"""Characters before a name in which the words of a comparison are looked for (taste)."""
_MIN_RARITY: Final = 1.2
"""A word in all of the evidence weighs nearly as much as one in none of it: there may be one sentence only
(by hand)."""
_ENOUGH: Final = 0.5
"""From this coverage on, the answer type counts in full (by hand)."""


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence with its score and the parts of that score."""

    sentence: EvidenceSentence
    score: float
    coverage: float
    """In [0, 1]: the share of the question's weight found in the sentence, its title and its context."""
    kind: float
    """In [0, 1]: how well it fits the wanted answer type."""
    subject_fit: float
    """In [0, 1]: whether it, the title or the sentences before have the question's subject; 1 if it names none."""
    predicate_fit: float
    """In [0, 1]: whether it has one of the question's words itself (`launched`); 1 if the question has only names."""
    context: str = ""
    """The previous sentence that gives its date, if the question asks for a date and it has none itself."""


def score_sentences(question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> list[ScoredSentence]:
    """Return all sentences, best first; ties are broken by reference number, then position."""
    scorer = _Scorer.of(question, sentences)
    return sorted(
        map(scorer.score, sentences),
        key=lambda scored_sentence: (
            -scored_sentence.score,
            scored_sentence.sentence.reference.number,
            scored_sentence.sentence.span.start,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Scorer:
    """A question prepared for comparison with the sentences of its evidence."""

    question: ParsedQuestion
    weights: Mapping[str, float]
    """The weight of each name and stem of the question; they add up to 1."""
    related_stems: Mapping[str, frozenset[str]]
    """The related stems in the evidence of each stem of the question."""

    @classmethod
    def of(cls, question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> "_Scorer":
        vocabulary = frozenset().union(*(sentence.stem_set for sentence in sentences))
        related_stems = {stem: matching_stems(stem, vocabulary, question.language) for stem in question.stems}
        return cls(question, _term_weights(question, sentences), related_stems)

    @property
    def subject(self) -> str | None:
        """The question's first name of several words, else its first name."""
        return max(self.question.names, key=lambda name: " " in name, default=None)

    def score(self, sentence: EvidenceSentence) -> ScoredSentence:
        coverage = sum(weight * self._credit(term, sentence) for term, weight in self.weights.items())
        predicate_fit = max((self._own_credit(stem, sentence) for stem in self.question.stems), default=1.0)
        subject_fit = self._credit(self.subject, sentence) if self.subject else 1.0
        kind, context = _kind_and_context(self.question, sentence) if coverage > 0 else (0.0, "")
        score = coverage + KIND_WEIGHT * kind * predicate_fit * subject_fit * min(1.0, coverage / _ENOUGH)
        return ScoredSentence(sentence, score, coverage, kind, subject_fit, predicate_fit, context)

    def _credit(self, term: str, sentence: EvidenceSentence) -> float:
        """How much of a term's weight a sentence earns, in [0, 1]."""
        if term not in self.related_stems:
            return _name_credit(term, sentence)
        in_title = term in stems_of(sentence.passage.title, sentence.language)
        return self._own_credit(term, sentence) or _nearby_credit(in_title, term in sentence.stems_before)

    def _own_credit(self, stem: str, sentence: EvidenceSentence) -> float:
        """The credit of a stem from the sentence's own words."""
        if stem in sentence.stem_set:
            return 1.0
        return 0.0 if self.related_stems[stem].isdisjoint(sentence.stem_set) else RELATED_CREDIT


def _name_credit(name: str, sentence: EvidenceSentence) -> float:
    """The credit of a name; 0 where another one of its series is the subject, which comes first."""
    match, first = _find(phrase_pattern(name), sentence), _find(_series_pattern(name), sentence)
    if match or first:
        return float(match is not None and (first is None or first.start() >= match.start()))
    return _nearby_credit(has_phrase(name, sentence.passage.title), has_phrase(name, "\n".join(sentence.before)))


def _find(pattern: re.Pattern[str], sentence: EvidenceSentence) -> re.Match[str] | None:
    """The first match that is not only compared with: `more than Venera 7`."""
    compared = AnswerForms.of(sentence.language).compared
    matches = pattern.finditer(sentence.text)
    reach = _MAX_COMPARISON
    return next((m for m in matches if not compared.search(sentence.text[max(0, m.start() - reach) : m.start()])), None)


@lru_cache(maxsize=512)  # taste
def _series_pattern(name: str) -> re.Pattern[str]:
    """Any name of a numbered series: `Venera 8` for `Venera 7`; it matches nothing for other names."""
    series, _, number = name.replace("-", " ").rpartition(" ")
    if not series or not number.isdecimal():
        return re.compile(NEVER)
    return re.compile(rf"(?<!\w){re.escape(series)}[\s\-]\d+(?!\w)", re.IGNORECASE)


def _nearby_credit(in_title: bool, before: bool) -> float:
    return TITLE_CREDIT if in_title else CONTEXT_CREDIT * before


def _term_weights(question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> Mapping[str, float]:
    """Return the weight of each name and stem by its rarity among the sentences.

    Rarity is BM25's inverse document frequency with the sentences as documents (Robertson & Zaragoza 2009).
    """
    vague = vague_stems(question.language)
    stems = [stem for stem in question.stems if stem not in vague] or question.stems
    frequencies = {stem: sum(stem in sentence.stem_set for sentence in sentences) for stem in stems}
    frequencies |= {name: sum(has_phrase(name, sentence.text) for sentence in sentences) for name in question.names}
    total = len(sentences)
    rarities = {
        term: max(_MIN_RARITY, math.log(1 + (total - count + 0.5) / (count + 0.5)))
        for term, count in frequencies.items()
    }
    return {term: rarity / sum(rarities.values()) for term, rarity in rarities.items()}


def _kind_and_context(question: ParsedQuestion, sentence: EvidenceSentence) -> tuple[float, str]:
    """Return how well the sentence fits the wanted answer type; a date may be in the sentences before."""
    kind = holds_answer_type(question, sentence.text, sentence.language)
    if question.kind is AnswerKind.DATE and not kind:
        dated_sentences = [before for before in sentence.before if holds_date(before, sentence.language)]
        if dated_sentences:
            return 0.5 * holds_answer_type(question, dated_sentences[-1], sentence.language), dated_sentences[-1]
    return kind, ""
