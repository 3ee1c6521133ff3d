"""Plans a question by its form: comparisons, ages, times between and beside events, two question words. Pure functions.

A form is a pattern of a whole question and the templates of its steps (`PlanRules`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from libs.contracts.query import FunctionCall, QueryNode
from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import JoinedQuestions, PlanRules
from services.decompose.words.domain import Domain

_COMPUTED: Final = re.compile(r"(?P<text>.*) = (?P<function>\w*)\((?P<arguments>.*)\)")
_ORDERS: Final = {"greatest": "is_greater", "least": "is_less", "earliest": "is_before", "latest": "is_after"}
"""The function that tells whether two things are in an order, by the one that chooses the first."""
_EVENTS: Final = ("event", "later_event")
"""The groups that name an event."""


def split_by_form(question: str, domain: Domain, language: str) -> tuple[QueryNode, ...]:
    """Return the steps of the first form that a question has and whose parts are known; none if it has none.

    Args:
        question: with a small first letter and single spaces, without final punctuation.
        domain: the words of the documents' subject.
        language: ISO 639-1.
    """
    rules = PlanRules.of(language)
    for name, pattern in rules.patterns.items():
        if match := pattern.fullmatch(question):
            groups = {group: words or "" for group, words in match.groupdict().items()}
            known = {group: words for group, words in groups.items() if group not in _EVENTS}
            try:
                values = {**known, "question": question, **_comparison(groups, domain), **_times(groups, language)}
                steps = [" ".join(step.format_map(values).split()) for step in rules.steps[name]]
            except KeyError:  # a quality or an event that is not known
                continue
            return tuple(_nodes(steps))
    return ()


def _nodes(steps: Sequence[str]) -> Iterator[QueryNode]:
    """The nodes of steps, but for those whose function is not known."""
    for number, step in enumerate(steps, start=1):
        computed = _COMPUTED.fullmatch(step)
        if computed is None:
            yield QueryNode(str(number), step)
        elif computed["function"]:
            call = FunctionCall(computed["function"], tuple(computed["arguments"].split("; ")))
            yield QueryNode(str(number), computed["text"], False, call)


def _comparison(groups: Mapping[str, str], domain: Domain) -> Mapping[str, str]:
    """How the quality of a comparative is asked for, if that is known, and the functions that decide by it."""
    adjective = groups.get("adjective", "").lower()
    choice = next((name for name, adjectives in domain.comparing.items() if adjective in adjectives), "")
    quality = {"quality": domain.adjectives[adjective]} if adjective in domain.adjectives else {}
    return {"choice": choice, "order": _ORDERS.get(choice, ""), **quality}


def _times(groups: Mapping[str, str], language: str) -> Mapping[str, str]:
    """The unit of a length of time, days if none is named, and how the date of each event is asked for."""
    unit = groups.get("unit", "").lower()
    events = {name: _happened(groups[name], groups, language) for name in _EVENTS if name in groups}
    known = {name: asked for name, asked in events.items() if asked}
    return {"unit": dict(PlanRules.of(language).units).get(unit, unit) or "days", **known}


def _happened(event: str, groups: Mapping[str, str], language: str) -> str:
    """How the date of an event is asked for, after the question word; empty if it is none.

    A pronoun at its beginning stands for the thing or the subject of the question. KeyError if a thing is named and not
    what it did: `the month before October`.
    """
    rules, owner = PlanRules.of(language), groups.get("thing") or groups.get("subject", "")
    pronoun, _, rest = event.partition(" ")
    if pronoun.lower() in rules.pronouns:
        event = f"{owner} {rest}" if owner else ""
    elif pronoun.lower() in Grammar.of(language).possessive_pronouns:
        event = f"{JoinedQuestions.of(language).owner.format(name=owner)} {rest}" if owner else ""
    for name, pattern in rules.events.items():
        if match := pattern.fullmatch(event):
            said = {group: words for group, words in groups.items() if words}
            return rules.happened[name].format_map({"predicate": "", **said, **match.groupdict()})
    return ""
