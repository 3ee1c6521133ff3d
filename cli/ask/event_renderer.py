"""Renders a turn's events for people: the answer as it streams, its pictures, timeline and sources.

Other events wait until the text has ended, so that no line interrupts it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from cli.ask import event_descriptions
from cli.ask.reference_sources import numbers_of_passages, sources_of
from cli.ask.turn_view import TimelineRow, Tone, TurnView
from parley.context.v1 import answer_pb2, evidence_pb2, timeline_pb2, usage_pb2
from parley.gateway.v1 import event_pb2

MARKER: Final = re.compile(r"\[(\d+)\]")
BELOW: Final = frozenset({"timeline", "recommendation", "degraded", "usage", "completed"})
"""Events rendered below the answer, whenever they arrive."""
INSIDE: Final = frozenset({"text", "text_end", "references", "citation", "image", "restarted"})
"""Events of the answer itself."""


class EventRenderer:
    """Renders one turn."""

    tells_dates = False
    """Whether sources show the dates of their documents."""

    def __init__(self, page: TurnView) -> None:
        self._page = page
        self._render_kind = self._renderers()
        self._begin()

    def _begin(self) -> None:
        self._references: list[evidence_pb2.Reference] = []
        self._citations: dict[int, answer_pb2.Citation] = {}
        self._images: list[answer_pb2.PlacedImage] = []
        self._waiting: list[event_pb2.Event] = []
        self._cited: set[int] = set()
        self._streamed = ""
        self._place = (0, 0)
        self._text_over = False

    def _renderers(self) -> Mapping[str, Callable[[Any], None]]:
        """The method that renders each kind of event."""
        return {
            "state": lambda event: self._page.working(event.activity),
            "sub_query": self._sub_query,
            "references": self._keep_references,
            "text": self._text,
            "citation": self._citation,
            "image": lambda image: self._images.append(image),
            "timeline": self._timeline,
            "text_end": self._text_end,
            "degraded": self._degraded,
            "completed": lambda event: self._tell_sources(),
            "restarted": self._restarted,
        }

    def show(self, event: event_pb2.Event) -> None:
        """Render an event, or keep it until its place is reached; ignore unknown kinds from later versions."""
        kind = event.WhichOneof("event")
        if kind is None or kind not in self._render_kind:
            return
        if kind == "state" and (event.state.done or self._streamed):  # the streaming text itself shows progress
            return
        if self._must_wait(kind):
            if kind == "timeline":  # a later timeline replaces it
                self._waiting = [waiting for waiting in self._waiting if not waiting.HasField("timeline")]
            self._waiting.append(event)
        else:
            self._render_kind[kind](getattr(event, kind))

    def close(self) -> None:
        """End the rendering, whether the stream ended well or not."""
        self._page.end_words()
        if not self._text_over:
            self._cite(int(number) for number in MARKER.findall(self._streamed))
        self._tell_sources()
        self._page.close()

    def _must_wait(self, kind: str) -> bool:
        if self._text_over or kind in INSIDE:
            return False
        return kind in BELOW or bool(self._streamed)

    def _restarted(self, event: event_pb2.RestartedEvent) -> None:
        """Forget what was shown, as everything comes again."""
        if self._streamed:
            self._page.end_words()
            self._page.line("restarted", "the gateway went down; the answer is written anew:", Tone.WARNING)
        self._begin()

    def _sub_query(self, event: event_pb2.SubQueryEvent) -> None:
        if event.status == event_pb2.SUB_QUERY_STATUS_STARTED:
            self._page.working(f"searching: {event.text}")

    def _keep_references(self, event: event_pb2.ReferencesEvent) -> None:
        self._references = list(event.references)

    def _degraded(self, event: usage_pb2.Degraded) -> None:
        self._page.line("note", event.effect, Tone.WARNING)

    def _text(self, event: answer_pb2.TextDelta) -> None:
        piece = self._joint(event) + event.delta
        self._place = (event.paragraph, event.sentence)
        self._streamed += piece
        self._page.words(piece)

    def _joint(self, event: answer_pb2.TextDelta) -> str:
        """Return the separator before a piece, where the pieces themselves contain none."""
        paragraph, sentence = self._place
        if not self._streamed or not event.delta or event.sentence == sentence:
            return ""
        before, after = self._streamed[-1], event.delta[0]
        if event.paragraph != paragraph:
            return "" if before == "\n" or after == "\n" else "\n\n"
        return "" if before.isspace() or after.isspace() else " "

    def _text_end(self, event: event_pb2.TextEndEvent) -> None:
        if event.text.split() != self._streamed.split():
            if self._streamed:
                self._page.end_words()
                self._page.line("checked", "what holds of the answer:", Tone.WARNING)
            self._page.words(event.text)
        self._page.end_words()
        self._text_over = True
        for image in self._images:
            self._page.line("picture", self._image(image, event.text))
        self._cite(int(number) for number in MARKER.findall(event.text))
        self._cite(event_descriptions.cited_numbers(self._holding()))
        self._below_text(event)
        waiting, self._waiting = self._waiting, []
        for waiting_event in waiting:
            self.show(waiting_event)

    def _below_text(self, event: event_pb2.TextEndEvent) -> None:
        """Render what belongs between the text and the waiting events; nothing by default."""

    def _image(self, image: answer_pb2.PlacedImage, text: str) -> str:
        return event_descriptions.image(image, text)

    def _holding(self) -> list[answer_pb2.Citation]:
        return [citation for citation in self._citations.values() if citation.verdict != answer_pb2.VERDICT_WITHDRAWN]

    def _cite(self, numbers: Iterable[int]) -> None:
        """Record cited numbers, so that their sources are listed at the end."""
        self._cited.update(numbers)

    def _tell_sources(self) -> None:
        """List the cited sources, once, at the end."""
        numbers, self._cited = self._cited, set()
        passages = {span.passage_id for citation in self._holding() for span in citation.references}
        if sources := sources_of(self._references, numbers, passages, with_dates=self.tells_dates):
            self._page.sources(sources)

    def _citation(self, event: answer_pb2.Citation) -> None:
        """Keep a citation; a later one for the same sentence replaces it."""
        self._citations[event.sentence] = event

    def _timeline(self, event: timeline_pb2.Timeline) -> None:
        numbers = numbers_of_passages(self._references)
        rows = [
            TimelineRow(
                event_descriptions.when(timeline_event),
                timeline_event.text,
                event_descriptions.sources(timeline_event, numbers),
                bool(timeline_event.highlights),
            )
            for timeline_event in event.events
        ]
        if rows:
            self._page.timeline(event_descriptions.unit(event), rows)
        for row in rows:
            self._cite(int(number) for number in MARKER.findall(row.sources))
        for conflict in event.conflicts:
            self._page.line("conflict", conflict.reason, Tone.WARNING)
