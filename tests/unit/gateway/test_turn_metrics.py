"""What is counted of a turn."""

from gateway.events.event_sender import EventSender
from gateway.events.events import Completed, State, TurnEvent
from gateway.store.event_log import EventLog
from libs.contracts.session import Outcome
from libs.contracts.usage import Degraded, Stage
from libs.runtime.telemetry.telemetry import Ambient, entered
from tests.fakes.telemetry import Recorded

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
