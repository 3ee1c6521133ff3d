"""The content of a turn's events as one message."""

from collections.abc import AsyncGenerator

from gateway.convert import encoded_event
from gateway.events.events import Completed, Event, Restarted, TextEnd, TurnEvent
from gateway.events.whole_turn import whole_turn
from libs.contracts.answers import Citation
from libs.contracts.session import Outcome
from libs.contracts.usage import Degraded, Stage


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
