"""Events by a language model: it chooses among the sentences that the rules dated, words the events and weighs them.

Its output is checked against the sentences (`support_checks`), in a thread; the model is awaited. The rules still
determine the dates of sentences, which describe the same event, and which contradict each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.runtime.threads import in_thread
from services.timeline.by_model.candidate_list import CandidateList, DatedEvent, Line
from services.timeline.by_model.support_checks import checked_wording, event_of_date
from services.timeline.extraction.events import EventCandidate

TASK: Final = "extract"
PROMPT: Final = (TASK, frozenset(("most", "sentences", "question")))
"""The prompt's name, and the placeholders that it may have."""
_TOKENS_OF_EVENT: Final = 60
"""Tokens of a sentence of thirty words, its number and date, as JSON (taste)."""
_NO_EVENTS: Final = "events: none of them names a sentence of the list and its date"

Importance: TypeAlias = Literal["high", "medium", "low"]
_WEIGHTS: Final[Mapping[Importance, float]] = {"high": 1.0, "medium": 0.7, "low": 0.4}  # by hand


@dataclass(frozen=True, slots=True)
class ModelEvent:
    """An event as the model writes it."""

    text: str
    sentences: tuple[int, ...]
    date: str = ""
    importance: Importance = "medium"


@dataclass(frozen=True, slots=True)
class ModelEvents:
    """The form that the model fills in."""

    events: tuple[ModelEvent, ...]


@dataclass(frozen=True, slots=True)
class Extractor:
    """Extracts events with a model; stateless."""

    model: ChatModel
    prompt: Prompt

    async def extract(self, question: str, sheet: CandidateList, most: int) -> dict[int, EventCandidate]:
        """Return the events that the model chooses, by their position in the assembly behind the candidate list.

        Raises:
            LlmError: the model failed, or none of its events was usable in two attempts.
        """
        messages = self.prompt.messages(
            {"most": most, "sentences": sheet.block(), "question": DataBlock.of([question])}
        )
        answer, _ = await complete_form(
            self.model,
            messages,
            ModelEvents,
            task=TASK,
            max_tokens=_TOKENS_OF_EVENT * (most + 1),
            check=lambda form: None if any(_find_target(event, sheet) for event in form.events[:most]) else _NO_EVENTS,
        )
        return await in_thread(supported_events, answer.events[:most], sheet)


def supported_events(model_events: Sequence[ModelEvent], sheet: CandidateList) -> dict[int, EventCandidate]:
    """Return the model's events that the sentences support, by position in the assembly; the first of each wins."""
    events: dict[int, EventCandidate] = {}
    for event in model_events:
        target = _find_target(event, sheet)
        if target and target.position not in events:
            events[target.position] = _reword(event, target)
    return events


@dataclass(frozen=True, slots=True)
class _EventTarget:
    """The targets of a model's event: its lines, the rule-based event with its date, and that event's position."""

    lines: Sequence[Line]
    dated_event: DatedEvent
    position: int


def _find_target(model_event: ModelEvent, sheet: CandidateList) -> _EventTarget | None:
    """Return None if a sentence does not exist, none has the date, or the event with it may not be included."""
    lines = [sheet.at(number) for number in dict.fromkeys(model_event.sentences)]
    existing = [line for line in lines if line]
    dated_event = event_of_date(model_event.date, [candidate for line in existing for candidate in line.dated_events])
    if len(existing) < len(lines) or dated_event is None or dated_event.position is None:
        return None
    return _EventTarget(existing, dated_event, dated_event.position)


def _reword(model_event: ModelEvent, target: _EventTarget) -> EventCandidate:
    """Return the rule-based event with the model's wording and weight."""
    dated_line = next(line for line in target.lines if any(event is target.dated_event for event in line.dated_events))
    course_event = target.dated_event.course_event
    is_here = course_event.dated_sentence is target.dated_event.event.dated_sentence
    before = [line.sentence.text for line in target.lines if is_here and line.leads_to(dated_line)]
    score = _WEIGHTS[model_event.importance] * (1 + course_event.score) / 2
    return replace(course_event, text=checked_wording(model_event.text, course_event, before), score=score)
