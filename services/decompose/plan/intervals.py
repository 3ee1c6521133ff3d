"""Questions about two moments: the time between them, or which came first, split into sub-queries. Pure."""

import re

from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import IntervalForms
from services.decompose.plan.events import subject_of, when_question
from services.decompose.plan.multi_hop import look_up_descriptions, new_sketch, overlapping_matches
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain


def split_interval(question: str, domain: Domain, language: str) -> Split | None:
    """Return a sub-query for each of two moments, and the computation on their dates; None if no rule is certain."""
    return _Interval(question[:1].lower() + question[1:], domain, language).split()


class _Interval:
    """The rules for one question, which has a small first letter."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = IntervalForms.of(language)

    def split(self) -> Split | None:
        """Return the split by the first form that matches; None if it matches none or is not certain."""
        forms, question = self._forms, self._question
        if match := forms.between.fullmatch(question):
            return self._between(match)
        if match := forms.how_old.fullmatch(question):
            return self._age(match)
        if match := forms.after.fullmatch(question):
            return self._after(match)
        match = forms.which_first.fullmatch(question)
        return self._which_first(match) if match else None

    def _between(self, match: re.Match[str]) -> Split | None:
        """ "How many days passed between the launch of Luna 9 and its landing"."""
        first, second = self._complete_both(match["one"].strip(" ,"), match["other"].strip(" ,"))
        return self._difference(self._unit(match), self._when(first), self._when(second, self._owner(first)))

    def _age(self, match: re.Match[str]) -> Split | None:
        """ "How old was the mission when it passed Neptune": the years since it began."""
        forms, thing, pronoun = self._forms, match["thing"], match["it"]
        event = f"{thing} {match['predicate']}" if pronoun else match["predicate"]
        start = forms.born_question if (pronoun or "").lower() in forms.persons else forms.began_question
        return self._difference("years", start.format(thing=thing), self._when(event, thing))

    def _after(self, match: re.Match[str]) -> Split | None:
        """ "How many years after the landing of Luna 9 was Luna 24 launched": tries each start of the main clause."""
        rest = match["rest"]
        for clause in overlapping_matches(self._forms.main_clause, rest):
            event, main = rest[: clause.start()], f"{self._forms.when}{rest[clause.start() :]}"
            if first := self._when(event, self._subject_of(main)):
                return self._difference(self._unit(match), first, main.strip())
        return None

    def _which_first(self, match: re.Match[str]) -> Split | None:
        """ "Did Spirit fall silent before MESSENGER arrived": after "before" comes a clause, or a thing alone."""
        aux, main, other = match["aux"].lower(), match["main"], match["other"].strip(" ,")
        first = f"{self._forms.when} {aux} {main}"
        subject = self._subject_of(first)
        if not subject:
            return None
        second = self._when(other, subject) or self._same_question(aux, main[len(subject) :], other)
        if second is None:
            return None
        order = match["order"].lower().split()
        if self._forms.alternatives.isdisjoint(order):
            return self._before_or_after(first, second, order[0] in self._forms.before)
        return self._earlier_thing(first, second, subject, self._subject_of(second) or other)

    def _before_or_after(self, first: str, second: str, is_before: bool) -> Split | None:
        sketch = new_sketch(self._domain, self._language)
        dates = sketch.ask(first), sketch.ask(second)
        text = look_up_descriptions(sketch, self._question, self._domain, self._language)
        sketch.compute(text, "is_before" if is_before else "is_after", *dates)
        return sketch.split(_WHICH_FIRST)

    def _earlier_thing(self, first: str, second: str, one: str, other: str) -> Split | None:
        sketch = new_sketch(self._domain, self._language)
        dates = sketch.ask(first), sketch.ask(second)
        names = [look_up_descriptions(sketch, name, self._domain, self._language, bare=True) for name in (one, other)]
        text = self._forms.which_came_first.format(one=names[0], other=names[1])
        sketch.compute(text, "earliest", names[0], dates[0], names[1], dates[1])
        return sketch.split(_WHICH_FIRST)

    def _difference(self, unit: str, first_question: str | None, second_question: str | None) -> Split | None:
        if not (first_question and second_question):
            return None
        sketch = new_sketch(self._domain, self._language)
        first, second = sketch.ask(first_question), sketch.ask(second_question)
        text = look_up_descriptions(sketch, self._question, self._domain, self._language)
        if first == second:
            return None
        sketch.compute(text, "date_difference", first, second, unit)
        return sketch.split("the time between two moments is computed from their dates")

    def _unit(self, match: re.Match[str]) -> str:
        return self._forms.units.get((match["unit"] or "").lower(), "days")

    def _when(self, event: str, owner: str = "") -> str | None:
        return when_question(event, self._domain, self._language, owner)

    def _subject_of(self, question: str) -> str:
        return subject_of(question, self._domain, self._language)

    def _complete_both(self, first: str, second: str) -> tuple[str, str]:
        """Complete each of two moments with the words that they share.

        "The launch of Sputnik 1 and Apollo 11", "the landing and the last message of InSight".
        """
        forms = self._forms
        first_match, second_match = forms.of_thing.fullmatch(first), forms.of_thing.fullmatch(second)
        if first_match and forms.named.fullmatch(second):
            return first, forms.event_of.format(event=first_match["event"], thing=second)
        if second_match and forms.event.fullmatch(first):
            return forms.event_of.format(event=first, thing=second_match["thing"]), second
        return first, second

    def _owner(self, event: str) -> str:
        """The owner of an event ("the launch of Luna 9", "Luna 9's launch"); empty if none is named."""
        match = self._forms.of_thing.fullmatch(event) or self._forms.possessed.fullmatch(event)
        return match["thing"] if match else ""

    def _same_question(self, aux: str, predicate: str, other: str) -> str | None:
        """The same question about another thing, if the words after "before" are only that thing; else None."""
        forms = self._forms
        thing = forms.verb_at_end.sub("", other)
        words = thing.lower().split()
        is_thing = words[0] in forms.definite_articles or thing[0].isupper()
        if not is_thing or not Grammar.of(self._language).auxiliaries.isdisjoint(words):
            return None
        return forms.same_question.format(aux=aux, thing=thing, predicate=predicate)


_WHICH_FIRST = "which of two moments came first is computed from their dates"
