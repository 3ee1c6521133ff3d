"""The rules engine: quotes the best supported sentences of the evidence, one paragraph a sub-question.

The first sentence of a paragraph answers; those after it add to it. Each is whole and stands in the answer as it stands
in its passage; what says nearly the same stands once. What the evidence doesn't hold is said, not filled in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.answer.abstain import judge_support
from services.answer.drafts import Draft, DraftSentence
from services.answer.question import AnswerKind, Question, read_question
from services.answer.requests import Length, WriteRequest
from services.answer.scoring import ScoredSentence, leans, score_sentences
from services.answer.sentences import EvidenceSentence, read_sentences
from services.answer.subquestions import SubQuestion, sub_questions
from services.answer.writing import wording
from services.vocabulary.answers import CitedSpan

SENTENCES = {Length.SHORT: 1, Length.MEDIUM: 3, Length.LONG: 4}
SHARE_OF_BEST = 0.62
"""A further sentence scores at least this share of the first one."""
LEAST_COVERAGE = 0.4
LEAST_ABOUT = 0.75
SAME_WORDS = 0.65
"""Two sentences with this share of content stems in common (of the shorter one's) say the same."""
FOLLOWING_BONUS = 0.12
TELLING_BONUS = 0.3
TELLS = 0.5
"""From this kind score on, a sentence holds an answer of the wanted kind."""
ALWAYS = 2.0
"""A threshold that no score reaches."""
PRECISE_LIMIT = 2
PRECISE = (AnswerKind.DATE, AnswerKind.NUMBER, AnswerKind.PLACE, AnswerKind.PERSON)


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
        length: how many sentences a paragraph has at most: 1, 3 or 4.
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
    computed = [paragraph.sentences for paragraph in paragraphs if not paragraph.searched]
    missing = [(DraftSentence(wording.gap(paragraph.question)),) for paragraph in gaps]
    return Draft(
        computed=tuple(computed),
        quoted=tuple(quoted),
        said=tuple(missing),
        abstains=bool(searched) and all(paragraph.is_gap(threshold) for paragraph in searched),
        abstain_score=score,
        gaps=tuple(gap.question for gap in gaps),
    )


def _abstention(request: WriteRequest, gaps: Sequence[_Paragraph], score: float) -> Draft:
    missing = tuple(dict.fromkeys(word for gap in gaps for word in gap.missing))
    text = wording.nothing_found(missing, bool(request.references))
    questions = tuple(gap.question for gap in gaps)
    return Draft(said=((DraftSentence(text),),), abstained=True, abstains=True, abstain_score=score, gaps=questions)


def _paragraph(sub: SubQuestion, length: Length, told: list[EvidenceSentence]) -> _Paragraph:
    """One sub-question's paragraph; adds what it tells to `told`."""
    if sub.computed is not None:
        text = wording.computed(sub.text, sub.computed.answer, sub.computed.given)
        return _Paragraph(sub.text, sentences=(DraftSentence(text, computed=sub.computed),), searched=False)
    question = read_question(sub.text)
    ranked = score_sentences(question, read_sentences(sub.references))
    support = judge_support(question, ranked, sub.references)
    built_on = [scored for scored in ranked if sub.source and _holds(scored.sentence, sub.source)]
    ranked = built_on or ranked
    told_before = bool(ranked) and _repeats(ranked[0].sentence, told)
    chosen = choose_sentences(question, ranked, SENTENCES[length], told)
    told.extend(scored.sentence for scored in chosen)
    sentences = tuple(DraftSentence(scored.sentence.text, scored.sentence) for scored in chosen)
    return _Paragraph(sub.text, support.abstain_score, support.missing, sentences, told_before=told_before)


def choose_sentences(
    question: Question, ranked: Sequence[ScoredSentence], limit: int, told: Sequence[EvidenceSentence] = ()
) -> list[ScoredSentence]:
    """The sentences of a paragraph in reading order: the one that answers first, then those that add to it.

    Args:
        question: what the paragraph answers.
        ranked: all sentences of its evidence, the best first.
        limit: greatest number of sentences; a date's own sentence before the answering one does not count.
        told: what the answer has said already.
    """
    fresh = [scored for scored in ranked if not _repeats(scored.sentence, told)]
    if not fresh:
        return []
    first = fresh[0]
    chosen = [first]
    most = min(limit, PRECISE_LIMIT) if question.kind in PRECISE and limit < SENTENCES[Length.LONG] else limit
    for scored in sorted(fresh[1:], key=lambda s: -(s.score + _bonus(question, first, s))):
        if len(chosen) < most and _adds(question, scored, first, chosen):
            chosen.append(scored)
    opening = _date_before(first, ranked)
    rest = [scored for scored in chosen[1:] if opening is None or scored.sentence != opening.sentence]
    return [*([opening] if opening else []), first, *sorted(rest, key=lambda s: _reading_order(s, first))]


def _bonus(question: Question, first: ScoredSentence, scored: ScoredSentence) -> float:
    """What goes on from the first sentence comes earlier; so does the exact date or number that it does not tell."""
    following = FOLLOWING_BONUS if _follows(first, scored) else 0.0
    wanted = question.kind in PRECISE and scored.kind > first.kind and scored.kind >= TELLS
    return following + (TELLING_BONUS if wanted else 0.0)


def _follows(first: ScoredSentence, scored: ScoredSentence) -> bool:
    same = first.sentence.passage.document_id == scored.sentence.passage.document_id
    return same and first.sentence.text in scored.sentence.before


def _adds(question: Question, scored: ScoredSentence, first: ScoredSentence, chosen: Sequence[ScoredSentence]) -> bool:
    """Whether a further sentence is good enough beside the first one, new, and readable where it will stand."""
    bonus = _bonus(question, first, scored)
    good = scored.score + bonus >= SHARE_OF_BEST * first.score and scored.coverage >= LEAST_COVERAGE
    good = good and scored.about >= min(LEAST_ABOUT, first.about)
    useful = question.kind not in PRECISE or scored.kind >= TELLS or _follows(first, scored)
    readable = bonus > 0 or not leans(scored.sentence.text)
    return good and useful and readable and not _repeats(scored.sentence, [other.sentence for other in chosen])


def _repeats(sentence: EvidenceSentence, told: Iterable[EvidenceSentence]) -> bool:
    """Whether something that was told says nearly the same words."""
    for other in told:
        common = len(sentence.stem_set & other.stem_set)
        if common >= SAME_WORDS * max(1, min(len(sentence.stem_set), len(other.stem_set))):
            return True
    return False


def _holds(sentence: EvidenceSentence, span: CitedSpan) -> bool:
    """Whether a span of the same passage lies within a sentence."""
    within = sentence.span.start <= span.span.start and span.span.end <= sentence.span.end
    return within and sentence.passage.passage_id == span.passage_id


def _date_before(first: ScoredSentence, ranked: Sequence[ScoredSentence]) -> ScoredSentence | None:
    """The sentence that tells the first one's date."""
    same = (s for s in ranked if s.sentence.passage.document_id == first.sentence.passage.document_id)
    return next((s for s in same if first.context and s.sentence.text == first.context), None)


def _reading_order(scored: ScoredSentence, first: ScoredSentence) -> tuple[bool, str, int]:
    passage = scored.sentence.passage
    elsewhere = passage.document_id != first.sentence.passage.document_id
    return elsewhere, f"{scored.sentence.reference.number:04d}" if elsewhere else "", scored.sentence.position
