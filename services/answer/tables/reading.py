"""Reads a question against a table: conditions on its cells, columns that it names, phrases for functions. Pure."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from libs.language.topics.numbers import Numbers
from libs.language.topics.tables import TableQuestions, table_sentences
from libs.text.numbers.finder import find_numbers
from services.answer.tables.conditions import Condition, bare_times, comparisons_in, on_column
from services.answer.tables.mentions import CellMention, ColumnMention, cell_mentions, column_mentions
from services.answer.tables.rows import Row, Table
from services.answer.tables.values import Column, Kind, is_numbering, read_column
from services.answer.tables.words import Question, key_of, keys_of, parted

MOST_RANKED: Final = 20
"""Rows or groups that an extreme is taken of (taste)."""
ZERO: Final = (Decimal(), Decimal())


@dataclass(frozen=True, slots=True)
class _Named:
    """Rows that words of the question name by a column."""

    column: str
    start: int
    rows: frozenset[int]
    shown: str


class Reading:
    """What a question names of a table; it is read when it is made."""

    def __init__(self, text: str, table: Table, language: str) -> None:
        self.forms = TableQuestions.of(language)
        vocabulary = self._vocabulary(table, language)
        self.question = Question.of(parted(text, vocabulary, language) if vocabulary else text, language)
        self.table = replace(table, rows=[row for row in table.rows if not self._is_summary(row)] or table.rows)
        """The table without the rows that sum up others."""
        self.columns = {name: read_column(self.table, name, language) for name in table.columns}
        if is_numbering(self.columns[table.columns[0]]):
            self.columns[table.columns[0]] = Column(table.columns[0], Kind.TEXT)
        texts = [name for name, column in self.columns.items() if column.kind is Kind.TEXT]
        key = next(filter(self._tells_apart, texts), table.columns[0])
        self.keys = list(dict.fromkeys((key, *(texts[:1] if key not in texts else ()))))
        """The columns that tell the rows apart: the first does, a text may help."""
        self.is_sure = True
        """False if a condition has no column, a negation no object, or if there are two questions."""
        above = (table.passage.title, *table.passage.headings, table.passage.document_id)
        self._subject = {key for text in above for key in keys_of(text, language)}
        self._read([*texts, *([key] if self.columns[key].kind is Kind.NUMBER else [])])

    def _vocabulary(self, table: Table, language: str) -> Set[str]:
        """The words of compounds; empty in a language that joins none."""
        if not Numbers.of(language).joined:
            return frozenset()
        functions = (phrase for phrases in self.forms.functions.values() for phrase in phrases)
        cells = {cell.text for row in table.rows for cell in row.cells.values()}
        texts = (table.passage.title, *table.passage.headings, *table.columns, *functions, *cells)
        return {key for text in texts for key in keys_of(text, language)}

    def _is_summary(self, row: Row) -> bool:
        """Whether a row sums up the others: `Total`."""
        functions, language = self.forms.functions, self.question.language
        folds = {key for name in ("total", "average") for words in functions[name] for key in keys_of(words, language)}
        first = next(iter(row.cells.values()), None)
        return first is not None and frozenset(keys_of(first.text, language)) <= folds

    def _tells_apart(self, name: str) -> bool:
        cells = [row.text(name) for row in self.table.rows]
        return all(cells) and len(set(cells)) == len(cells)

    def _read(self, searched: Sequence[str]) -> None:
        """Read the words of the question, those first that would be misread as others."""
        question, table, language = self.question, self.table, self.question.language
        comparisons = comparisons_in(question)
        names = {"".join(keys): name for name in self.columns if len(keys := keys_of(name, language)) > 1}
        runs = question.take_runs(question.runs(), names)
        mentions = [ColumnMention((names[key],), start, end) for key, start, end in runs]
        cells = list(cell_mentions(question, table, searched, whole=True))
        self.cues = self._cues()
        """The place of the phrase for each function."""
        self.limit = self._limit()
        """How many an extreme is wanted of: `the three largest`, `top 5`."""
        mentions = sorted((*mentions, *column_mentions(question, self.columns, self._subject)), key=lambda m: m.start)
        question.take_keys({key for text in self.forms.fillers for key in keys_of(text, language)})
        self.is_of_table = any(word.key in self._subject for word in question.unread())
        """Whether it has a word of the title or the headings of the table."""
        question.take_keys(self._subject)
        cells += cell_mentions(question, table, searched, whole=False)
        comparisons += bare_times(question)
        conditions = [on_column(each, self.columns, mentions) for each in comparisons]
        self.is_sure &= None not in conditions
        known = [each for each in conditions if each is not None]
        named = self._of_cells(cells, {name for mention in mentions for name in mention.columns})
        conditioned = {*(each.column for each in known), *(each.column for each in named)}
        left = _without(mentions, conditioned)
        phrases = [self.forms.comparisons[name] for name in (">", "<", "before", "after")]
        compared = [end for each in phrases for _, end in question.phrases(each)]
        self.is_sure &= not any(each.column == self.keys[0] and each.start - 1 in compared for each in named)
        denied = self._denied([*(each.start for each in named), *(mention.start for mention in left)])
        if self.keys[0] not in conditioned:  # else it asks whether one row has it
            named += self._affirmed(left, denied)
        self.conditions = [*known, *self._of_rows(named, denied)]
        self.mentions = _without(left, {condition.column for condition in self.conditions})
        """Of the columns without a condition, in the order of the question."""

    def _cues(self) -> Mapping[str, tuple[int, int]]:
        """The phrases for functions, the longest first; it is not sure which is meant if one is there twice."""
        cues: dict[str, tuple[int, int]] = {}
        functions = self.forms.functions.items()
        spans = [(span, name) for name, phrases in functions for span in self.question.phrases(phrases)]
        for span, name in sorted(spans, key=lambda item: item[0][0] - item[0][1]):
            if self.question.is_unread(*span):
                self.is_sure &= name not in cues
                cues[name] = span
                self.question.take(*span)
        return cues

    def _limit(self) -> int:
        """The number beside the phrase of a function, which is marked as read; 1 without one."""
        for number in find_numbers(self.question.text, self.question.language):
            is_beside = any(0 <= max(start - number.end, number.start - end) <= 1 for start, end in self.cues.values())
            if is_beside and 1 <= number.value <= MOST_RANKED and self.question.is_unread(number.start, number.end):
                self.question.take(number.start, number.end)
                return int(number.value)
        return 1

    def _of_cells(self, cells: Sequence[CellMention], named: Set[str]) -> list[_Named]:
        """The rows of cells, of one column, which has to be sure: the only one, a named one, or that of the rows."""
        found = []
        for cell in sorted(cells, key=lambda cell: cell.start):
            sure = [name for name in cell.cells if len(cell.cells) == 1 or name in named]
            sure = sure or [name for name in cell.cells if name == self.keys[0]]
            self.is_sure &= len(sure) == 1
            for column in sure[:1]:
                texts = set(cell.cells[column].values())
                shown = texts.pop() if len(texts) == 1 else self.question.text[cell.start : cell.end]
                found.append(_Named(column, cell.start, frozenset(cell.cells[column]), shown))
        return found

    def _denied(self, places: Sequence[int]) -> Set[int]:
        """The places of what is denied, each the next one after a negation."""
        denied = set()
        for start, end in list(self.question.phrases(self.forms.negations)):
            denied.add(min((place for place in places if place >= end), default=-1))
            self.question.take(start, end)
        self.is_sure &= -1 not in denied
        return denied

    def _affirmed(self, mentions: Sequence[ColumnMention], denied: Set[int]) -> Iterator[_Named]:
        """The rows of a column of yes and no that is named: `rooms with a projector`; of others if that is denied."""
        sure = [mention for mention in mentions if len(mention.columns) == 1]
        by_column = {m.columns[0]: m for m in sorted(sure, key=lambda mention: mention.start in denied)}
        for column, mention in by_column.items():
            word = self.question.text[mention.start : mention.end]
            cells = [row.text(column).lower() for row in self.table.rows]
            is_affirmed = frozenset(cells) <= self.forms.yes | self.forms.no | {""}
            is_subject = key_of(word, self.question.language) in self._subject
            if not is_subject and (is_affirmed or mention.start in denied):
                values = self.columns[column].values or [None] * len(cells)
                empty = self.forms.no if is_affirmed else self.forms.blank
                rows = [row for row, cell in enumerate(cells) if cell not in (*empty, "") and values[row] != ZERO]
                shown = self.table.rows[rows[0]].text(column) if rows else "–"
                yield _Named(column, mention.start, frozenset(rows), shown)

    def _of_rows(self, named: Sequence[_Named], denied: Set[int]) -> Iterator[Condition]:
        """Yield a condition for each column that has one of the values named for it, or none of those denied."""
        sentences = table_sentences(self.question.language)
        groups: dict[tuple[str, bool], list[_Named]] = {}
        for each in named:
            groups.setdefault((each.column, each.start in denied), []).append(each)
        self.is_sure &= len({column for column, _ in groups}) == len(groups)
        for (column, is_denied), alternatives in groups.items():
            rows = frozenset(row for each in alternatives for row in each.rows)
            value = sentences["or"].join(dict.fromkeys(each.shown for each in alternatives))
            if is_denied:
                rows = frozenset(range(len(self.table.rows))) - rows
                others = {self.table.rows[row].text(column) or "–" for row in rows}
                value = sentences["not"].format(value=value) if len(others) > 1 else "".join(others) or "–"
            yield Condition(column, f"{column}: {value}", rows)


def _without(mentions: Sequence[ColumnMention], columns: set[str]) -> list[ColumnMention]:
    """The mentions without some columns."""
    left = ((mention, tuple(name for name in mention.columns if name not in columns)) for mention in mentions)
    return [replace(mention, columns=names) for mention, names in left if names]
