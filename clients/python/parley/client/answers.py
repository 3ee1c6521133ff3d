"""A finished answer, and how it is put together from a turn's events; nothing is called or raised here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Final

from parley.client import events as typed
from parley.client.notebook import list_html, paragraphs_html
from parley.client.values import Citation, Degraded, Outcome, PlacedImage, Reference, Timeline, Usage


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer; shown as HTML in a notebook."""

    question: str
    standalone_question: str = ""
    """The question with what it leaves to the conversation filled in."""
    text: str = ""
    """CommonMark, with citation markers such as [1]."""
    outcome: Outcome = Outcome.UNSPECIFIED
    references: tuple[Reference, ...] = ()
    """The passages that it may cite."""
    citations: tuple[Citation, ...] = ()
    """One for each checked sentence, in the order of the text."""
    images: tuple[PlacedImage, ...] = ()
    timeline: Timeline | None = None
    recommendations: tuple[str, ...] = ()
    """Follow-up questions to propose."""
    degraded: tuple[Degraded, ...] = ()
    gaps: tuple[str, ...] = ()
    """Sub-questions for which nothing was found."""
    engine: str = ""
    """What wrote it: `rules` or `llm`; empty for a fixed text."""
    usage: Usage = field(default_factory=Usage)
    abstain_score: float = 0.0
    """Estimate that the documents do not contain an answer, 0 to 1."""
    turn_id: str = ""
    session_id: str = ""
    """The session that stores the turn; empty if the client stores the conversation."""
    context: str = ""
    """The encoded conversation, if the client stores it."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        parts = (
            paragraphs_html(self.text, {reference.number: reference.passage.text for reference in self.references}),
            "" if self.outcome is Outcome.ANSWERED else f"<p><em>{escape(self.outcome)}</em></p>",
            self._references_html(),
            "" if self.timeline is None else self.timeline._repr_html_(),
            list_html("You may also ask", self.recommendations),
            list_html("Not complete", [each.effect for each in self.degraded]),
        )
        return f'<div class="parley-answer">{"".join(parts)}</div>'

    def _references_html(self) -> str:
        """The passages that the answer cites, each number once."""
        cited = {span.number for citation in self.citations for span in citation.spans}
        passages = {each.number: each.passage for each in reversed(self.references) if each.number in cited}
        items = "".join(f'<li value="{number}">{passages[number].source_html}</li>' for number in sorted(passages))
        return f"<ol>{items}</ol>" if items else ""


class AnswerBuilder:
    """Puts an answer together, event by event."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._answer = Answer(question)
        self._citations: dict[int, Citation] = {}
        self.is_complete = False

    def add(self, event: typed.TurnEvent) -> None:
        """Take an event in; one of another turn than before, and a restart, begin a new answer."""
        if event.turn_id != self._answer.turn_id or isinstance(event, typed.RestartedEvent):
            self._answer = Answer(self._question, turn_id=event.turn_id)
            self._citations.clear()
        if isinstance(event, typed.CitationEvent):
            self._citations[event.citation.sentence] = event.citation
        self._answer = _with(self._answer, event)
        self.is_complete = isinstance(event, typed.CompletedEvent)

    def answer(self) -> Answer:
        """The answer as far as it has come."""
        citations = (citation for _, citation in sorted(self._citations.items()))
        return replace(self._answer, citations=tuple(citations))


def _with(answer: Answer, event: typed.TurnEvent) -> Answer:
    changes = _CHANGES.get(type(event))
    return replace(answer, **changes(answer, event)) if changes else answer


_CHANGES: Final[Mapping[type[typed.TurnEvent], Callable[[Answer, Any], dict[str, Any]]]] = {
    typed.CondensedEvent: lambda _, event: {"standalone_question": event.standalone},
    typed.ReferencesEvent: lambda _, event: {"references": event.references},
    typed.TextEvent: lambda answer, event: {"text": answer.text + event.delta},
    typed.TextEndEvent: lambda _, event: {"text": event.text, "gaps": event.gaps, "engine": event.engine},
    typed.ImageEvent: lambda answer, event: {"images": (*answer.images, event.image)},
    typed.TimelineEventsEvent: lambda _, event: {"timeline": event.timeline},
    typed.RecommendationEvent: lambda _, event: {"recommendations": event.questions},
    typed.DegradedEvent: lambda answer, event: {"degraded": (*answer.degraded, event.degraded)},
    typed.UsageEvent: lambda _, event: {"usage": event.usage},
    typed.CompletedEvent: lambda _, event: {
        "outcome": event.outcome,
        "abstain_score": event.abstain_score,
        "session_id": event.session_id,
        "context": event.context,
    },
}
"""The fields of an answer that an event changes."""
