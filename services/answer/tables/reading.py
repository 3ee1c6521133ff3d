"""Reads a question against a table: conditions on its cells, columns that it names, phrases for functions. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from libs.language.known import language_of
from libs.language.topics.numbers import Numbers
from libs.language.topics.tables import TableQuestions, table_sentences
from libs.text.numbers.finder import find_numbers
from services.answer.tables.conditions import Condition, comparisons_in, dates_in, numbers_beside, on_column
from services.answer.tables.mentions import CellMention, ColumnMention, cell_mentions, column_mentions, name_mentions
from services.answer.tables.rows import Row, Table
from services.answer.tables.values import Column, Kind, read_column
from services.answer.tables.words import Question, keys_of, parted

MOST_RANKED: Final = 20
"""Rows or groups that an extreme is taken of (taste)."""
_NEAR: Final = 24
"""Characters between a negation and what it denies: `without a large projector` (taste)."""


@dataclass(frozen=True)
class Reading:
    """What a question names of a table."""

    question: Question
    table: Table
    """Without the rows that sum up others."""
    forms: TableQuestions
    columns: Mapping[str, Column]
    key: str
    """The column that tells the rows apart."""
    conditions: Sequence[Condition]
    mentions: Sequence[ColumnMention]
    """In the order of the question."""
    cues: Mapping[str, tuple[int, int]]
    """The place of the first phrase for each function."""
    is_of_table: bool = False
    """Whether it has a word of the title or the headings of the table."""
    limit: int = 1
    """How many an extreme is wanted of: `the three largest`, `top 5`."""

    @property
    def is_about_something_else(self) -> bool:
        """Whether a name or number of the question is not in the table."""
        nouns = language_of(self.question.language).capitalises_nouns
        return any(
            any(map(str.isdigit, word.text)) or (word.text[0].isupper() and word.start > 0 and not nouns)
            for word in self.question.unread()
        )


def read_question(text: str, table: Table, language: str) -> Reading | None:
    """Return what a question names of a table.

    None if a condition has no column, a negation no object, or if there are two questions: `how many …, and how many`.
    """
    functions = TableQuestions.of(language).functions.values()
    passage = table.passage
    above = (passage.title, *passage.headings, *(phrase for phrases in functions for phrase in phrases))
    cells = {cell.text for row in table.rows for cell in row.cells.values()} if Numbers.of(language).joined else ()
    vocabulary = {key for name in (*above, *table.columns, *cells) for key in keys_of(name, language)}
    return _Reader(Question.of(parted(text, vocabulary, language), language), table).read()


class _Reader:
    def __init__(self, question: Question, table: Table) -> None:
        self._question = question
        self._forms = TableQuestions.of(question.language)
        rows = [row for row in table.rows if not self._is_summary(row)]
        self._table = table = replace(table, rows=rows or table.rows)
        self._columns = {name: read_column(table, name, question.language) for name in table.columns}
        texts = [name for name, column in self._columns.items() if column.kind is Kind.TEXT]
        self._key = next(filter(self._tells_apart, (*texts, *table.columns)), table.columns[0])
        self._named = list(dict.fromkeys((*texts, self._key)))
        self._is_joined = False
        self._negations = list(question.phrases(self._forms.negations))

    def _is_summary(self, row: Row) -> bool:
        """Whether a row sums up the others: `Total`."""
        functions, language = self._forms.functions, self._question.language
        folds = {key for name in ("total", "average") for words in functions[name] for key in keys_of(words, language)}
        first = next(iter(row.cells.values()), None)
        return first is not None and frozenset(keys_of(first.text, language)) <= folds

    def _tells_apart(self, name: str) -> bool:
        cells = [row.text(name) for row in self._table.rows]
        return all(cells) and len(set(cells)) == len(cells)

    def read(self) -> Reading | None:
        question, names = self._question, self._table.columns
        comparisons = comparisons_in(question)
        mentions = name_mentions(question, names)
        cells = list(cell_mentions(question, self._table, self._named, whole=True))
        cues = self._cues()
        limit = self._limit(cues.values())
        mentions = sorted((*mentions, *column_mentions(question, names)), key=lambda mention: mention.start)
        self._take_known(self._forms.fillers)
        cells += cell_mentions(question, self._table, self._named, whole=False)
        comparisons += [*dates_in(question), *numbers_beside(question, mentions)]
        on_columns = [on_column(each, question, self._columns, mentions) for each in comparisons]
        on_cells = list(self._on_cells(cells, mentions))
        conditions = [condition for condition in (*on_columns, *on_cells) if condition is not None]
        conditions += self._affirmed(mentions, conditions)
        passage = self._table.passage
        before = len(question.unread())
        self._take_known((passage.title, *passage.headings, passage.document_id))
        is_of_table = len(question.unread()) < before
        if None in on_columns or None in on_cells or self._negations or self._is_joined:
            return None
        plain = (question, self._table, self._forms, self._columns, self._key)
        return Reading(*plain, conditions, mentions, cues, is_of_table, limit)

    def _cues(self) -> Mapping[str, tuple[int, int]]:
        cues: dict[str, tuple[int, int]] = {}
        functions = self._forms.functions.items()
        spans = [(span, name) for name, phrases in functions for span in self._question.phrases(phrases)]
        for span, name in sorted(spans, key=lambda item: item[0][0] - item[0][1]):  # the longest first
            if not self._question.is_read(*span):
                self._is_joined |= name in cues
                cues.setdefault(name, span)
                self._question.take(*span)
        return cues

    def _limit(self, spans: Iterable[tuple[int, int]]) -> int:
        """The number beside the phrase of a function, which is marked as read; 1 without one."""
        for number in find_numbers(self._question.text, self._question.language):
            is_beside = any(0 <= start - number.end <= 1 or 0 <= number.start - end <= 1 for start, end in spans)
            if is_beside and 1 <= number.value <= MOST_RANKED and not self._question.is_read(number.start, number.end):
                self._question.take(number.start, number.end)
                return int(number.value)
        return 1

    def _take_known(self, texts: Iterable[str]) -> None:
        """Mark the words as read that these texts have."""
        known = {key for text in texts for key in keys_of(text, self._question.language)}
        for word in self._question.words:
            word.is_read |= word.key in known

    def _on_cells(self, cells: Sequence[CellMention], mentions: Sequence[ColumnMention]) -> Iterator[Condition | None]:
        """Yield the conditions that cells make, one for each column; None if the column of one is not sure."""
        chosen: dict[tuple[str, bool], list[CellMention]] = {}
        for _, same in groupby(sorted(cells, key=lambda cell: cell.start), key=lambda cell: cell.start):
            candidates = list(same)
            named = [cell for cell in candidates if any(m.column == cell.column for m in mentions)]
            sure = [cell for cell in candidates if cell.column == self._key] if len(candidates) > 1 else candidates
            cell = next(iter(named or sure), None)
            if cell is None or len(named) > 1:
                yield None
                continue
            chosen.setdefault((cell.column, self._is_denied(cell.start)), []).append(cell)
        for (column, is_denied), alternatives in chosen.items():
            yield self._condition(column, alternatives, is_denied)

    def _condition(self, column: str, cells: Sequence[CellMention], is_denied: bool) -> Condition:
        sentences = table_sentences(self._question.language)
        rows = frozenset().union(*(cell.rows for cell in cells))
        value = sentences["or"].join(dict.fromkeys(cell.value for cell in cells))
        if is_denied:
            rows = frozenset(range(len(self._table.rows))) - rows
            value = sentences["not"].format(value=value)
        return Condition(column, f"{column}: {value}", rows)

    def _affirmed(self, mentions: Sequence[ColumnMention], conditions: Sequence[Condition]) -> Iterator[Condition]:
        """Yield the conditions that columns of yes and no make when they are named: `rooms with a projector`."""
        if any(condition.column == self._key for condition in conditions):
            return  # it asks whether one row has it
        for mention in mentions:
            cells = [row.text(mention.column).lower() for row in self._table.rows]
            is_affirmed = {cell for cell in cells if cell} <= self._forms.yes | self._forms.no
            is_denied = any(0 <= mention.start - span[1] <= _NEAR for span in self._negations)
            if not (is_affirmed or is_denied) or any(mention.column == each.column for each in conditions):
                continue
            self._is_denied(mention.start)
            unwanted = self._forms.no | {""} if is_affirmed else self._forms.blank | {""}
            wanted = unwanted if is_denied else self._forms.yes
            rows = frozenset(number for number, cell in enumerate(cells) if cell in wanted)
            value = next((self._table.rows[number].text(mention.column) for number in rows), "") or "–"
            yield Condition(mention.column, f"{mention.column}: {value}", rows)

    def _is_denied(self, start: int) -> bool:
        """Whether a negation stands before a place; it is used up."""
        before = [span for span in self._negations if 0 <= start - span[1] <= _NEAR]
        for span in before[-1:]:
            self._negations.remove(span)
            self._question.take(*span)
        return bool(before)
