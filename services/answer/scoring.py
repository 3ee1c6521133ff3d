"""Score how well each sentence of the evidence answers a question.

The score combines the weight of the question's words in the sentence (rare words weigh more, names match as a whole),
whether the sentence has an answer of the wanted type, whether its document is about the question's subject, the
retrieval prior of its passage, and its position. The weights were set on labelled questions over the sample corpus
(`bench.quoted_answers`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libs.language.topics.answer_forms import AnswerForms
from libs.language.topics.function_words import FunctionWords
from libs.text.tokens import words
from services.answer.answer_types import holds_answer_type, holds_date, tells_of_intent
from services.answer.lexicon.vague_words import decisive_stems, vague_stems
from services.answer.lexicon.words import has_phrase, phrase_pattern
from services.answer.ordinals import tells_of_another
from services.answer.priors import priors_of
from services.answer.question import AnswerKind, ParsedQuestion, subject_of
from services.answer.sentences import EvidenceSentence
from services.answer.term_credits import (
    SIBLING_CREDIT,
    TIME,
    WITHIN_TITLE_CREDIT,
    ScoringQuery,
    credit,
    leans,
    own_word_credit,
    prepare_query,
)

KIND_WEIGHT = 0.45
PRIOR_WEIGHT = 0.15
LEAD_WEIGHT = 0.08
CLUTTER_WEIGHT = 0.04
OFF_SUBJECT_WEIGHT = 0.3
OFF_PREDICATE_WEIGHT = 0.1
OFF_TIME_WEIGHT = 0.6
"""Penalty for a sentence that has dates, none of which matches the question's."""
INTENT_SHARE = 0.6
"""Factor on `kind` for a sentence about what was planned, if the question asks what happened."""
OTHER_CLAUSE_SHARE = 0.6
VAGUE_WEIGHT = 0.25
NAME_WEIGHT = 1.6
TIME_WEIGHT = 3.0
CATEGORY_WEIGHT = 0.5
DECISIVE_WEIGHT = 1.5
LEAST_RARITY_OF_LONG_NAME = 2.0
LEAST_RARITY = 1.2
"""Minimum rarity: a word in nearly all of the evidence still separates relevant sentences from others."""


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
    """In [0, 1]: whether it is about the question's subject; 1 if the question names none."""
    predicate_fit: float = 1.0
    """In [0, 1]: whether it states the question's predicate (`launched`, `mass`); 1 if the question has none."""
    context: str = ""
    """The previous sentence that gives its date, if the question asks for a date and it has none itself."""


@dataclass(frozen=True, slots=True)
class _Measure:
    """What sentences are scored against; the same for all sentences."""

    query: ScoringQuery
    weights: Mapping[str, float]
    subject: str | None
    """The question's subject, if it names one."""
    predicate: tuple[str, ...]
    """What it asks about the subject: its stems except the vague ones."""
    intends: bool
    """Whether it asks what was planned to happen."""


def score_sentences(question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> list[ScoredSentence]:
    """Return all sentences, best first; ties are broken by reference number, then position."""
    query, weights = prepare_query(question, sentences), term_weights(question, sentences)
    priors = priors_of({sentence.reference.number: sentence.reference for sentence in sentences}.values())
    measure = _Measure(query, weights, subject_of(question), _predicate(question), _intends(question))
    scored_sentences = [_score(measure, sentence, priors[sentence.reference.number]) for sentence in sentences]
    return sorted(
        scored_sentences,
        key=lambda scored_sentence: (
            -scored_sentence.score,
            scored_sentence.sentence.reference.number,
            scored_sentence.sentence.span.start,
        ),
    )


def _intends(question: ParsedQuestion) -> bool:
    return tells_of_intent(question.text, question.language)


def term_weights(question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> Mapping[str, float]:
    """Return the weight of each name and stem of the question, by its rarity among the sentences; they add up to 1.

    Rarity is BM25's inverse document frequency with the sentences as documents (Robertson & Zaragoza 2009).
    """
    weights = {name: _name_weight(name, sentences) for name in question.names}
    for stem in question.stems:
        weights[stem] = _emphasis(stem, question) * _stem_rarity(stem, question, sentences)
    if question.dates:
        weights[TIME] = TIME_WEIGHT
    total = sum(weights.values())
    return {term: weight / total for term, weight in weights.items()} if total else {}


def _stem_rarity(stem: str, question: ParsedQuestion, sentences: Sequence[EvidenceSentence]) -> float:
    """Rarity of a stem; minimal for a vague word with others: `the history of Voyager` needs no word `history`."""
    vague = vague_stems(question.language)
    if stem in vague and (question.names or not vague.issuperset(question.stems)):
        return LEAST_RARITY
    return _rarity(sum(stem in sentence.stem_set for sentence in sentences), len(sentences))


def _emphasis(stem: str, question: ParsedQuestion) -> float:
    if stem in vague_stems(question.language):
        return VAGUE_WEIGHT
    if stem == question.category:
        return CATEGORY_WEIGHT
    return DECISIVE_WEIGHT if stem in decisive_stems(question.language) else 1.0


def _name_weight(name: str, sentences: Sequence[EvidenceSentence]) -> float:
    """Weight of a name; one of several words stays specific, however often it occurs in the evidence."""
    frequency = sum(has_phrase(name, sentence.text) for sentence in sentences)
    rarity = _rarity(frequency, len(sentences))
    return NAME_WEIGHT * (max(rarity, LEAST_RARITY_OF_LONG_NAME) if " " in name else rarity)


def _rarity(frequency: int, total: int) -> float:
    return max(LEAST_RARITY, math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)))


def _score(measure: _Measure, sentence: EvidenceSentence, prior: float) -> ScoredSentence:
    query, question = measure.query, measure.query.question
    credits = {term: credit(term, query, sentence) for term in measure.weights}
    coverage = sum(weight * credits[term] for term, weight in measure.weights.items())
    kind, context = _kind_and_context(measure, sentence) if coverage > 0 else (0.0, "")
    subject_fit = _subject_fit(measure, credits, sentence)
    predicate_fit = _predicate_fit(measure, credits, sentence)
    relevance = min(1.0, coverage / 0.5) * (0.3 + 0.7 * predicate_fit) * (0.4 + 0.6 * subject_fit)
    total = coverage + KIND_WEIGHT * kind * relevance + PRIOR_WEIGHT * prior
    total -= OFF_SUBJECT_WEIGHT * (1 - subject_fit) + OFF_PREDICATE_WEIGHT * (1 - predicate_fit)
    total -= OFF_TIME_WEIGHT * _off_time(credits, sentence)
    total += LEAD_WEIGHT * _lead(question, sentence) - CLUTTER_WEIGHT * _clutter(sentence)
    return ScoredSentence(sentence, total, coverage, kind, subject_fit, predicate_fit, context)


def _predicate(question: ParsedQuestion) -> tuple[str, ...]:
    return tuple(stem for stem in question.stems if stem not in vague_stems(question.language))


def _predicate_fit(measure: _Measure, credits: Mapping[str, float], sentence: EvidenceSentence) -> float:
    """Return how well the sentence states the question's predicate.

    For a date or number the sentence itself has to state it; for other answer types title and context count too.
    """
    if measure.query.question.kind in (AnswerKind.DATE, AnswerKind.NUMBER):
        return max((own_word_credit(stem, measure.query, sentence) for stem in measure.predicate), default=1.0)
    return max((credits[stem] for stem in measure.predicate), default=1.0)


def _subject_fit(measure: _Measure, credits: Mapping[str, float], sentence: EvidenceSentence) -> float:
    """Return how likely the sentence is about the question's subject and not about another one."""
    if tells_of_another(measure.query.question.text, sentence.text, sentence.language):
        return SIBLING_CREDIT
    return 1.0 if measure.subject is None else min(1.0, credits[measure.subject] / WITHIN_TITLE_CREDIT)


def _kind_and_context(measure: _Measure, sentence: EvidenceSentence) -> tuple[float, str]:
    question = measure.query.question
    language = sentence.language
    kind = _type_fit(question, sentence.text, language)
    if kind and not measure.intends and tells_of_intent(sentence.text, language):
        kind *= INTENT_SHARE
    if question.kind is AnswerKind.DATE and not kind:
        dated_sentences = [
            before
            for before in sentence.before
            if holds_date(before, language) and _shares_subject(question, sentence, before)
        ]
        if dated_sentences:
            return 0.5 * holds_answer_type(question, dated_sentences[-1], language), dated_sentences[-1]
    return kind, ""


def _type_fit(question: ParsedQuestion, text: str, language: str) -> float:
    """Return how well the sentence fits the wanted answer type.

    A date or number in a different clause from the question's subject may belong to something else: `Cassini's in 1997;
    the same had happened before the launch of Galileo`.
    """
    kind = holds_answer_type(question, text, language)
    if not kind or question.kind not in (AnswerKind.DATE, AnswerKind.NUMBER) or not question.names:
        return kind
    subject = phrase_pattern(question.names[0])
    clauses = AnswerForms.of(language).clause_boundary.split(text)
    own_clauses = [clause for clause in clauses if subject.search(clause) or _points_back(clause, language)]
    if len(clauses) == 1 or not own_clauses or not subject.search(text):
        return kind
    return max(OTHER_CLAUSE_SHARE * kind, *(holds_answer_type(question, clause, language) for clause in own_clauses))


def _points_back(clause: str, language: str) -> bool:
    return not FunctionWords.of(language).third_person_pronouns.isdisjoint(words(clause, language))


def _shares_subject(question: ParsedQuestion, sentence: EvidenceSentence, before: str) -> bool:
    """Whether the previous sentence or its document's title has one of the question's names."""
    text = f"{sentence.passage.title} {before}"
    return not question.names or any(has_phrase(name, text) for name in question.names)


def _off_time(credits: Mapping[str, float], sentence: EvidenceSentence) -> bool:
    """Whether the sentence is about a different time from the question's."""
    return TIME in credits and not credits[TIME] and holds_date(sentence.text, sentence.language)


def _lead(question: ParsedQuestion, sentence: EvidenceSentence) -> float:
    """Bonus for a sentence at the start of its document, where definitions usually are; smaller for other types."""
    if sentence.position > 600:
        return 0.0
    bonus = 1.0 if sentence.position < 120 else 0.4
    return bonus * (2.5 if question.kind is AnswerKind.DEFINITION else 0.4)


def _clutter(sentence: EvidenceSentence) -> float:
    """Penalty for a sentence that is hard to read alone: it is long, or its beginning refers to earlier text."""
    return max(0.0, (len(sentence.stems) - 18) / 18) + (1.5 if leans(sentence) else 0.0)
