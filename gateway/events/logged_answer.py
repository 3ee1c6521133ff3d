"""The answer of a turn as far as it is logged, for a turn that cannot be run to its end again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from gateway.events.event_stream import Emit
from gateway.events.events import Plan, References, TextEnd, TurnEvent
from gateway.turn.turn_run import TurnRun
from libs.contracts.answers import Answer, Citation, PlacedImage, TextDelta, Verdict
from libs.contracts.query import DecisionRecord
from libs.contracts.session import Outcome
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage

T = TypeVar("T")

INTERRUPTED: Final = "TURN_INTERRUPTED"
CUT_SHORT: Final = "The gateway went down while the answer was being written; it ends with the last whole sentence."
BROKEN_OFF: Final = "The gateway went down before this sentence was complete."
PARAGRAPH_END: Final = "\n\n"


def end_from_log(run: TurnRun, logged: Sequence[TurnEvent], emit: Emit) -> None:
    """Take the logged events over into the run's result, and emit what an answer still needs."""
    answer, result = LoggedAnswer.of(logged), run.result
    references = _last(logged, References)
    graph = next((event.graph for event in logged if isinstance(event, Plan) and not event.timeline), result.graph)
    run.update(
        record=_last(logged, DecisionRecord) or result.record,
        understanding=_last(logged, Understanding) or result.understanding,
        timeline=_last(logged, Timeline) or result.timeline,
        graph=graph,
        references=references.references if references is not None else result.references,
        outcome=Outcome.ANSWERED,
        answer=answer.answer,
    )
    if answer.end is None:
        for citation in answer.withdrawn:
            emit(citation)
        emit(Degraded(Stage.ANSWER, INTERRUPTED, CUT_SHORT))
        emit(TextEnd(answer.text))


@dataclass(frozen=True, slots=True)
class LoggedAnswer:
    """What the log has of an answer."""

    sentences: dict[int, TextDelta]
    """The text of each sentence as one piece, with the separator before it, by number."""
    citations: dict[int, Citation]
    """The last citation of each sentence, by number."""
    images: tuple[PlacedImage, ...]
    end: TextEnd | None

    @classmethod
    def of(cls, logged: Sequence[TurnEvent]) -> "LoggedAnswer":
        """Collect it from the events."""
        sentences: dict[int, TextDelta] = {}
        for event in logged:
            if isinstance(event, TextDelta):
                earlier = sentences.get(event.sentence)
                sentences[event.sentence] = replace(earlier, delta=earlier.delta + event.delta) if earlier else event
        citations = {event.sentence: event for event in logged if isinstance(event, Citation)}
        images = tuple(event for event in logged if isinstance(event, PlacedImage))
        return cls(sentences, citations, images, _last(logged, TextEnd))

    @property
    def withdrawn(self) -> tuple[Citation, ...]:
        """The withdrawal of the last sentence, if it may be incomplete: nothing follows it and it was not checked."""
        last = max(self.sentences, default=0)
        if not last or last in self.citations or self.end is not None:
            return ()
        return (Citation(last, verdict=Verdict.WITHDRAWN, reason=BROKEN_OFF, replacement=""),)

    @property
    def answer(self) -> Answer:
        """The answer that remains."""
        citations = {**self.citations, **{citation.sentence: citation for citation in self.withdrawn}}
        given = tuple(citations[number] for number in sorted(citations))
        if self.end is not None:
            return Answer(self.end.text, given, self.images, gaps=self.end.gaps, engine=self.end.engine)
        return Answer(self.text, given, self.images)

    @property
    def text(self) -> str:
        """The whole sentences, without those that were withdrawn."""
        withdrawn = {citation.sentence for citation in self.withdrawn}
        paragraphs: dict[int, str] = {}
        for number in sorted(self.sentences.keys() - withdrawn):
            piece = self.sentences[number]
            said = piece.delta.lstrip()
            gap = piece.delta[: len(piece.delta) - len(said)]
            citation = self.citations.get(number)
            if citation is not None and citation.replacement is not None:
                said = citation.replacement
            if said:
                before = paragraphs.get(piece.paragraph)
                paragraphs[piece.paragraph] = said if before is None else before + gap + said
        return PARAGRAPH_END.join(paragraphs.values())


def _last(logged: Sequence[TurnEvent], kind: type[T]) -> T | None:
    return next((event for event in reversed(logged) if isinstance(event, kind)), None)
