"""Reads a question against a table: conditions on its cells, columns that it names, phrases for functions. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from libs.language.topics.tables import TableQuestions, cell_words, table_sentences
from libs.text.numbers.finder import find_numbers
from services.answer.tables.conditions import Comparison, Condition, bare_values, comparisons_in, on_column, that_agree
from services.answer.tables.matching import (
    EXACT,
    TOLD,
    CellMention,
    ColumnFit,
    ColumnMention,
    cell_mentions,
    concepts_of,
    without,
)
from services.answer.tables.rows import Table
from services.answer.tables.values import Kind, decimal_mark, read_column, year_of
from services.answer.tables.words import Question, keys_of, spelt

MOST_RANKED: Final = 20
"""Rows or groups that an extreme is taken of (taste)."""
MOST_LABELS: Final = 3
"""Columns that together tell rows apart, in a table without a single one (taste)."""
CODE: Final = re.compile(r"\S*\d\S*")
RANKS: Final = ("highest", "lowest", "latest", "earliest", "most", "fewest")


class Reading:
    """What a question names of a table; it is read when it is made."""

    def __init__(self, text: str, table: Table, language: str) -> None:
        self.forms = TableQuestions.of(language)
        above = (table.passage.title, *table.passage.headings, table.passage.document_id)
        self._subject = {key for text in above for key in keys_of(text, language)}
        self.table = self._without_summaries(table, language)
        mark = decimal_mark(self.table, language)
        self.columns = {name: read_column(self.table, name, language, mark) for name in table.columns}
        self.question = Question.of(
            spelt(text, table, self._subject, language), language, year_of(self.columns.values())
        )
        first = self.columns[table.columns[0]]
        if first.kind is Kind.NUMBER and not first.unit and self.table.tells_apart([first.name]):
            self.columns[first.name] = replace(first, kind=Kind.TEXT)  # the numbers name the rows
        self.texts = [name for name, column in self.columns.items() if column.kind is Kind.TEXT]
        self.label = self._label()
        """The columns that tell the rows apart."""
        self.fit = ColumnFit(self.columns, language)
        self._is_of_person = False
        self.is_sure = True
        """False if a condition has no column, a negation no object, or if there are two questions."""
        self._read()

    def _without_summaries(self, table: Table, language: str) -> Table:
        """The table without the rows that sum up others: `Total`."""
        folding = [*self.forms.functions["total"], *self.forms.functions["average"]]
        folds = {key for words in folding for key in keys_of(words, language)}
        first_cells = ((row, next(iter(row.cells.values()), None)) for row in table.rows)
        rows = [row for row, cell in first_cells if cell is None or not folds.issuperset(keys_of(cell.text, language))]
        return replace(table, rows=rows or table.rows)

    def _label(self) -> Sequence[str]:
        """The column that tells the rows apart, a code with names; else the first columns that do so together."""
        unique = [name for name in self.texts if self.table.tells_apart([name])]
        named = [name for name in unique if not all(CODE.fullmatch(row.text(name)) for row in self.table.rows)]
        if unique:
            return [unique[0], *named[: MOST_LABELS - 1]] if unique[0] not in named else unique[:1]
        label = [self.table.columns[0]]
        for name in dict.fromkeys((*self.texts[:1], *self.columns)):
            is_wanted = not self.table.tells_apart(label) or not {*label} & {*self.texts}
            label += [name] if is_wanted and name not in label and len(label) < MOST_LABELS else []
        return label

    def _read(self) -> None:
        """Read the words of the question, those first that would be misread as others."""
        question, table, language = self.question, self.table, self.question.language
        labels = {text for row in table.rows for name in self.label if not (text := row.text(name)).isdigit()}
        comparisons = comparisons_in(question, labels)
        names = {"".join(keys): name for name in self.columns if len(keys := keys_of(name, language)) > 1}
        runs = question.take_runs(question.runs(whole=True), names)
        mentions = [ColumnMention((names[key],), start, end) for key, start, end in runs]
        cells = list(cell_mentions(question, table, self.texts, whole=True))
        self.cues = self._cues()
        """The place of the phrase for each function."""
        self.limit = self._limit()
        """How many an extreme is wanted of: `the three largest`, `top 5`."""
        mentions += self.fit.mentions(question, self._subject)
        mentions.sort(key=lambda mention: mention.start)
        self._negations = list(question.phrases(self.forms.negations))
        told = {name for mention in mentions for name in mention.columns}
        known = {key for text in (*self.forms.fillers, *told) for key in keys_of(text, language)} | self._subject
        for word in question.words:
            word.is_read |= word.key in known
        cells += cell_mentions(question, table, self.texts, whole=False)
        self._resolve(comparisons, sorted(cells, key=lambda cell: cell.start), mentions)

    def _cues(self) -> Mapping[str, tuple[int, int]]:
        """The phrases for functions, the longest first; it is not sure which is meant if one is there twice."""
        cues: dict[str, tuple[int, int]] = {}
        functions = [*self.forms.functions.items(), *self.forms.ordinals.items()]
        for concept in self.forms.concepts.values():
            functions += [("highest", concept.get("most", ())), ("lowest", concept.get("least", ()))]
        spans = [(span, name) for name, phrases in functions for span in self.question.phrases(phrases)]
        for span, name in sorted(spans, key=lambda item: (item[0][0] - item[0][1], item[1] == "other")):
            if self.question.is_unread(*span):
                self.is_sure &= name not in cues or name == "other"
                cues[name] = span
                self.question.take(*span)
        return cues

    def _limit(self) -> int:
        """The number beside the phrase of a rank, which is marked as read; 1 without one."""
        ranks = [span for name, span in self.cues.items() if name in RANKS]
        for number in find_numbers(self.question.text, self.question.language):
            is_beside = any(0 <= max(start - number.end, number.start - end) <= 1 for start, end in ranks)
            before = self.question.text[: number.start].split()
            is_beside |= bool(ranks) and (not before or before[-1].lower() in self.forms.focus)
            if is_beside and 1 <= number.value <= MOST_RANKED:
                self.question.take(number.start, number.end)
                return int(number.value)
        return 1

    def _resolve(
        self, comparisons: Sequence[Comparison], cells: Sequence[CellMention], mentions: Sequence[ColumnMention]
    ) -> None:
        """Decide which columns the conditions are on, and which are asked for."""
        known: list[Condition] = []
        for value in bare_values(self.question):
            if (condition := on_column(value, self.columns, mentions, self.question.text)) is not None:
                self.question.take(value.start, value.end)
                known.append(condition)
        free = without(mentions, {each.column for each in known})
        compared = [on_column(each, self.columns, free, self.question.text) for each in comparisons]
        self.is_sure &= None not in compared and not (comparisons and any(self.question.phrases(self.forms.both)))
        known += filter(None, compared)
        focus = self._focus(mentions)
        named = [self._of_cell(cell, [m for m in mentions if m is not focus]) for cell in cells]
        left = without(mentions, {*(each.column for each in known), *(each.column for each in named)})
        others = [m for m in left if m.columns[0] not in self.label]
        denied = self._denied([*(each.start for each in named), *(each.start for each in others)])
        self.is_lookup = self._names_row(named)
        """Whether the question is of a row that it names."""
        besides = [each.column for each in named if each.start in denied and self._is_of_person]
        asked = focus.columns if focus is not None else besides[:1]
        named += [] if self.is_lookup else self._affirmed(left, denied, {*asked, *self.label})
        self.focus = tuple(asked)
        """The columns of which the question asks: after `which`, or told by `who`; any of them may be meant."""
        self.conditions = that_agree([*known, *self._of_rows(named, denied)])
        self.mentions = without(left, {each.column for each in self.conditions})
        """Of the columns without a condition, in the order of the question."""

    def _of_cell(self, cell: CellMention, mentions: Sequence[ColumnMention]) -> Condition:
        """The rows of a cell, of the column that fits best: one that is named or told."""
        scores = {name: max((m.score for m in mentions if name in m.columns), default=0.0) for name in cell.cells}
        best, *others = sorted(scores, key=lambda name: -scores[name])
        texts = {*cell.cells[best].values()}
        shown = texts.pop() if len(texts) == 1 else self.question.text[cell.start : cell.end]
        is_clear = cell.is_most and not (others and scores[best] == scores[others[0]])
        return Condition(best, shown, frozenset(cell.cells[best]), cell.start, is_clear)

    def _focus(self, mentions: Sequence[ColumnMention]) -> ColumnMention | None:
        """The columns told by the first word that asks, or named right after it, or of its degree: `how long`."""
        asking_words = self.forms.focus | self.forms.degree
        asking = next((word for word in self.question.words if word.text.lower() in asking_words), None)
        if asking is None:
            return None
        self._is_of_person = "person" in concepts_of(asking.text.lower(), self.question.language)
        for mention in mentions:
            between = self.question.text[asking.end : mention.start].split()
            is_name = (
                asking.text.lower() in self.forms.focus
                and mention.score == EXACT
                and len(between) <= 1
                and mention.columns[0] in self.texts
            )
            is_told = mention.start == asking.start and mention.score == TOLD
            is_degree = asking.text.lower() in self.forms.degree and not (between or mention.is_named)
            if is_told or (asking.end <= mention.start and (is_name or is_degree)):
                return mention
        return None

    def _names_row(self, named: Sequence[Condition]) -> bool:
        """Whether one cell, or all those named of a column, are of one row that the column tells apart."""
        for column in {each.column for each in named if self.table.names_rows(each.column)}:
            rows = [each.rows for each in named if each.column == column]
            if 1 in map(len, (*rows, frozenset.intersection(*rows))):
                return True
        return False

    def _denied(self, places: Sequence[int]) -> set[int]:
        """The places of what is denied, each the next one after a negation."""
        denied = set()
        for start, end in self._negations:
            denied.add(min((place for place in places if place >= end), default=-1))
            self.question.take(start, end)
        self.is_sure &= -1 not in denied
        return denied

    def _affirmed(self, mentions: Sequence[ColumnMention], denied: Set[int], asked: Set[str]) -> Iterator[Condition]:
        """The rows that have something in a named column of yes and no, or of which some cells are empty.

        Such as `rooms with a projector`, `books on loan`; of any column the others if that is denied.
        """
        by_column = {m.columns[0]: m for m in sorted(mentions, key=lambda m: m.start in denied) if len(m.columns) == 1}
        for column, mention in by_column.items():
            cells = [row.text(column).lower() for row in self.table.rows]
            is_affirmed = {*cells} <= cell_words("yes") | cell_words("no") | {""}
            is_partial = column in self.texts and not all(cells) and mention.is_named
            if mention.start in denied or (column not in asked and (is_affirmed or is_partial)):
                empty = {"", "0", *cell_words("no" if is_affirmed else "blank")}
                rows = [row for row, cell in enumerate(cells) if cell not in empty]
                shown = self._shown({*rows}, column)
                yield Condition(column, next(iter(shown)) if len(shown) == 1 else "…", frozenset(rows), mention.start)

    def _of_rows(self, named: Sequence[Condition], denied: Set[int]) -> Iterator[Condition]:
        """Yield a condition for each column: that it has the values named for it, or one of them, or none if denied."""
        for column, is_denied in dict.fromkeys((each.column, each.start in denied) for each in named):
            values = [each for each in named if (each.column, each.start in denied) == (column, is_denied)]
            rows = frozenset.intersection(*(each.rows for each in values))
            if not rows:
                values = [each for each in values if each.is_clear or len(each.rows) == 1] or values
                rows = frozenset().union(*(each.rows for each in values))
            is_clear = all(each.is_clear for each in values) or len(rows) == 1 < len(values)
            shown = self._shown(rows, column) if len(rows) == 1 else (each.shown for each in values)
            value = table_sentences(self.question.language)["or"].join(dict.fromkeys(shown))
            condition = Condition(column, f": {value}", rows, values[0].start, is_clear)
            yield self._negated(condition, value) if is_denied else condition

    def _shown(self, rows: Set[int], column: str) -> Set[str]:
        """The different cells of some rows."""
        return {self.table.rows[row].text(column) for row in rows}

    def _negated(self, condition: Condition, value: str) -> Condition:
        """The condition that a column does not have a value; in words the only other one, if there is one."""
        rows = self._others(condition.rows, condition.column)
        others = self._shown(rows, condition.column)
        denial = table_sentences(self.question.language)["not"].format(value=value)
        return replace(condition, rows=rows, shown=f": {denial if len(others) > 1 else ''.join(others) or '–'}")

    def _others(self, rows: Set[int], column: str) -> frozenset[int]:
        """The rows without what is denied; none of one that is asked for may have it: `who never works late`."""
        is_told = {row.text(column).lower() for row in self.table.rows} <= cell_words("yes") | cell_words("no") | {""}
        asked = next((name for name in self.focus if name != column and not is_told), "")
        cells = [row.text(asked) for row in self.table.rows]
        excluded = {cells[row] for row in rows} if asked else {}
        return frozenset(row for row, cell in enumerate(cells) if row not in rows and cell not in excluded)
