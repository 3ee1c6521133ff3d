"""A year identified by an event: "which orbiter was launched in the year that Phoenix landed?"."""

import regex

from services.decompose.plan.events import when_question
from services.decompose.plan.multi_hop import new_sketch
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain

_YEAR = r"in\s+the\s+(?:same\s+|very\s+)?year\s+(?:in\s+which|that|when|as|of)\s+"
_AT_END = regex.compile(rf"(?P<main>.+?)\s+{_YEAR}(?P<event>.+)", regex.IGNORECASE)
_AT_BEGINNING = regex.compile(rf"{_YEAR}(?P<event>[^,]+),\s*(?P<main>.+)", regex.IGNORECASE)


def split_same_year(question: str, domain: Domain) -> Split | None:
    """Return sub-queries for the event, its year, and the main question; None if no event identifies a year."""
    match = _AT_BEGINNING.fullmatch(question) or _AT_END.fullmatch(question)
    event_question = when_question(match["event"], domain) if match else None
    if not match or not event_question:
        return None
    sketch = new_sketch(domain)
    day = sketch.ask(event_question)
    year = sketch.compute(f"the year of {day}", "year_of", day)
    main = match["main"]
    sketch.ask(f"{main[:1].lower()}{main[1:]} in {year}")
    return sketch.split(f'the year is told by what happened in it: "{event_question}"')
