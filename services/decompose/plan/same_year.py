"""A year identified by an event: "which orbiter was launched in the year that Phoenix landed?"."""

from libs.language.topics.plans import EventForms
from services.decompose.plan.events import when_question
from services.decompose.plan.multi_hop import new_sketch
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain


def split_same_year(question: str, domain: Domain, language: str) -> Split | None:
    """Return sub-queries for the event, its year, and the main question; None if no event identifies a year."""
    forms = EventForms.of(language)
    match = forms.year_at_start.fullmatch(question) or forms.year_at_end.fullmatch(question)
    event_question = when_question(match["event"], domain, language) if match else None
    if not match or not event_question:
        return None
    sketch = new_sketch(domain, language)
    day = sketch.ask(event_question)
    year = sketch.compute(forms.year.format(date=day), "year_of", day)
    main = match["main"]
    sketch.ask(forms.in_year.format(main=main[:1].lower() + main[1:], year=year))
    return sketch.split(f'the year is told by what happened in it: "{event_question}"')
