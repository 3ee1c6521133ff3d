"""Plans a question by its form: comparisons, ages, times between and beside events, two question words. Pure functions.

A form is a pattern of a whole question and the templates of its steps (`PlanRules`).
"""

import re
import string
from collections.abc import Callable, Mapping
from typing import Any, Final

from libs.contracts.query import FunctionCall
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.plans import PlanRules
from libs.text.tokens import tokenize
from services.decompose.plan.parts import PlanPart, Split
from services.decompose.plan.question_words import Clause, QuestionWords
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import base_form
from services.decompose.words.phrases import find_phrases

_COMPUTED: Final = re.compile(r"(?P<text>.*) = (?P<function>\w*)\((?P<arguments>.*)\)")
_ORDERS: Final = {"greatest": "is_greater", "least": "is_less", "earliest": "is_before", "latest": "is_after"}
"""The function that tells whether two things are in an order, by the one that chooses the first."""
_NO_CLAUSE: Final = Clause("", "", "")


def split_by_form(question: str, domain: Domain, language: str) -> Split | None:
    """Return the steps of the first form that a question has and whose parts are clear; None if it has none.

    Args:
        question: with a small first letter and single spaces, without final punctuation.
        domain: the words of the documents' subject.
        language: ISO 639-1.
    """
    rules = PlanRules.of(language)
    for name, pattern in rules.patterns.items():
        if match := pattern.fullmatch(question):
            groups = {group: words or "" for group, words in match.groupdict().items()}
            parts = _parts(rules.steps[name], _Readings({**groups, "question": question}, domain, language))
            if parts:
                return Split(parts, _reason(parts))
    return None


def _parts(templates: tuple[str, ...], readings: "_Readings") -> tuple[PlanPart, ...]:
    """The steps; none if a part of the question is not clear."""
    try:
        parts = [part for template in templates if (part := _part(readings.filled(template)))]
    except _UnclearError:
        return ()
    return tuple(parts)


def _part(step: str) -> PlanPart | None:
    """A step; None for one whose function is not known."""
    computed = _COMPUTED.fullmatch(step)
    if computed is None:
        return PlanPart(step)
    call = FunctionCall(computed["function"], tuple(computed["arguments"].split("; ")))
    return PlanPart(computed["text"], call) if call.name else None


def _reason(parts: tuple[PlanPart, ...]) -> str:
    searched = " and ".join(f'"{part.text}"' for part in parts if part.function is None)
    return f"what it asks follows from {searched}"


class _UnclearError(Exception):
    """A part of a question cannot be read in the way that its form needs."""


class _Readings(string.Formatter):
    """Fills the templates of one question by its groups; see `PlanRules`."""

    def __init__(self, groups: Mapping[str, str], domain: Domain, language: str) -> None:
        self._groups = groups
        self._domain = domain
        self._language = language
        self._rules = PlanRules.of(language)
        self._needed: Mapping[str, Callable[[str], str]] = {
            "side": self._side, "name": self._name, "base": self._base, "quality": self._quality,
            "amount": self._amount, "start": self._start, "happened": self._happened, "subject": self._subject,
            "lower": str.lower, "aux": lambda text: self._clause(text).auxiliary, "owner": lambda text: self._owner(),
        }  # fmt: skip
        self._optional: Mapping[str, Callable[[str], str]] = {
            "choice": self._choice, "order": lambda text: _ORDERS.get(self._choice(text), ""), "unit": self._unit,
            "predicate": lambda text: self._clause(text).predicate,
        }  # fmt: skip

    def filled(self, template: str) -> str:
        """The template with the groups of the question, single-spaced.

        Raises:
            _UnclearError: a group cannot be read as the template wants it.
        """
        return " ".join(self.vformat(template, (), self._groups).split())

    def format_field(self, value: Any, format_spec: str) -> str:
        """A group as it stands, or read in the way that the template names."""
        text = str(value)
        if read := self._optional.get(format_spec):
            return read(text.strip(" ,"))
        words = self._needed[format_spec](text.strip(" ,")) if format_spec else text
        if format_spec and not words:
            raise _UnclearError(format_spec)
        return words

    def _side(self, text: str) -> str:
        """A thing: a single noun phrase; empty for anything else."""
        articles = Grammar.of(self._language).articles
        words = [token.text for token in tokenize(text) if token.text.lower() not in articles]
        phrases = find_phrases(text, language=self._language)
        is_whole = len(phrases) == 1 and tokenize(f"{phrases[0].text} {phrases[0].tail}")[-1].text == words[-1]
        return text if is_whole else ""

    def _name(self, text: str) -> str:
        """A thing that is known by its name or its definite article, without that; empty for anything else."""
        article, _, rest = text.partition(" ")
        if rest and article.lower() in NounPhrases.of(self._language).definite_articles:
            return self._side(text) and rest
        is_name = all(phrase.kind.is_name for phrase in find_phrases(text, language=self._language))
        is_new = article.lower() in Grammar.of(self._language).articles
        return self._side(text) if is_name and not is_new else ""

    def _base(self, verb: str) -> str:
        return base_form(verb.lower(), self._language) or ""

    def _choice(self, adjective: str) -> str:
        """The function that chooses by a comparative; empty if none is known."""
        choices = self._domain.comparing.items()
        return next((name for name, adjectives in choices if adjective.lower() in adjectives), "")

    def _quality(self, adjective: str) -> str:
        """How the quality of a comparative is asked for: `how large`; empty if it is not known."""
        return self._domain.adjectives.get(adjective.lower(), "")

    def _amount(self, thing: str) -> str:
        """How a number of things is asked for: `how many pictures`."""
        is_uncounted = thing.split()[-1].lower() in self._rules.uncounted
        return (self._rules.mass if is_uncounted else self._rules.count).format(thing=thing)

    def _unit(self, unit: str) -> str:
        """The unit of a length of time; days if none is named."""
        return dict(self._rules.units).get(unit.lower(), unit.lower()) or "days"

    def _start(self, thing: str) -> str:
        """How the beginning of an age is asked for: of a person or of a thing."""
        words, first = thing.split(), self._groups["event"].split()[0].lower()
        is_name = len(words) > 1 and all(word[0].isupper() and word.isalpha() for word in words)
        has_title = not Grammar.of(self._language).person_titles.isdisjoint(thing.lower().split())
        is_born = is_name or has_title or first in self._rules.persons
        return (self._rules.born if is_born else self._rules.began).format(thing=thing)

    def _happened(self, event: str) -> str:
        """How the date of an event is asked for, after the question word: `did Luna 9 land`; empty if it is none."""
        pronoun, _, rest = event.partition(" ")
        if pronoun.lower() in self._rules.pronouns and rest:
            event = f"{self._owner()} {rest}" if self._owner() else ""
        for name, pattern in self._rules.events.items():
            if match := pattern.fullmatch(event):
                groups = {"main": "", "thing": "", **self._groups, **match.groupdict(), "question": event}
                try:
                    return _Readings(groups, self._domain, self._language).filled(self._rules.happened[name])
                except _UnclearError:
                    continue
        return ""

    def _owner(self) -> str:
        """What a pronoun in an event stands for: the thing or the subject of the question."""
        return self._groups.get("thing") or self._subject(self._groups.get("main") or "")

    def _subject(self, clause: str) -> str:
        """Whom or what a clause or an event is about."""
        matches = (pattern.fullmatch(clause) for pattern in self._rules.events.values())
        subjects = (match["subject"] for match in matches if match and "subject" in match.re.groupindex)
        return self._clause(clause).subject or next(subjects, clause)

    def _clause(self, question: str) -> Clause:
        return QuestionWords(question, self._domain, self._language).clause() or _NO_CLAUSE
