"""Tells the events of a turn on a page, in the order in which a person reads them.

How the question was understood comes as it happens, then the answer's words as they stream in. What else happens
meanwhile waits until the text is over, so that no line breaks into it; pictures, references and verdicts follow the
text.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from gateway.cli.ask import wording
from gateway.cli.ask.page import Dated, Page, Tone
from parley.context.v1 import answer_pb2, evidence_pb2, timeline_pb2, understanding_pb2
from parley.gateway.v1 import event_pb2

MARKER: Final = re.compile(r"\[(\d+)\]")
BELOW: Final = frozenset({"timeline", "recommendation", "degraded", "usage", "completed"})
"""Events that are told below the answer, whenever they come."""
INSIDE: Final = frozenset({"text", "text_end", "references", "citation", "image"})
"""Events of the answer itself."""


class Telling:
    """One turn."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._references: list[evidence_pb2.Reference] = []
        self._citations: dict[int, answer_pb2.Citation] = {}
        self._images: list[answer_pb2.PlacedImage] = []
        self._waiting: list[event_pb2.Event] = []
        self._streamed = ""
        self._place = (0, 0)
        self._text_over = False
        self._ways: Mapping[str, Callable[[Any], None]] = {
            "state": lambda found: page.working(found.activity),
            "understanding": self._understanding,
            "condensed": lambda found: page.line("condensed", wording.condensed(found), Tone.QUIET),
            "plan": self._plan,
            "sub_query": self._sub_query,
            "references": lambda found: self._references.extend(found.references),
            "text": self._text,
            "citation": self._citation,
            "image": self._images.append,
            "timeline": self._timeline,
            "text_end": self._text_end,
            "recommendation": self._recommendation,
            "degraded": lambda found: page.line("degraded", wording.degraded(found), Tone.WARNING),
            "usage": self._usage,
            "completed": lambda found: page.line("outcome", wording.outcome(found), Tone.QUIET),
        }

    def show(self, event: event_pb2.Event) -> None:
        """Tell an event, or keep it until its place comes. An unknown one, from a later version, is passed over."""
        kind = event.WhichOneof("event")
        if kind is None or kind not in self._ways:
            return
        if self._must_wait(kind):
            if kind == "timeline":  # a later one replaces it
                self._waiting = [waiting for waiting in self._waiting if not waiting.HasField("timeline")]
            self._waiting.append(event)
        else:
            self._ways[kind](getattr(event, kind))

    def close(self) -> None:
        """The stream is over, well or not."""
        self._page.close()

    def _must_wait(self, kind: str) -> bool:
        if self._text_over or kind in INSIDE:
            return False
        return kind in BELOW or bool(self._streamed)

    def _understanding(self, found: understanding_pb2.Understanding) -> None:
        for phrase in found.grounded:
            self._page.line("grounded", wording.grounded(phrase), Tone.QUIET)
        if found.question_rejection.is_reject:
            self._page.line("refused", wording.rejection(found.question_rejection), Tone.QUIET)

    def _plan(self, found: event_pb2.PlanEvent) -> None:
        if told := wording.plan(found):
            self._page.line("timeline plan" if found.timeline else "plan", told, Tone.QUIET)

    def _sub_query(self, found: event_pb2.SubQueryEvent) -> None:
        if found.status == event_pb2.SUB_QUERY_STATUS_STARTED:
            self._page.working(f"searching: {found.text}")
            return
        failed = found.status == event_pb2.SUB_QUERY_STATUS_DEGRADED
        self._page.line("searched", wording.sub_query(found), Tone.WARNING if failed else Tone.QUIET)

    def _text(self, found: answer_pb2.TextDelta) -> None:
        piece = self._joint(found) + found.delta
        self._place = (found.paragraph, found.sentence)
        self._streamed += piece
        self._page.words(piece)

    def _joint(self, found: answer_pb2.TextDelta) -> str:
        """What parts a piece from the one before, where the pieces themselves do not."""
        paragraph, sentence = self._place
        if not self._streamed or not found.delta or found.sentence == sentence:
            return ""
        before, after = self._streamed[-1], found.delta[0]
        if found.paragraph != paragraph:
            return "" if before == "\n" or after == "\n" else "\n\n"
        return "" if before.isspace() or after.isspace() else " "

    def _text_end(self, found: event_pb2.TextEndEvent) -> None:
        if found.text.split() != self._streamed.split():
            if self._streamed:
                self._page.end_words()
                self._page.line("checked", "what holds of the answer:", Tone.WARNING)
            self._page.words(found.text)
        self._page.end_words()
        self._text_over = True
        for image in self._images:
            self._page.line("picture", wording.image(image, found.text))
        self._tell_references(found.text)
        for gap in found.gaps:
            self._page.line("gap", f"nothing was found about: {gap}", Tone.WARNING)
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            self.show(event)

    def _tell_references(self, text: str) -> None:
        citations = self._citations.values()
        holding = [found for found in citations if found.verdict != answer_pb2.VERDICT_WITHDRAWN]
        cited = {int(number) for number in MARKER.findall(text)} | set(wording.cited_numbers(holding))
        for reference in self._references:
            if reference.number in cited:
                passage = reference.evidence.passage
                title = passage.title or passage.document_id
                self._page.reference(reference.number, title, passage.date, passage.url)
        for citation in citations:
            self._tell_citation(citation)

    def _citation(self, found: answer_pb2.Citation) -> None:
        """A later one of a sentence replaces it; once the text is over, it is told by itself."""
        self._citations[found.sentence] = found
        if self._text_over:
            self._tell_citation(found)

    def _tell_citation(self, found: answer_pb2.Citation) -> None:
        holds = found.verdict in (answer_pb2.VERDICT_VERIFIED, answer_pb2.VERDICT_UNSPECIFIED)
        self._page.line("citation", wording.citation(found), Tone.QUIET if holds else Tone.WARNING)

    def _timeline(self, found: timeline_pb2.Timeline) -> None:
        numbers = wording.numbers_of_passages(self._references)
        rows = [
            Dated(wording.when(event), event.text, wording.sources(event, numbers), bool(event.highlights))
            for event in found.events
        ]
        if rows:
            self._page.timeline(wording.unit(found), rows)
        for conflict in found.conflicts:
            self._page.line("conflict", conflict.reason, Tone.WARNING)

    def _recommendation(self, found: event_pb2.RecommendationEvent) -> None:
        for question in found.questions:
            self._page.line("next", question)

    def _usage(self, found: event_pb2.UsageEvent) -> None:
        self._page.line("usage", wording.usage(found), Tone.QUIET)
        for part, spent in (("rewriting", found.rewriting), ("answering", found.answering)):
            if told := wording.spending(spent):
                self._page.line(part, told, Tone.QUIET)
        if told := wording.times(found):
            self._page.line("ms", told, Tone.QUIET)
