"""Answers a question about rows: a sentence of the suite's own with the result, then the head row and rows used.

The result cites the cells that it comes from. A warning stands below it if the table is not known whole, if rows have
no value, or if the table says nothing of a word. Without a function that is surely meant, nothing is answered.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Evidence, Reference, WholeSection
from libs.contracts.structure import BlockKind
from libs.language.files import known_languages
from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions, table_sentences
from libs.language.turns.wordings import phrase_pattern, words_of
from libs.text.prompt_injection import without_injections
from services.answer.citing.drafts import BLOCK, LINE, DraftSentence, Paragraph, Quotation
from services.answer.citing.locations import location_of
from services.answer.evidence_sanitizer import sanitize_reference
from services.answer.quoting.unit_rendering import render_record, render_row
from services.answer.subquestions import ComputedAnswer
from services.answer.tables.computing import RowQuery, RowResult, compute
from services.answer.tables.conditions import comparisons_in
from services.answer.tables.planning import plan_rows
from services.answer.tables.rows import Row, Table, tables_of
from services.answer.tables.words import Question

TABLES: Final = frozenset((BlockKind.TABLE, BlockKind.RECORDS))
LONGEST: Final = 400
"""Characters of a question that is read, each phrase against each other (taste)."""
OF_ONE_ROW: Final = ("time", "amount", "other")
"""Functions that are mostly asked of a single row: `when`, `how much`, `same`."""
MOST_TABLES: Final = 3
"""Tables of the same columns that answer, such as those of several years (taste)."""
MOST_SHOWN: Final = 8
"""Rows that are shown of those used (taste)."""
MOST_NAMED: Final = 30
"""Values that the sentence names of a list (taste)."""


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
        _rendered(query, result, reference, wording)
        for query, result in results
        if (reference := _reference_of(query.table, references)) is not None
    ]
    quoted = (sentence.text for paragraph in paragraphs for sentence in paragraph if sentence.quotation is not None)
    told = (value for _, result in results for value in result.values)
    is_clean = all(without_injections(text) == text for text in (*quoted, *told))
    return TableAnswer(tuple(paragraphs), not best.doubts) if paragraphs and is_clean else TableAnswer()


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


def _rendered(query: RowQuery, result: RowResult, reference: Reference, wording: str) -> Paragraph:
    """Return the result as a paragraph, by a reference to the section of the table, in sentences of a language."""
    sentences = table_sentences(wording)
    passage = reference.evidence.passage
    rows = [query.table.rows[number] for number in result.rows[:MOST_SHOWN]]
    text = _result_text(query, result, sentences)
    computed = ComputedAnswer(text, query.function, sources=tuple(_cited(query, rows)))
    count = sentences["shown"].format(count=len(rows), total=len(query.table.rows))
    return (
        DraftSentence(f"**{location_of(passage)}**", headed_passage=passage),
        DraftSentence(text, computed=computed, gap=BLOCK),
        *(DraftSentence(warning) for warning in _warnings(query, result, sentences)),
        *_quoted(query, rows),
        *([DraftSentence(count, gap=BLOCK)] if rows else ()),
    )


def _result_text(query: RowQuery, result: RowResult, sentences: Mapping[str, str]) -> str:
    conditions = sentences["and"].join(condition.words for condition in query.conditions)
    where = sentences["where"].format(conditions=conditions) if conditions else ""
    named, further = result.values[:MOST_NAMED], len(result.values) - MOST_NAMED
    more = [sentences["more"].format(count=further)] if further > 0 else []
    value = ", ".join([*named, *more]) or sentences["none"]
    if query.function == "count" and query.reported and value != str(len(query.rows)) and not query.groups:
        value = sentences["different"].format(count=value, total=len(query.rows))  # either number may be meant
    if query.verdict and value.lower() != sentences[query.verdict]:
        value = f"{sentences[query.verdict]} ({value})"
    if not query.groups or query.function in ("plural", "difference"):
        name = "ranked" if query.place > 1 else query.function
        return sentences[name].format(
            what=_what(query, sentences), where=where, value=value, place=query.place, groups=query.groups
        )
    inner = sentences[query.function].format(what=_what(query, sentences), where="", value="").rstrip(" .:。：")
    return sentences[f"groups_{query.ranked or 'all'}"].format(
        groups=query.groups, what=inner, where=where, value=value
    )


def _what(query: RowQuery, sentences: Mapping[str, str]) -> str:
    """What the function is of, such as `Seats`."""
    if query.measured is not None:
        return query.measured.name
    if query.function in ("count", "difference"):
        return query.reported[0] if query.reported and not query.groups else sentences["rows"]
    return ", ".join(query.reported or query.keys)


def _warnings(query: RowQuery, result: RowResult, sentences: Mapping[str, str]) -> Iterator[str]:
    if query.unread:
        yield sentences["unread"].format(words=", ".join(f"“{word}”" for word in query.unread))
    if query.is_doubted:
        yield sentences["doubted"]
    if query.table.is_cut:
        yield sentences["cut"].format(total=len(query.table.rows))
    if result.skipped:
        yield sentences["skipped"].format(count=result.skipped)


def _cited(query: RowQuery, rows: Sequence[Row]) -> Iterator[CitedSpan]:
    """Yield the cells of the rows that the result is of, and those that tell the rows apart."""
    measured = [query.measured.name] if query.measured else []
    for row in rows:
        for name in dict.fromkeys([*query.keys, *measured, *query.reported]):
            if (cell := row.cells.get(name)) is not None:
                yield CitedSpan.of(0, cell.passage, cell.span)


def _quoted(query: RowQuery, rows: Sequence[Row]) -> Iterator[DraftSentence]:
    table = query.table
    names = {*query.keys, *query.reported, *(condition.column for condition in query.conditions)}
    if rows and table.header is not None:
        header = table.header
        yield _quotation(header, header.span.of(header.passage.text).strip(), BLOCK)
    for position, row in enumerate(rows):
        words = row.span.of(row.passage.text)
        is_table = table.kind is BlockKind.TABLE
        text = render_row(words) if is_table else render_record(words, lambda cell: cell.partition(":")[0] in names)
        yield _quotation(row, text, LINE if position or table.header else BLOCK)


def _quotation(row: Row, text: str, gap: str) -> DraftSentence:
    return DraftSentence(text, Quotation(Reference(0, Evidence(row.passage)), row.span), gap=gap)


def named_row(text: str, sections: Sequence[WholeSection]) -> str:
    """Return what the first column says of the only row that a text names; empty if it names none, or several."""
    labels = {row.text(table.columns[0]) for each in sections for table in tables_of(each) for row in table.rows}
    named = [label for label in labels if label and label in text]
    return named[0] if len(named) == 1 else ""


def _reference_of(table: Table, references: Sequence[Reference]) -> Reference | None:
    found = (each for each in references if each.evidence.passage.section == table.passage.section)
    return next(map(sanitize_reference, found), None)


def warn_of_rows(question: str, language: str) -> str:
    """Return what is said above rows that are quoted for a question about all: that only some are read."""
    functions = TableQuestions.of(language).functions.items()
    asks = any(phrase_pattern(phrases).search(question) for name, phrases in functions if name not in OF_ONE_ROW)
    is_of_all = asks or (len(question) <= LONGEST and bool(comparisons_in(Question.of(question, language))))
    return table_sentences(language)["partial"] if is_of_all else ""
