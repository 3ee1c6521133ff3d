"""Questions about moments: the time between two, an age, which came first, and a time told by what happened then. Pure.

"How many days after the storm did the ferry run", "how old was Ann when the museum opened", "did Spirit land before
Beagle 2 was lost", "which probe was launched in the year that Phoenix landed", "where did they meet the year before …".
"""

import re

from libs.contracts.query import FunctionCall
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.plans import MomentForms
from services.decompose.plan.events import is_person, subject_of, when_question
from services.decompose.plan.parts import PlanPart, Split
from services.decompose.words.domain import Domain

_BETWEEN = "the time between two moments is computed from their dates"
_WHICH_FIRST = "which of two moments came first is computed from their dates"


def split_moments(question: str, domain: Domain, language: str) -> Split | None:
    """Return a sub-query for each moment and what is computed or asked with the dates; None if no rule is certain."""
    return _Moments(question[:1].lower() + question[1:], domain, language).split()


class _Moments:
    """The rules for one question, which has a small first letter."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = MomentForms.of(language)

    def split(self) -> Split | None:
        """Return the split by the first form that matches; None if it matches none or is not certain."""
        forms = self._forms
        rules = (
            (forms.between, self._between), (forms.how_old, self._age), (forms.after, self._after),
            (forms.which_first, self._which_first), (forms.year_at_start, self._in_year),
            (forms.year_at_end, self._in_year), (forms.near, self._near),
        )  # fmt: skip
        matches = ((form.fullmatch(self._question), rule) for form, rule in rules)
        return next((rule(match) for match, rule in matches if match), None)

    def _between(self, match: re.Match[str]) -> Split | None:
        """ "How many days passed between the launch of Luna 9 and its landing"."""
        first, second = self._complete_both(match["one"].strip(" ,"), match["other"].strip(" ,"))
        start, end = self._when(first), self._when(second, owner=self._owner(first))
        return self._difference(self._unit(match), start, end or self._forms.noun_question.format(event=second))

    def _age(self, match: re.Match[str]) -> Split | None:
        """ "How old was the mission when it passed Neptune": the years since it began, or since a person's birth."""
        forms, thing, pronoun = self._forms, match["thing"], (match["it"] or "").lower()
        event = f"{thing} {match['predicate']}" if pronoun else match["predicate"]
        is_born = pronoun in forms.persons or is_person(thing, self._language)
        start = forms.born_question if is_born else forms.began_question
        return self._difference("years", start.format(thing=thing), self._when(event, owner=thing))

    def _after(self, match: re.Match[str]) -> Split | None:
        """ "How many years after the landing of Luna 9 was Luna 24 launched": tries each start of the main clause."""
        rest = match["rest"]
        starts = [clause.start() for clause in self._forms.main_clause.finditer(rest)]
        for event_question in (self._when, self._same_when):
            for start in starts:
                event, main = rest[:start], f"{self._forms.when}{rest[start:]}".strip()
                if first := event_question(event, main):
                    return self._difference(self._unit(match), first, self._with_owner(main, event))
        return None

    def _with_owner(self, question: str, event: str) -> str:
        """A question with what the event belongs to in place of a pronoun: "when did it land"."""
        subject = subject_of(question, self._domain, self._language)
        is_pronoun = self._forms.pronoun.fullmatch(subject) is not None
        return question.replace(subject, self._owner(event) or subject, 1) if is_pronoun else question

    def _same_when(self, thing: str, question: str) -> str | None:
        """ "When was Sputnik 1 launched" for "Sputnik 1" and "when was Vostok 1 launched"."""
        subject = subject_of(question, self._domain, self._language)
        aux, main = question.removeprefix(f"{self._forms.when} ").split(" ", 1)
        return self._same_question(aux, main[len(subject) :], thing) if subject else None

    def _which_first(self, match: re.Match[str]) -> Split | None:
        """ "Did Spirit fall silent before MESSENGER arrived": after "before" comes a clause, or a thing alone."""
        aux, main, other = match["aux"].lower(), match["main"], match["other"].strip(" ,")
        first = f"{self._forms.when} {aux} {main}"
        subject = subject_of(first, self._domain, self._language)
        if not subject:
            return None
        second = when_question(other, self._domain, self._language, subject)
        second = second or self._same_question(aux, main[len(subject) :], other)
        if second is None:
            return None
        order = match["order"].lower().split()
        if self._forms.alternatives.isdisjoint(order):
            function = FunctionCall("is_before" if order[0] in self._forms.before else "is_after", ("#1", "#2"))
            return Split.computed((first, second), self._question, function, _WHICH_FIRST)
        thing = subject_of(second, self._domain, self._language) or other
        text = self._forms.which_came_first.format(one=subject, other=thing)
        function = FunctionCall("earliest", (subject, "#1", thing, "#2"))
        return Split.computed((first, second), text, function, _WHICH_FIRST)

    def _in_year(self, match: re.Match[str]) -> Split | None:
        """ "Which probe was launched in the year that Phoenix landed": the year is computed from the day."""
        event, main, forms = when_question(match["event"], self._domain, self._language), match["main"], self._forms
        if event is None:
            return None
        year = PlanPart(forms.year.format(date="#1"), FunctionCall("year_of", ("#1",)))
        asked = PlanPart(forms.in_year.format(main=main[:1].lower() + main[1:], year="#2"))
        return Split((PlanPart(event), year, asked), f'the year is told by what happened in it: "{event}"')

    def _near(self, match: re.Match[str]) -> Split | None:
        """ "Where did everybody meet the year before they went to Rome": that year comes first."""
        event = self._when(match["event"], match["main"])
        if event is None:
            return None
        event = event.replace(self._forms.when, self._forms.asked_units[match["unit"].lower()], 1)
        asked = self._forms.near_question.format(**match.groupdict() | {"event": "#1"})
        return Split.of((event, asked), f'the time is told by what happened then: "{event}"')

    def _difference(self, unit: str, first: str | None, second: str | None) -> Split | None:
        if not (first and second) or first == second:
            return None
        function = FunctionCall("date_difference", ("#1", "#2", unit))
        return Split.computed((first, second), self._question, function, _BETWEEN)

    def _unit(self, match: re.Match[str]) -> str:
        return self._forms.units.get((match["unit"] or "").lower(), "days")

    def _when(self, event: str, question: str = "", owner: str = "") -> str | None:
        """The question for an event's date; a pronoun in it is the owner, or the subject of a question."""
        owner = owner or subject_of(question, self._domain, self._language)
        return when_question(event, self._domain, self._language, owner, bare=True)

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
        is_thing = words[0] in NounPhrases.of(self._language).definite_articles or thing[0].isupper()
        if not is_thing or not Grammar.of(self._language).auxiliaries.isdisjoint(words):
            return None
        return forms.same_question.format(aux=aux, thing=thing, predicate=predicate)
