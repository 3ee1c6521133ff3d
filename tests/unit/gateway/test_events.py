"""What is made of a turn's events: one message, and counts."""

from collections.abc import AsyncGenerator

from gateway.convert import encoded_event
from gateway.events.event_sender import EventSender
from gateway.events.events import Completed, Event, Restarted, State, TextEnd, TurnEvent
from gateway.events.whole_turn import whole_turn
from gateway.store.event_log import EventLog
from libs.contracts.answers import Citation
from libs.contracts.session import Outcome
from libs.contracts.usage import Degraded, Stage
from libs.runtime.telemetry.telemetry import Ambient, entered
from tests.fakes.telemetry import Recorded


async def events_of(*contents: TurnEvent) -> AsyncGenerator[Event, None]:
    for seq, content in enumerate(contents, start=1):
        yield encoded_event(Event("q-1", seq, content))


async def test_of_a_restarted_turn_only_the_last_run_counts() -> None:
    note = Degraded(Stage.ANSWER, "DEADLINE_NEAR", "later")
    first_run: list[TurnEvent] = [
        Citation(1, reason="first"),
        Citation(2, reason="first"),
        Degraded(Stage.ANSWER, "OTHER", "earlier"),
    ]
    second_run: list[TurnEvent] = [Citation(1, reason="second"), note, TextEnd("It dug."), Completed(Outcome.ANSWERED)]
    whole = await whole_turn(events_of(*first_run, Restarted(), *second_run))
    assert [citation.reason for citation in whole.citations] == ["second"]
    assert [degraded.reason for degraded in whole.degraded] == ["DEADLINE_NEAR"]
    assert (whole.turn_id, whole.answer.text) == ("q-1", "It dug.")


LEFT_OUT = Degraded(Stage.TIMELINE, "DEADLINE_EXCEEDED", "There is no timeline.")


def counts(log: EventLog, metric: str, *events: TurnEvent) -> dict[tuple[object, ...], int]:
    """The values of a counter after a turn, by the values of its attributes."""
    recorded, turn = Recorded(), EventSender("q-1", log, "gateway-1")
    with entered(Ambient(recorded.telemetry)):
        for event in events:
            turn.emit(event)
    values = {tuple(point.attributes.values()): point.value for point in recorded.points(metric)}
    recorded.telemetry.close()
    return values


def test_a_turn_is_counted_once_by_its_outcome(log: EventLog) -> None:
    events = (State(Stage.ANSWER, "writing"), Completed(Outcome.ABSTAINED))
    assert counts(log, "parley.turns", *events) == {("ABSTAINED", False): 1}
    assert counts(log, "parley.degradations", *events) == {}


def test_a_turn_of_which_something_was_left_out_is_degraded(log: EventLog) -> None:
    events = (LEFT_OUT, LEFT_OUT, Completed(Outcome.ANSWERED))
    assert counts(log, "parley.turns", *events) == {("ANSWERED", True): 1}
    assert counts(log, "parley.degradations", *events) == {("TIMELINE", "DEADLINE_EXCEEDED"): 2}
