"""Extract a short answer to a sub-query (name, date, number, phrase), for the sub-queries that depend on it. Pure."""

from collections.abc import Sequence
from itertools import islice

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Reference
from libs.contracts.spans import Span
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from services.answer.answer_language import question_language
from services.answer.answer_types import UNSAID_CATEGORY, tells_of_intent
from services.answer.lexicon.words import phrase_pattern
from services.answer.question import ParsedQuestion, read_question
from services.answer.scoring import ScoredSentence, score_sentences
from services.answer.sentences import EvidenceSentence, read_sentences
from services.answer.short_answers import ShortAnswer, short_answers

MIN_COVERAGE = 0.4
"""Minimum coverage of the question by one sentence (two-hop questions on our samples: 0 to .5 the same; by hand)."""
MAX_READ = 8
"""How many of the best-ranked passages are read (two-hop questions over the samples: all 20 the same; taste)."""
MAX_SENTENCES = 3
"""How many of the best sentences are examined (taste)."""
MIN_SUBJECT_FIT = 0.5
"""A sentence whose title and own words lack the question's subject is about another (by hand)."""
GOOD_SHARE = 0.7
"""A sentence with this share of the best score may precede the best one if it has more of the question's names
(by hand)."""


def extract_answer(request: ExtractRequest) -> ExtractResponse:
    """Return the evidence's short answer with its source and confidence; an empty response if there is none."""
    evidence = request.evidence[:MAX_READ]
    language = question_language(request.question, [item.passage for item in evidence])
    question = read_question(request.question, language)
    references = tuple(Reference(number, item) for number, item in enumerate(evidence, start=1))
    ranking = score_sentences(question, read_sentences(references))
    if max((scored_sentence.coverage for scored_sentence in ranking), default=0.0) < MIN_COVERAGE:
        return ExtractResponse()
    ordered = _with_most_names(question, ranking)
    candidates = (item for item in ordered if item.predicate_fit and item.subject_fit >= MIN_SUBJECT_FIT)
    for scored_sentence in islice(candidates, MAX_SENTENCES):
        sentence = _dated_sentence(scored_sentence, ranking)
        candidate = next(short_answers(question, sentence), None)
        if candidate is not None:
            confidence = candidate.certainty * min(1.0, scored_sentence.coverage + 0.2)  # by hand
            return ExtractResponse(candidate.text, _source(candidate, sentence), round(confidence, 4))  # digits: taste
    return ExtractResponse()


def _dated_sentence(scored_sentence: ScoredSentence, ranking: Sequence[ScoredSentence]) -> EvidenceSentence:
    """Return the sentence itself, or the previous one that gives its date."""
    passage = scored_sentence.sentence.passage
    before = (
        other.sentence
        for other in ranking
        if scored_sentence.context and other.sentence.text == scored_sentence.context
    )
    return next(
        (other for other in before if other.passage.document_id == passage.document_id), scored_sentence.sentence
    )


def _with_most_names(question: ParsedQuestion, ranking: Sequence[ScoredSentence]) -> Sequence[ScoredSentence]:
    """Reorder the best sentences so that those with more of the question's names come first.

    Names in the title count. A sentence that fits the answer type less well than the best one never precedes it.
    """
    best = ranking[0] if ranking else None
    least_kind = min(best.kind, UNSAID_CATEGORY) if best and question.category else best.kind if best else 0.0
    candidates = [
        candidate
        for candidate in ranking
        if best and candidate.score >= GOOD_SHARE * best.score and candidate.kind >= least_kind
    ]

    def unfitness(scored_sentence: ScoredSentence) -> tuple[bool, int, int, float]:
        sentence = scored_sentence.sentence
        return (
            _is_intent(sentence, question),
            -_count_names(question, sentence),
            -_count_stems(question, sentence),
            -scored_sentence.kind,
        )

    candidates_by_fit = sorted(candidates, key=unfitness)
    return [*candidates_by_fit, *(candidate for candidate in ranking if candidate not in candidates)]


def _count_stems(question: ParsedQuestion, sentence: EvidenceSentence) -> int:
    """For `which probe flew past three times`: count the question's stems, except `probe`, in the sentence itself."""
    return len((set(question.stems) - {question.category}) & sentence.stem_set) if question.category else 0


def _is_intent(sentence: EvidenceSentence, question: ParsedQuestion) -> bool:
    """Whether a sentence states what was planned, while the question asks what happened."""
    asks_intent = tells_of_intent(question.text, question.language)
    return not asks_intent and tells_of_intent(sentence.text, sentence.language)


def _count_names(question: ParsedQuestion, sentence: EvidenceSentence) -> int:
    text = f"{sentence.passage.title}\n{sentence.text}"
    return sum(phrase_pattern(name).search(text) is not None for name in question.names)


def _source(candidate: ShortAnswer, sentence: EvidenceSentence) -> CitedSpan:
    """Return the source span: the answer's own words if they can be located exactly, else the whole sentence.

    The passage may have more white space than the sentence, so the words never start earlier in the passage.
    """
    passage, span = sentence.passage, sentence.span
    if candidate.start is not None:
        start = passage.text.find(candidate.text, span.start + candidate.start, span.end)
        if start >= 0:
            span = Span(start, start + len(candidate.text))
    return CitedSpan(0, passage.passage_id, span, span.of(passage.text))
