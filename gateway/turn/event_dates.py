"""Dates the event that a turn is about by the passages that were found for it."""

from collections.abc import Iterable
from dataclasses import replace

from gateway.turn.turn_run import TurnRun
from libs.chronology.named_events import dated
from libs.contracts.evidence import Reference
from libs.contracts.understanding import Understanding
from libs.runtime.threads import in_thread


async def with_event_date(run: TurnRun, understanding: Understanding, found: Iterable[Reference]) -> Understanding:
    """Return what was understood with the date of its event; the same object if it has one, or they tell none."""
    event = understanding.related_event
    if event is None or event.date:
        return understanding
    texts = [reference.evidence.passage.text for reference in found]
    dated_event = await in_thread(dated, event, texts, run.reading.language)
    return replace(understanding, related_event=dated_event) if dated_event.date else understanding


async def tell_event_date(run: TurnRun, understanding: Understanding) -> None:
    """Emit what was understood again if the references date its event, and keep it in the turn."""
    with_date = await with_event_date(run, understanding, run.turn.references)
    run.update(understanding=with_date)
    if with_date is not understanding:
        run.emit(with_date)
