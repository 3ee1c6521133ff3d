"""Short answers that a unit has to a question: its values of the type asked for, with their scores. Pure.

A score says how much of the question the unit, and the clause around the value, tell. The weights are by hand, near
those fitted on 83 hops of questions over the samples, of which 79 are answered right, and 68 factual questions about
strangers' documents. Without the names 68 hops are, without the clauses 74, without the units' own scores 76.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from libs.contracts.spans import Span
from libs.language.topics.questions import AnswerForms
from libs.text.names import find_names
from services.answer.lexicon.related_words import tells_of
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.questions.answer_types import OTHER_QUANTITY, TypedValue, typed_values
from services.answer.questions.question import AnswerKind, ParsedQuestion
from services.answer.quoting.unit_selection import ScoredUnit
from services.answer.quoting.units import Unit

NAMED, TYPED = 2.5, 0.35
"""Weights of the share of the question's names in a unit, and of the fit of the value."""
PREDICATE, ITEM = 0.5, 0.5
"""Weights of the share of its words in the value's clause and in its item of a list."""
DEFINED, PLACED, PLANNED = 0.1, -0.2, -2.0
"""Added for a name that something is (`was Lunokhod 1`), a name of where something is, and what was only planned."""


@dataclass(frozen=True)
class UnitReading:
    """A unit as a source of the answer to a question."""

    question: ParsedQuestion
    scored_unit: ScoredUnit
    before: Unit | None = None
    """The unit before it, read together with it."""

    @property
    def unit(self) -> Unit:
        """The unit."""
        return self.scored_unit.unit

    @property
    def start(self) -> int:
        """Where its text starts in the passage."""
        return (self.before or self.unit).span.start

    @cached_property
    def text(self) -> str:
        """Its words in one line, each character as far from the start as in the passage."""
        return re.sub(r"\s", " ", Span(self.start, self.unit.span.end).of(self.unit.passage.text))

    @property
    def is_candidate(self) -> bool:
        """Whether it or what is above it names the subject, and it has a word of the question or a related one."""
        told = frozenset(self._stems_of(self.text))
        has_word = any(stem in told or tells_of(stem, told, self._language) for stem in self.question.stems)
        return self._names(self.question.subject) and (has_word or not self.question.stems)

    @property
    def confidence(self) -> float:
        """In [0.5, 1]: the more, the more of the question it tells (by hand)."""
        return round(0.5 + 0.25 * (self._share_in(self.text) + self._named), 4)

    def answers(self) -> Iterator[tuple[float, TypedValue]]:
        """Yield its values of the wanted type, each after its score."""
        unit_score = self.scored_unit.score + NAMED * self._named
        for value in typed_values(self.question, self.text, self._language):
            is_other = self.question.kind is AnswerKind.NUMBER and value.fit <= OTHER_QUANTITY
            if not is_other and not self._is_of_another(value):
                planned = PLANNED * (self._tells_plan or bool(self._forms.planned.search(self.text[: value.start])))
                yield unit_score + planned + TYPED * value.fit + self._clause_score(value), value

    @property
    def _language(self) -> str:
        return self.unit.passage.language

    @property
    def _forms(self) -> AnswerForms:
        return AnswerForms.of(self._language)

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The words that tell what is asked: neither the category of a wanted name, nor what stands above the unit."""
        passage = self.unit.passage
        above = self._stems_of("\n".join((passage.title, *passage.headings)))
        return frozenset(self.question.stems).difference(above, (self.question.category,))

    def _stems_of(self, text: str) -> tuple[str, ...]:
        return stems_of(text, self._language)

    def _share_in(self, text: str) -> float:
        """The share of the question's words in a text."""
        return len(self._stems.intersection(self._stems_of(text))) / max(1, len(self._stems))

    @cached_property
    def _named(self) -> float:
        """The share of the question's names in the unit or above it."""
        return sum(map(self._names, self.question.names)) / max(1, len(self.question.names))

    def _names(self, name: str) -> bool:
        passage = self.unit.passage
        text = passage.text[self.start : self.unit.span.end]
        return not name or has_phrase(name, "\n".join((text, passage.title, *passage.headings)))

    @property
    def _tells_plan(self) -> bool:
        """Whether it tells what was to happen, and the question does not ask that."""
        return bool(self._forms.intent.search(self.text)) and not self._forms.intent.search(self.question.text)

    def _is_of_another(self, value: Span) -> bool:
        """Whether the value's clause lacks the subject that the unit names, or begins with another of its series."""
        subject, clause = self.question.subject, _clause_at(self.text, value.start, self._forms.clause_boundary)
        if not subject or not has_phrase(subject, self.text):
            return False
        first = next((name.text for name in find_names(clause, self._language)), "")
        is_rival = first.casefold() != subject.casefold() and _series(first) == _series(subject)
        return is_rival or not has_phrase(subject, clause)

    def _clause_score(self, value: Span) -> float:
        predicate = _clause_at(self.text, value.start, self._forms.predicate_boundary)
        return PREDICATE * self._share_in(predicate) + ITEM * self._share_in_item(value) + self._role_score(value)

    def _share_in_item(self, value: Span) -> float:
        """The share of the question's words and names in the value's item; the subject counts as three."""
        item = _clause_at(self.text, value.start, self._forms.item_boundary)
        names = (*self.question.names, *(self.question.subject,) * 2 * bool(self.question.subject))
        told = len(self._stems.intersection(self._stems_of(item))) + sum(has_phrase(name, item) for name in names)
        return told / max(1, len(self._stems) + len(names))

    def _role_score(self, value: Span) -> float:
        if self.question.kind not in (AnswerKind.NAME, AnswerKind.PERSON):
            return 0.0
        is_defined = self._forms.copula.search(self.text[: value.start]) is not None
        is_place = any(match.start("place") == value.start for match in self._forms.place.finditer(self.text))
        return DEFINED * is_defined + PLACED * is_place


def _series(name: str) -> str:
    """A name without its number: `venera` of `Venera 13`."""
    return re.sub(r"[\W\d]+", "", name.casefold())


def _clause_at(text: str, position: int, boundary: re.Pattern[str]) -> str:
    edges = [0, *(edge for match in boundary.finditer(text) for edge in match.span()), len(text)]
    clauses = zip(edges[::2], edges[1::2], strict=True)
    return next(text[start:end] for start, end in clauses if position < end or end == len(text))
