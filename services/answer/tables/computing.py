"""Computes a function over rows, exactly, in decimal numbers, and writes its result. Pure.

A result is a sentence, warnings, the head row and the rows that show it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeVar

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Evidence, Reference
from libs.contracts.structure import BlockKind
from libs.language.topics.tables import table_sentences
from services.answer.citing.drafts import BLOCK, LINE, DraftSentence, Paragraph, Quotation
from services.answer.citing.locations import location_of
from services.answer.quoting.unit_rendering import render_record, render_row
from services.answer.subquestions import ComputedAnswer
from services.answer.tables.conditions import Condition
from services.answer.tables.rows import Row, Table
from services.answer.tables.values import Column

EXTREMES: Final = ("highest", "lowest", "latest", "earliest")
_T = TypeVar("_T")
MOST_SHOWN: Final = 8
"""Rows that are shown of those used (taste)."""
MOST_NAMED: Final = 30
"""Values that the sentence names of a list (taste)."""


@dataclass(frozen=True, slots=True)
class RowQuery:
    """A function over the rows that meet all conditions, as a question asks for it."""

    function: str
    """`list`, `count`, `total`, `average`, `share` of all rows, `difference` of two, `plural` (what several rows have),
    or one of EXTREMES."""
    table: Table
    rows: Sequence[int]
    keys: Sequence[str]
    """The columns that tell the rows apart."""
    conditions: Sequence[Condition] = ()
    measured: Column | None = None
    reported: Sequence[str] = ()
    """Further columns that are asked for; of `count` the one whose different cells are counted."""
    groups: str = ""
    """The column whose equal cells make a group, of each of which the function is taken."""
    ranked: str = ""
    """`highest` or `lowest`: which groups are told; empty for all."""
    limit: int = 1
    """How many rows or groups an extreme is wanted of."""
    place: int = 1
    """Which place in the order an extreme is of: 2 for `second oldest`."""
    is_doubted: bool = False
    """Whether something else may have been asked."""
    unread: Sequence[str] = ()
    """Words of the question that say nothing of this table."""

    @property
    def doubts(self) -> int:
        """How much is not sure: words that are not read, and whether something else may have been asked."""
        return len(self.unread) + self.is_doubted

    def value(self, row: int) -> Decimal | None:
        """The number of a row that is measured: of a time its first day, or its last for the latest."""
        bounds = self.measured.values[row] if self.measured is not None else None
        return bounds[self.function == "latest"] if bounds is not None else None


@dataclass(frozen=True, slots=True)
class RowResult:
    """What a function over rows gives."""

    values: Sequence[str]
    """In words; several of a list, and of rows or groups that are equal or asked for together."""
    rows: Sequence[int]
    skipped: int = 0
    """How many rows have no value for it."""


def compute(query: RowQuery) -> RowResult | None:
    """Return the result of a function; None if no row has a value for it."""
    rows = [row for row in query.rows if query.measured is None or query.value(row) is not None]
    if query.function == "list":
        return RowResult(list(dict.fromkeys(_told(query, row) for row in rows)), rows)
    skipped = len(query.rows) - len(rows)
    if not rows and query.function != "count":
        return None
    if query.groups:
        names, rows = _groups(query, rows)
        return RowResult(names, rows, skipped)
    if query.function in EXTREMES:
        best = _extreme_rows(query, rows)
        return RowResult([_told(query, row) for row in best], best, skipped)
    if query.function == "share":
        share = round(Decimal(100 * len(rows)) / len(query.table.rows), 1).normalize()
        return RowResult([f"{share:f} % ({len(rows)} / {len(query.table.rows)})"], rows)
    return RowResult([_in_words(query, rows)], rows, skipped)


def _extreme_rows(query: RowQuery, rows: Sequence[int]) -> list[int]:
    """The rows of the highest or lowest values, or of one place in their order."""
    is_upward = query.function in ("highest", "latest")
    best = _best(rows, lambda row: query.value(row) or Decimal(), is_upward, max(query.limit, query.place))
    return [row for row in best if query.place == 1 or query.value(row) == query.value(best[-1])]


def _groups(query: RowQuery, rows: Sequence[int]) -> tuple[Sequence[str], list[int]]:
    """The names and values of the groups that are told, and their rows."""
    groups: dict[str, list[int]] = {}
    for row in rows:
        if name := query.table.rows[row].text(query.groups):
            groups.setdefault(name, []).append(row)
    if query.function == "plural":
        several = {name: members for name, members in groups.items() if len(members) > 1}
        told = [f"{name} ({', '.join(_told(query, row) for row in members)})" for name, members in several.items()]
        return told, [row for members in several.values() for row in members]
    names: Sequence[str] = list(groups)
    if query.ranked and groups:
        names = _best(names, lambda name: _amount(query, groups[name]), query.ranked == "highest", query.limit)
    told = [f"{name} ({_in_words(query, groups[name])})" for name in names]
    return told, [row for name in names for row in groups[name]]


def _best(items: Sequence[_T], value: Callable[[_T], Decimal], upward: bool, limit: int) -> list[_T]:
    """The items of the highest or lowest values, also those equal to the last of them, best first."""
    ordered = sorted(items, key=value, reverse=upward)
    last = value(ordered[min(limit, len(ordered)) - 1])
    return [item for item in ordered if value(item) == last or (value(item) > last) == upward]


def _amount(query: RowQuery, rows: Sequence[int]) -> Decimal:
    if query.function == "count":
        column = query.reported[0] if query.reported and not query.groups else ""
        return Decimal(len({cell for row in rows if (cell := query.table.rows[row].text(column))} if column else rows))
    values = [value for row in rows if (value := query.value(row)) is not None]
    if query.function == "difference":
        return max(values) - min(values)
    return sum(values, Decimal()) / (len(values) if query.function == "average" else 1)


def _in_words(query: RowQuery, rows: Sequence[int]) -> str:
    amount = _amount(query, rows)
    return str(amount) if query.measured is None else _written(amount, query.measured)


def _told(query: RowQuery, row: int) -> str:
    """What is told of a row: the cell that tells it apart, and those that are asked for in brackets."""
    asked = [*([query.measured.name] if query.measured else []), *query.reported]
    is_named = query.measured is not None or not query.reported or len(query.rows) > 1
    keys = query.keys if is_named else asked[:1]
    shown = [
        [query.table.rows[row].text(name) or "–" for name in names]
        for names in (keys, (name for name in dict.fromkeys(asked) if name not in keys))
    ]
    first, others = ", ".join(shown[0]), "; ".join(shown[1])
    return f"{first} ({others})" if others else first


def _written(value: Decimal, column: Column) -> str:
    """A number as the cells of its column are written, with at most two more decimals."""
    exponents = [bounds[0].as_tuple().exponent for bounds in column.values if bounds is not None]
    decimals = max((-exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    whole, _, fraction = f"{round(value, max(decimals, 0) + 2):,f}".partition(".")
    fraction = fraction[: max(decimals, 0)] + fraction[max(decimals, 0) :].rstrip("0")
    before, after = column.affix
    return f"{before}{whole.replace(',', column.thousands)}{column.mark if fraction else ''}{fraction}{after}"


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
