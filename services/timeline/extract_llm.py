"""Events by a language model: it chooses among the sentences that the rules dated, words the events and weighs them.

Its output is checked against the sentences (`services.timeline.guards`). The rules still determine the dates of
sentences, which sentences describe the same event, and which contradict each other.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from libs.llm.structured import structured
from services.timeline.candidate_list import CandidateList, DatedEvent, Line
from services.timeline.events import Event
from services.timeline.guards import date_told, worded

TASK: Final = "extract"
PLACES: Final = frozenset(("most", "sentences", "question"))
_TOKENS_OF_EVENT: Final = 60
"""Tokens of a sentence of thirty words, its number and date, as JSON."""
_FOUND_NOTHING: Final = "events: none of them names a sentence of the list and its date"

Importance: TypeAlias = Literal["high", "medium", "low"]
_WEIGHTS: Final[Mapping[Importance, float]] = {"high": 1.0, "medium": 0.7, "low": 0.4}


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event as the model writes it."""

    text: str
    sentences: tuple[int, ...]
    date: str = ""
    importance: Importance = "medium"


@dataclass(frozen=True, slots=True)
class ToldEvents:
    """The form that the model fills in."""

    events: tuple[ToldEvent, ...]


def load_prompt(replaced_by: Path | None = None) -> Prompt:
    """Return the prompt, or its replacement of the same name in the user's folder.

    Raises:
        PromptError: the file is missing or invalid.
    """
    return PromptLibrary(Path(__file__).with_name("prompts"), replaced_by).load(TASK, PLACES)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Extracts events with a model; stateless."""

    model: ChatModel
    prompt: Prompt = field(default_factory=load_prompt)

    async def extract(self, question: str, sheet: CandidateList, most: int) -> dict[int, Event]:
        """Return the events that the model chooses, by their position in the course behind the candidate list.

        Raises:
            LlmError: the model failed, or none of its events was usable in two attempts.
        """
        messages = self.prompt.messages(
            {"most": most, "sentences": sheet.block(), "question": DataBlock.of([question])}
        )
        filled, _ = await structured(
            self.model,
            messages,
            ToldEvents,
            task=TASK,
            max_tokens=_TOKENS_OF_EVENT * (most + 1),
            check=lambda told: None if any(_named(event, sheet) for event in told.events[:most]) else _FOUND_NOTHING,
        )
        return await asyncio.to_thread(accepted, filled.events[:most], sheet)


def accepted(told: Sequence[ToldEvent], sheet: CandidateList) -> dict[int, Event]:
    """Return the model's events that the sentences support, by position in the course; the first of each wins."""
    chosen: dict[int, Event] = {}
    for event in told:
        named = _named(event, sheet)
        if named and named.position not in chosen:
            chosen[named.position] = _as_told(event, named)
    return chosen


@dataclass(frozen=True, slots=True)
class _Named:
    """The targets of a model's event: its lines, the rule-based event with its date, and that event's position."""

    lines: Sequence[Line]
    dated: DatedEvent
    position: int


def _named(told: ToldEvent, sheet: CandidateList) -> _Named | None:
    """Return None if a sentence does not exist, none has the date, or the event with it may not be included."""
    lines = [sheet.at(number) for number in dict.fromkeys(told.sentences)]
    known = [line for line in lines if line]
    dated = date_told(told.date, [d for line in known for d in line.dated])
    if len(known) < len(lines) or dated is None or dated.position is None:
        return None
    return _Named(known, dated, dated.position)


def _as_told(told: ToldEvent, named: _Named) -> Event:
    """Return the rule-based event with the model's wording and weight."""
    own = next(line for line in named.lines if any(dated is named.dated for dated in line.dated))
    kept = named.dated.kept
    is_here = kept.dated is named.dated.event.dated
    before = [line.sentence.text for line in named.lines if is_here and line.leads_to(own)]
    score = _WEIGHTS[told.importance] * (1 + kept.score) / 2
    return replace(kept, text=worded(told.text, kept, before), score=score)
