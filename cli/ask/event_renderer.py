"""Renders the events of turns for people: the answer as it is checked, its pictures, timeline and sources.

A sentence is printed once, after its check, since a terminal cannot take back what it shows. Other events wait until
the text has ended, so that no line interrupts it.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.ask import event_descriptions
from cli.ask.details import Tone, details
from cli.ask.plain import PlainPage
from cli.ask.question_file import ScriptedTurn
from cli.view.output import enum_word, tell, terminal, to_terminal
from libs.text.citation_marks import citation_marks
from parley.client.event_reader import EventReader
from parley.client.released_text import ReleasedText
from parley.context.v1 import answer_pb2, evidence_pb2, timeline_pb2
from parley.gateway.v1 import event_pb2

if TYPE_CHECKING:
    from cli.ask.terminal import TerminalPage  # a parser and a highlighter that other commands do not need

BELOW: Final = frozenset({"timeline", "recommendation", "degraded", "usage", "completed"})
"""Events rendered below the answer, whenever they arrive."""
INSIDE: Final = frozenset({"text", "text_end", "references", "citation", "image", "restarted"})
"""Events of the answer itself."""


def fitting_page() -> "PlainPage | TerminalPage":
    """Return a terminal page if standard output is a terminal, else a plain page."""
    if not to_terminal():
        return PlainPage(sys.stdout)
    from cli.ask.terminal import TerminalPage  # a parser and a highlighter that other commands do not need

    return TerminalPage(terminal())


def _is_of_model(event: event_pb2.Event) -> bool:
    """Whether it says that the language model failed."""
    return event.degraded.reason.startswith("LLM_")


class EventRenderer:
    """Renders turns, one below the other.

    Args:
        page: a terminal, or the lines of a pipe.
        verbose: whether all that led to the answer is shown too: understanding, searches, verdicts, costs and times.
        with_questions: whether each turn is shown below its question.
    """

    def __init__(self, page: "PlainPage | TerminalPage", verbose: bool = False, with_questions: bool = False) -> None:
        self._page = page
        self._verbose = verbose
        self._with_questions = with_questions
        self._is_first = True
        self._renderers: Mapping[str, Callable[[Any], None]] = {
            "state": lambda state: page.working(state.activity),
            "sub_query": self._sub_query,
            "references": self._keep_references,
            "citation": self._citation,
            "image": lambda image: self._images.append(image),
            "timeline": self._timeline,
            "text_end": self._text_end,
            "restarted": self._restarted,
        }

    def _begin(self) -> None:
        """Forget what has come, for a new turn or one that is run anew."""
        self._references: list[evidence_pb2.Reference] = []
        self._citations: dict[int, answer_pb2.Citation] = {}
        self._images: list[answer_pb2.PlacedImage] = []
        self._waiting: list[event_pb2.Event] = []
        self._cited: set[int] = set()
        self._released = ReleasedText()
        self._text_over = False

    def show(self, turn: ScriptedTurn, events: Iterable[event_pb2.Event]) -> None:
        """Render all events of a turn; what has come is whole even if they end with an error."""
        if not self._is_first:
            tell()
        self._is_first = False
        self._begin()
        if self._with_questions:
            self._page.question(turn.question, turn.note)
        reader = EventReader()
        try:
            for event in events:
                self._show_words(self._released.after(reader.read(event)))
                self._show(event)
        finally:
            self._page.end_words()
            if not self._text_over:
                self._cite_marked(self._released.text)
            self._tell_sources()
            self._page.close()

    def _show_words(self, text: str) -> None:
        """Print a further piece of the answer; it begins with its first word."""
        if text := text if self._released.text.strip() != text.strip() else text.lstrip():
            self._page.words(text)

    def _show(self, event: event_pb2.Event) -> None:
        """Render an event, or keep it until its place is reached; ignore unknown kinds from later versions."""
        kind = event.WhichOneof("event")
        if kind is None or (kind == "state" and (event.state.done or self._released.text)):
            return  # the streaming text itself shows progress
        if not self._text_over and kind not in INSIDE and (kind in BELOW or self._released.text):
            if kind == "timeline" or (_is_of_model(event) and not self._verbose):  # a later one replaces it
                alike = _is_of_model if kind == "degraded" else lambda each: each.HasField("timeline")
                self._waiting = [waiting for waiting in self._waiting if not alike(waiting)]
            self._waiting.append(event)
        else:
            self._render(kind, event)

    def _render(self, kind: str, event: event_pb2.Event) -> None:
        if render := self._renderers.get(kind):
            render(getattr(event, kind))
        if kind == "completed" or (kind == "usage" and self._verbose):
            self._tell_sources()
        if self._verbose:
            for label, text, tone in details(event):
                self._page.line(label, text, tone)
        elif event.HasField("degraded"):
            doctor = " `parley doctor` says why." if _is_of_model(event) else ""
            self._page.line("note", event.degraded.effect + doctor, Tone.WARNING)

    def _sub_query(self, event: event_pb2.SubQueryEvent) -> None:
        if event.status == event_pb2.SUB_QUERY_STATUS_STARTED:
            self._page.working(f"searching: {event.text}")

    def _keep_references(self, event: event_pb2.ReferencesEvent) -> None:
        self._references = list(event.references)

    def _restarted(self, event: event_pb2.RestartedEvent) -> None:
        """Forget what was shown, as everything comes again."""
        if self._released.text:
            self._page.end_words()
            self._page.line("restarted", "the gateway went down; the answer is written anew:", Tone.WARNING)
        self._begin()

    def _text_end(self, event: event_pb2.TextEndEvent) -> None:
        self._page.end_words()
        self._text_over = True
        for image in self._images:
            fit = f" ({event_descriptions.fit(image)})" if self._verbose else ""
            self._page.line("picture", event_descriptions.image(image, event.text) + fit)
        self._cite_marked(event.text)
        self._cited.update(event_descriptions.cited_numbers(self._holding()))
        if self._verbose:
            for citation in self._citations.values():
                self._tell_citation(citation)
            for gap in event.gaps:
                self._page.line("gap", f"nothing was found about: {gap}", Tone.WARNING)
        waiting, self._waiting = self._waiting, []
        for waiting_event in waiting:
            self._show(waiting_event)

    def _citation(self, event: answer_pb2.Citation) -> None:
        """Keep a citation; a later one for the same sentence replaces it, and is shown once the text has ended."""
        self._citations[event.sentence] = event
        if self._text_over and self._verbose:
            self._tell_citation(event)

    def _tell_citation(self, citation: answer_pb2.Citation) -> None:
        holds = citation.verdict in (answer_pb2.VERDICT_VERIFIED, answer_pb2.VERDICT_UNSPECIFIED)
        self._page.line("citation", event_descriptions.citation(citation), Tone.QUIET if holds else Tone.WARNING)

    def _holding(self) -> list[answer_pb2.Citation]:
        return [citation for citation in self._citations.values() if citation.verdict != answer_pb2.VERDICT_WITHDRAWN]

    def _cite_marked(self, text: str) -> None:
        """Record the numbers that a text cites, so that their sources are listed at the end."""
        self._cited.update(mark.number for mark in citation_marks(text))

    def _tell_sources(self) -> None:
        """List the cited sources, once, at the end."""
        numbers, self._cited = self._cited, set()
        spans = [span for citation in self._holding() for span in citation.references]
        if sources := event_descriptions.sources_of(self._references, numbers, spans, with_dates=self._verbose):
            self._page.sources(sources)

    def _timeline(self, timeline: timeline_pb2.Timeline) -> None:
        numbers = event_descriptions.numbers_of_passages(self._references)
        rows = [event_descriptions.timeline_row(event, numbers) for event in timeline.events]
        if rows:
            self._page.timeline(enum_word(timeline, "granularity", ""), rows)
        for row in rows:
            self._cite_marked(row.sources)
        for conflict in timeline.conflicts:
            self._page.line("conflict", conflict.reason, Tone.WARNING)
