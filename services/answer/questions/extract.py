"""Extract a short answer to a sub-query (a name, date or number), for the sub-queries that depend on it. Pure.

It is a value of the type asked for, in one of the units that an answer would quote: the one whose unit, and whose
clause of it, tell most of the question.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Reference
from libs.contracts.spans import Span
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from services.answer.answer_language import question_language
from services.answer.questions.question import AnswerKind, read_question
from services.answer.questions.short_answers import UnitReading
from services.answer.quoting.terms import QuotingQuery, terms_of_question, with_language
from services.answer.quoting.unit_selection import score_units
from services.answer.quoting.units import Unit, read_units
from services.answer.subquestions import SubQuestion

MAX_READ: Final = 8
"""How many of the best-ranked passages are read (taste)."""
MAX_UNITS: Final = 15
"""How many of the best units are examined (25: no hop more, and more wrong answers)."""


def extract_answer(request: ExtractRequest) -> ExtractResponse:
    """Return the evidence's short answer with its source and confidence; an empty response if there is none."""
    evidence = request.evidence[:MAX_READ]
    language = question_language(request.question, [item.passage for item in evidence])
    question = read_question(request.question, language)
    references = with_language([Reference(number, item) for number, item in enumerate(evidence, start=1)], language)
    query = QuotingQuery(request.question, language, terms_of_question(SubQuestion(request.question, references)))
    passages = [read_units(reference) for reference in references]
    units = score_units(query, passages)[:MAX_UNITS]
    readings = [_with_date(UnitReading(question, unit), passages) for unit in units]
    answers = [(*answer, reading) for reading in readings if reading.is_candidate for answer in reading.answers()]
    if not answers:
        return ExtractResponse()
    _, value, reading = max(answers, key=lambda answer: answer[0])
    passage = reading.unit.passage
    span = Span(reading.start + value.start, reading.start + value.end)
    source = CitedSpan.of(0, passage, span)
    return ExtractResponse(value.of(reading.text), source, reading.confidence)


def _with_date(reading: UnitReading, passages: Sequence[Sequence[Unit]]) -> UnitReading:
    """Return the reading with the unit before it in its paragraph, if the unit itself does not tell when."""
    if reading.question.kind is not AnswerKind.DATE or next(reading.answers(), None):
        return reading
    unit = reading.unit
    before = next((each for units in passages for each, after in pairwise(units) if after is unit), None)
    return replace(reading, before=before) if before and before.block == unit.block else reading
