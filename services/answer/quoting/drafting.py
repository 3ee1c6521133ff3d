"""The rules engine: draft an answer from quotations, or abstain.

Each sub-question of the plan gets an equal share of the words. Above quotations that may be no answer stands that they
are the nearest passages. If next to nothing of the question was found, the draft abstains, and shows less of them.

Sentences of the suite's own, not quoted, say in the question's language that there is no answer, or what is missing.
Pure functions; a draft takes a core for some milliseconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from libs.contracts.evidence import Section
from libs.contracts.options import Length
from libs.contracts.stages.answer import WriteRequest
from libs.language.known import language_of
from services.answer.answer_language import answer_language, question_language
from services.answer.citing.drafts import BLOCK, AnswerDraft, DraftSentence, Paragraph
from services.answer.quoting.composing import compose
from services.answer.quoting.doubt import DOUBTED, doubt_of
from services.answer.quoting.marking import marked
from services.answer.quoting.terms import QuotingQuery, terms_of_question, with_language
from services.answer.quoting.unit_selection import PASSAGES, WORDS, ScoredUnit, choose_units, score_units
from services.answer.quoting.unit_times import PASSAGES_IN_TIME, TimeFit, of_time, wanted_time
from services.answer.quoting.units import Unit, read_units
from services.answer.reshaping import latest_answer
from services.answer.subquestions import ComputedAnswer, SubQuestion, sub_questions
from services.answer.tables.answering import TABLES, TableAnswer, answer_from_tables, named_row, warn_of_rows


def _message(name: str, language: str, question: str = "") -> str:
    """A message of the suite's own, such as `answer_gap`; empty in a language without it."""
    return language_of(language).phrases.get(name, "").format(question=_without_punctuation(question))


def _without_punctuation(question: str) -> str:
    return " ".join(question.split()).rstrip("?!.？。 ")


MIN_WORDS: Final = 40
"""Minimum words for each part of an answer in several parts (taste)."""
NEAREST_WORDS: Final = 60
"""Words of the nearest quotations if there is no answer (taste)."""
ENTRIES: Final = 4.0
"""Factor for the words of an answer that lists what is dated in a range: with 2 it leaves out entries of a week, with 3
of a quarter."""
ALWAYS: Final = 2.0
"""A threshold that no doubt, which is at most 1, reaches."""


@dataclass(frozen=True, slots=True)
class _DraftPart:
    """A sub-question with its scored units and doubt."""

    sub_question: SubQuestion
    scored_units: Sequence[ScoredUnit]
    passages: Sequence[Sequence[Unit]]
    query: QuotingQuery
    doubt: float
    """In [0, 1]: confidence that the evidence has no answer."""
    in_time: bool = False
    """Whether the question asks for a time, and the units are of it."""
    table: TableAnswer = field(default_factory=TableAnswer)
    """The answer that whole tables give."""

    @property
    def is_doubted(self) -> bool:
        """Whether what is quoted may be no answer."""
        return self.doubt >= DOUBTED

    def paragraphs(self, words: int, wording: str) -> tuple[Paragraph, ...]:
        """Return the quotations, in about `words` words; more for a time, which may have many entries.

        `wording` is the language of what is not quoted, ISO 639-1.
        """
        if not self.scored_units or (self.table.paragraphs and self.is_doubted):
            return ()
        selection = choose_units(self.scored_units, round(words * ENTRIES) if self.in_time else words)
        more = "" if self.in_time else language_of(wording).phrases.get("answer_more", "")
        answer = None if self.is_doubted else marked(self.query, self.scored_units, selection, self.doubt)
        return compose(selection, self.passages, answer=answer, more=more)


def draft_answer(request: WriteRequest, length: Length, threshold: float) -> AnswerDraft:
    """Draft an answer from quotations, or abstain from a doubt of `threshold` in [0, 1] on if the request allows it."""
    language = question_language(request.question, [each.evidence.passage for each in request.references])
    wording = answer_language(request)
    questions = _questions(replace(request, references=with_language(request.references, language)), language)
    parts = [
        _read_part(sub_question, request, language)
        for sub_question in questions
        if sub_question.computed is None and not sub_question.uncomputed
    ]
    quoted = [part for part in parts if not part.table.paragraphs]
    least = ALWAYS if request.never_abstain else threshold
    gaps = [part for part in quoted if not part.scored_units or part.doubt >= least]
    uncomputed = [sub_question.text for sub_question in questions if sub_question.uncomputed]
    score = min((part.doubt for part in parts), default=0.0)
    if parts and len(gaps) == len(parts):
        return _abstention(request, gaps, wording, score)
    answered_parts = [part for part in parts if part not in gaps]
    unsure = [part for part in answered_parts if part in quoted]
    is_doubted = bool(unsure) and all(part.is_doubted for part in unsure)
    words = max(MIN_WORDS, WORDS[length] // max(1, len(parts)))
    of_tables = [paragraph for part in parts for paragraph in part.table.paragraphs]
    quotations = [paragraph for part in answered_parts for paragraph in part.paragraphs(words, wording)]
    return AnswerDraft(
        computed=tuple(
            _computed_paragraph(sub_question.text, sub_question.computed)
            for sub_question in questions
            if sub_question.computed is not None
        )
        + tuple(of_tables),
        caution=_single_sentences([_message("answer_doubted", wording)] if is_doubted else _partial(unsure, wording)),
        quotations=_each_once(quotations, of_tables),
        gap_messages=_single_sentences(_message("answer_gap", wording, part.sub_question.text) for part in gaps),
        uncomputed_messages=_single_sentences(_message("answer_uncomputed", wording, text) for text in uncomputed),
        abstains=bool(parts) and all(part.doubt >= threshold for part in parts),
        abstain_score=score,
        gaps=tuple(part.sub_question.text for part in gaps),
        uncomputed=tuple(uncomputed),
    )


def _questions(request: WriteRequest, language: str) -> Sequence[SubQuestion]:
    """The plan's questions; the whole one if a table answers it, and the plan took it for a comparison of two things.

    Such as `Which rooms have more than 20 seats?`
    """
    questions, whole = sub_questions(request), SubQuestion(request.question, request.references)
    is_compared = any(question.computed or question.uncomputed for question in questions)
    return (whole,) if is_compared and _of_tables(whole, request, language).is_whole else questions


def _of_tables(part: SubQuestion, request: WriteRequest, language: str) -> TableAnswer:
    """Return the answer of the tables, for a follow-up also with the row that the latest answer is about."""
    wording = answer_language(request)
    answer = answer_from_tables(part.text, language, wording, request.tables, part.references)
    row = named_row(latest_answer(request), request.tables) if request.follows_up and not answer.paragraphs else ""
    if not row:
        return answer
    text = f"{part.text.rstrip('?!. ')} {row}?"
    return answer_from_tables(text, language, wording, request.tables, part.references)


def _partial(parts: Sequence[_DraftPart], wording: str) -> Sequence[str]:
    """What is said above rows that are quoted for a question about all rows: that only some have been read."""
    return [warn_of_rows(part.sub_question.text, wording) for part in parts if part.scored_units[0].unit.kind in TABLES]


def _read_part(sub_question: SubQuestion, request: WriteRequest, language: str) -> _DraftPart:
    table, wanted = _of_tables(sub_question, request, language), wanted_time(request, language)
    terms = terms_of_question(sub_question)
    query = QuotingQuery(sub_question.text, language, terms, sub_question.search is not None, request.follows_up)
    if table.is_whole:
        return _DraftPart(sub_question, (), (), query, 0.0, table=table)
    references = sorted(sub_question.references, key=lambda reference: reference.evidence.rank or reference.number)
    count = PASSAGES if wanted is None else PASSAGES_IN_TIME
    passages = [read_units(reference) for reference in references[:count]]
    scored_units = score_units(query, passages)
    if not scored_units:
        return _DraftPart(sub_question, (), passages, query, 1.0, table=table)
    units = [unit for passage in passages for unit in passage]
    fit, best = None, references[0].evidence.scores
    if wanted is not None:
        fit, scored_units = of_time(scored_units, passages, wanted)
        units, best = [each.unit for each in scored_units], scored_units[0].unit.reference.evidence.scores
    doubt = 1.0 if fit is TimeFit.OTHER else doubt_of(query, best, units, fit is TimeFit.WANTED)
    return _DraftPart(sub_question, scored_units, passages, query, doubt, fit is TimeFit.WANTED, table)


def _abstention(request: WriteRequest, gaps: Sequence[_DraftPart], wording: str, score: float) -> AnswerDraft:
    words = NEAREST_WORDS // len(gaps)
    nearest = _each_once([paragraph for part in gaps for paragraph in part.paragraphs(words, wording)])
    return AnswerDraft(
        gap_messages=_single_sentences([_message("answer_nearest" if nearest else "answer_nothing", wording)]),
        nearest=nearest,
        abstained=True,
        abstains=True,
        abstain_score=score,
        gaps=tuple(part.sub_question.text for part in gaps),
    )


def _single_sentences(texts: Iterable[str]) -> tuple[Paragraph, ...]:
    """Return a paragraph per text, skipping empty texts: some languages have no wording for a message."""
    return tuple((DraftSentence(text),) for text in texts if text)


def _computed_paragraph(question: str, computed: ComputedAnswer) -> Paragraph:
    """A sentence for an answer that is computed from others, with the values it is based on."""
    text = _without_punctuation(question)
    values = f" ({'; '.join(computed.values)})" if computed.values else ""
    sentence = f"{text[:1].upper()}{text[1:]}: {computed.answer.rstrip('.')}{values}."
    return (DraftSentence(sentence, computed=computed),)


def _each_once(paragraphs: Sequence[Paragraph], above: Sequence[Paragraph] = ()) -> tuple[Paragraph, ...]:
    """Drop quotations that stand above already, and merge consecutive paragraphs of one section."""
    rows = (each for each in chain(*above) if each.quotation is not None and "\n" not in each.text)  # heads come again
    places = set(map(_place, rows))
    merged_paragraphs: list[Paragraph] = []
    for heading, *sentences in paragraphs:
        new_sentences = [sentence for sentence in sentences if _place(sentence) not in places]
        places.update(map(_place, new_sentences))
        if not new_sentences:
            continue
        opening = [replace(new_sentences[0], gap=BLOCK), *new_sentences[1:]]
        if merged_paragraphs and _section(merged_paragraphs[-1][0]) == _section(heading):
            merged_paragraphs[-1] = (*merged_paragraphs[-1], *opening)
        else:
            merged_paragraphs.append((heading, *opening))
    return tuple(merged_paragraphs)


def _section(heading: DraftSentence) -> Section | None:
    return heading.headed_passage.section if heading.headed_passage else None


def _place(sentence: DraftSentence) -> tuple[str, int, int]:
    assert sentence.quotation is not None
    return sentence.quotation.place
