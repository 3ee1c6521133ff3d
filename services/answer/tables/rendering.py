"""Writes the result of a function over rows: a sentence, warnings, the head row and the rows that show it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Evidence, Reference
from libs.contracts.structure import BlockKind
from libs.language.topics.tables import table_sentences
from services.answer.citing.drafts import BLOCK, LINE, DraftSentence, Paragraph, Quotation
from services.answer.citing.locations import location_of
from services.answer.quoting.unit_rendering import render_record, render_row
from services.answer.subquestions import ComputedAnswer
from services.answer.tables.computing import RowQuery, RowResult
from services.answer.tables.rows import Row

MOST_SHOWN: Final = 8
"""Rows that are shown of those used (taste)."""
MOST_NAMED: Final = 30
"""Values that the sentence names of a list (taste)."""


def render(query: RowQuery, result: RowResult, reference: Reference, wording: str) -> Paragraph:
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
    if not query.groups or query.function == "plural":
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
    if query.function == "count":
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
                yield CitedSpan(0, cell.passage.passage_id, cell.span, cell.span.of(cell.passage.text))


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
