"""Renders a turn with all that led to it: question understanding, searches, verdicts, costs and times."""

from collections.abc import Callable, Mapping
from typing import Any

from cli.ask import event_descriptions
from cli.ask.event_renderer import EventRenderer
from cli.ask.turn_view import Tone
from parley.context.v1 import answer_pb2, query_pb2, understanding_pb2, usage_pb2
from parley.gateway.v1 import event_pb2


class FullEventRenderer(EventRenderer):
    """Renders one turn, with how its answer came about."""

    tells_dates = True

    def _renderers(self) -> Mapping[str, Callable[[Any], None]]:
        return {
            **super()._renderers(),
            "understanding": self._understanding,
            "condensed": self._condensed,
            "plan": self._plan,
            "recommendation": self._recommendation,
            "usage": self._usage,
            "completed": self._completed,
        }

    def _understanding(self, event: understanding_pb2.Understanding) -> None:
        for phrase in event.grounded:
            self._page.line("grounded", event_descriptions.grounded(phrase), Tone.QUIET)
        if event.question_rejection.is_reject:
            self._page.line("refused", event_descriptions.rejection(event.question_rejection), Tone.QUIET)

    def _condensed(self, event: query_pb2.DecisionRecord) -> None:
        self._page.line("condensed", event_descriptions.condensed(event), Tone.QUIET)

    def _plan(self, event: event_pb2.PlanEvent) -> None:
        if parts := event_descriptions.plan(event):
            self._page.line("timeline plan" if event.timeline else "plan", parts, Tone.QUIET)

    def _sub_query(self, event: event_pb2.SubQueryEvent) -> None:
        super()._sub_query(event)
        if event.status != event_pb2.SUB_QUERY_STATUS_STARTED:
            has_failed = event.status == event_pb2.SUB_QUERY_STATUS_DEGRADED
            self._page.line("searched", event_descriptions.sub_query(event), Tone.WARNING if has_failed else Tone.QUIET)

    def _image(self, image: answer_pb2.PlacedImage, text: str) -> str:
        return f"{event_descriptions.image(image, text)} ({event_descriptions.fit(image)})"

    def _below_text(self, event: event_pb2.TextEndEvent) -> None:
        for citation in self._citations.values():
            self._tell_citation(citation)
        for gap in event.gaps:
            self._page.line("gap", f"nothing was found about: {gap}", Tone.WARNING)

    def _citation(self, event: answer_pb2.Citation) -> None:
        """Keep a citation; once the text has ended, show it at once."""
        super()._citation(event)
        if self._text_over:
            self._tell_citation(event)

    def _tell_citation(self, citation: answer_pb2.Citation) -> None:
        holds = citation.verdict in (answer_pb2.VERDICT_VERIFIED, answer_pb2.VERDICT_UNSPECIFIED)
        self._page.line("citation", event_descriptions.citation(citation), Tone.QUIET if holds else Tone.WARNING)

    def _degraded(self, event: usage_pb2.Degraded) -> None:
        self._page.line("degraded", event_descriptions.degraded(event), Tone.WARNING)

    def _recommendation(self, event: event_pb2.RecommendationEvent) -> None:
        for question in event.questions:
            self._page.line("next", question)

    def _usage(self, event: event_pb2.UsageEvent) -> None:
        self._tell_sources()
        self._page.line("usage", event_descriptions.usage(event), Tone.QUIET)
        for part, part_usage in (("rewriting", event.rewriting), ("answering", event.answering)):
            if spending := event_descriptions.spending(part_usage):
                self._page.line(part, spending, Tone.QUIET)
        if times := event_descriptions.times(event):
            self._page.line("ms", times, Tone.QUIET)

    def _completed(self, event: event_pb2.CompletedEvent) -> None:
        self._tell_sources()
        self._page.line("outcome", event_descriptions.outcome(event), Tone.QUIET)
