"""Answers a question about rows: a sentence of the suite's own with the result, then the head row and rows used.

The result cites the cells that it comes from. A warning stands below it if the table is not known whole, if rows have
no value, or if the table says nothing of a word. Without a function that is surely meant, nothing is answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.evidence import Reference, WholeSection
from libs.contracts.structure import BlockKind
from libs.language.files import known_languages
from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions, table_sentences
from libs.language.turns.wordings import phrase_pattern, words_of
from libs.text.prompt_injection import without_injections
from services.answer.citing.drafts import Paragraph
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.tables.computing import RowQuery, compute, render
from services.answer.tables.conditions import comparisons_in
from services.answer.tables.planning import plan_rows
from services.answer.tables.rows import Table, tables_of
from services.answer.tables.words import Question

TABLES: Final = frozenset((BlockKind.TABLE, BlockKind.RECORDS))
LONGEST: Final = 400
"""Characters of a question that is read, each phrase against each other (taste)."""
OF_ONE_ROW: Final = ("time", "amount", "other")
"""Functions that are mostly asked of a single row: `when`, `how much`, `same`."""
MOST_TABLES: Final = 3
"""Tables of the same columns that answer, such as those of several years (taste)."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """Paragraphs that answer a question about rows."""

    paragraphs: tuple[Paragraph, ...] = ()
    """Empty if no function over the rows of a table is surely meant."""
    is_whole: bool = False
    """Whether all words of the question have been read in the table, so that nothing else need be quoted."""


def answer_from_tables(
    question: str, language: str, wording: str, sections: Sequence[WholeSection], references: Sequence[Reference]
) -> TableAnswer:
    """Return the answer of the tables among the references, of which each section has one, the best first.

    The question is standalone, in `language`; the sentences are in the language `wording`.
    """
    tables = [table for section in sections for table in tables_of(section)] if len(question) <= LONGEST else []
    queries = [query for table in tables if (query := _planned(question, table, language)) is not None]
    best = min(queries, key=lambda query: query.doubts, default=None)
    if best is None or (best.doubts and not _is_best(best.table, references)):
        return TableAnswer()
    alike = [q for q in queries if q.doubts == best.doubts and q.table.columns == best.table.columns]
    results = [(query, result) for query in alike[:MOST_TABLES] if (result := compute(query)) is not None]
    paragraphs = [
        render(query, result, reference, wording)
        for query, result in results
        if (reference := _reference_of(query.table, references)) is not None
    ]
    quoted = (sentence.text for paragraph in paragraphs for sentence in paragraph if sentence.quotation is not None)
    told = (value for _, result in results for value in result.values)
    is_clean = all(without_injections(text) == text for text in (*quoted, *told))
    is_whole = not (best.unread or best.is_doubted)
    return TableAnswer(tuple(paragraphs), is_whole) if paragraphs and is_clean else TableAnswer()


def _is_best(table: Table, references: Sequence[Reference]) -> bool:
    """Whether no passage of other text fits better: only then may a doubted reading stand above quotations."""
    best = min(references, key=lambda reference: reference.evidence.rank or reference.number, default=None)
    return best is not None and best.evidence.passage.section == table.passage.section


def _planned(question: str, table: Table, language: str) -> RowQuery | None:
    """The surest reading of a question: in its language, or in one of which it has no fewer little words."""
    words = words_of(question)
    little = {each: len(language_of(each).stop_words.intersection(words)) for each in known_languages()}
    others = [each for each in little if little[each] >= little.get(language, 0) and each != language]
    known = (each for each in (language, *others) if TableQuestions.of(each).functions)
    queries = [query for each in known if (query := plan_rows(question, table, each)) is not None]
    return min(queries, key=lambda query: query.doubts, default=None)


def named_row(text: str, sections: Sequence[WholeSection]) -> str:
    """Return what the first column says of the only row that a text names; empty if it names none, or several."""
    tables = [table for section in sections for table in tables_of(section)]
    labels = {row.text(table.columns[0]) for table in tables for row in table.rows}
    named = [label for label in labels if label and label in text]
    return named[0] if len(named) == 1 else ""


def _reference_of(table: Table, references: Sequence[Reference]) -> Reference | None:
    section = table.passage.section
    return next((sanitize_reference(r) for r in references if r.evidence.passage.section == section), None)


def warn_of_rows(question: str, language: str) -> str:
    """Return what is said above rows that are quoted for a question about all: that only some are read."""
    functions = TableQuestions.of(language).functions.items()
    asks = any(phrase_pattern(phrases).search(question) for name, phrases in functions if name not in OF_ONE_ROW)
    is_short = len(question) <= LONGEST
    is_of_all = asks or (is_short and bool(comparisons_in(Question.of(question, language))))
    return table_sentences(language)["partial"] if is_of_all else ""
