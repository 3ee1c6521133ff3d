"""The rules engine: quotes the best supported sentences of the evidence, one paragraph a sub-question.

The first sentence of a paragraph answers; those after it add to it. Each is whole and stands in the answer as it stands
in its passage; what says nearly the same stands once. What the evidence doesn't hold is said, not filled in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.answer.abstention.support import judge_support
from services.answer.drafts import Draft, DraftSentence
from services.answer.question import read_question
from services.answer.requests import Length, WriteRequest
from services.answer.scoring import score_sentences
from services.answer.selection import choose_sentences, repeats
from services.answer.sentences import EvidenceSentence, read_sentences
from services.answer.subquestions import SubQuestion, sub_questions
from services.answer.writing import wording
from services.vocabulary.answers import CitedSpan

ALWAYS = 2.0
"""A threshold that no score reaches."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A sub-question with what its evidence gave."""

    question: str
    abstain_score: float = 0.0
    missing: tuple[str, ...] = ()
    sentences: tuple[DraftSentence, ...] = ()
    searched: bool = True
    told_before: bool = False
    """Its best sentence stands in an earlier paragraph already."""

    def is_gap(self, threshold: float) -> bool:
        """Whether its evidence holds no answer."""
        nothing = not self.sentences and not self.told_before
        return self.searched and (nothing or self.abstain_score >= threshold)


def draft_answer(request: WriteRequest, length: Length, threshold: float) -> Draft:
    """Quote an answer, or say that there is none.

    Args:
        request: the question, its plan, the references.
        length: how much a paragraph says, in words and in sources (`services.answer.selection`).
        threshold: the abstain score in [0, 1] from which on nothing is written, unless the request says so.
    """
    told: list[EvidenceSentence] = []
    paragraphs = [_paragraph(sub, length, told) for sub in sub_questions(request)]
    searched = [paragraph for paragraph in paragraphs if paragraph.searched]
    score = min((paragraph.abstain_score for paragraph in searched), default=0.0)
    bar = ALWAYS if request.never_abstain else threshold
    gaps = [paragraph for paragraph in searched if paragraph.is_gap(bar)]
    if searched and len(gaps) == len(searched):
        return _abstention(request, gaps, max(score, min(threshold, 1.0)) if not request.never_abstain else score)
    quoted = [paragraph.sentences for paragraph in searched if paragraph.sentences and paragraph not in gaps]
    computed = [paragraph.sentences for paragraph in paragraphs if not paragraph.searched and paragraph.sentences]
    uncomputed = [paragraph.question for paragraph in paragraphs if not paragraph.searched and not paragraph.sentences]
    missing = [*(wording.gap(gap.question) for gap in gaps), *map(wording.uncomputed, uncomputed)]
    return Draft(
        computed=tuple(computed),
        quoted=tuple(quoted),
        said=tuple((DraftSentence(text),) for text in missing),
        abstains=bool(searched) and all(paragraph.is_gap(threshold) for paragraph in searched),
        abstain_score=score,
        gaps=(*(gap.question for gap in gaps), *uncomputed),
    )


def _abstention(request: WriteRequest, gaps: Sequence[_Paragraph], score: float) -> Draft:
    missing = tuple(dict.fromkeys(word for gap in gaps for word in gap.missing))
    text = wording.nothing_found(missing, bool(request.references))
    questions = tuple(gap.question for gap in gaps)
    return Draft(said=((DraftSentence(text),),), abstained=True, abstains=True, abstain_score=score, gaps=questions)


def _paragraph(sub: SubQuestion, length: Length, told: list[EvidenceSentence]) -> _Paragraph:
    """One sub-question's paragraph; adds what it tells to `told`."""
    if sub.uncomputed:
        return _Paragraph(sub.text, searched=False)
    if sub.computed is not None:
        text = wording.computed(sub.text, sub.computed.answer, sub.computed.given)
        return _Paragraph(sub.text, sentences=(DraftSentence(text, computed=sub.computed),), searched=False)
    question = read_question(sub.text)
    ranked = score_sentences(question, read_sentences(sub.references))
    support = judge_support(question, ranked, sub.references)
    built_on = [scored for scored in ranked if sub.source and _holds(scored.sentence, sub.source)]
    ranked = built_on or ranked
    told_before = bool(ranked) and repeats(ranked[0].sentence, told)
    chosen = choose_sentences(question, ranked, length, told)
    told.extend(scored.sentence for scored in chosen)
    sentences = tuple(DraftSentence(scored.sentence.text, scored.sentence) for scored in chosen)
    return _Paragraph(sub.text, support.abstain_score, support.missing, sentences, told_before=told_before)


def _holds(sentence: EvidenceSentence, span: CitedSpan) -> bool:
    """Whether a span of the same passage lies within a sentence."""
    within = sentence.span.start <= span.span.start and span.span.end <= sentence.span.end
    return within and sentence.passage.passage_id == span.passage_id
