"""Events of a second run beside the logged ones of the first."""

import pytest

from gateway.events.events import Plan, Recommendation, References, State, TextEnd, TurnEvent, UsageReport
from gateway.events.rerun import Rerun
from libs.contracts.answers import Citation, TextDelta, Verdict
from libs.contracts.evidence import Reference
from libs.contracts.query import QueryGraph
from libs.contracts.usage import Degraded, Stage
from tests.fakes.stages import evidence

FIRST, OTHER = References((Reference(1, evidence("a")),)), References((Reference(1, evidence("b")),))
PLAN, TIMELINE_PLAN = Plan(QueryGraph()), Plan(QueryGraph(), timeline=True)
WEAK = Degraded(Stage.ANSWER, "LLM_TOO_SLOW", "It was too slow.")


def text(sentence: int, words: str) -> TextDelta:
    return TextDelta(1, sentence, words)


def run(logged: list[TurnEvent], again: list[TurnEvent]) -> list[TurnEvent] | None:
    """What is emitted; None if the run is given up."""
    emitted: list[TurnEvent] = []
    rerun = Rerun(logged, emitted.append, lambda event: event)
    for event in again:
        rerun(event)
    return None if rerun.has_diverged else emitted


def test_what_is_logged_is_not_told_again_and_the_rest_is() -> None:
    assert run([PLAN, FIRST], [PLAN, FIRST, text(1, "It landed.")]) == [text(1, "It landed.")]


def test_parts_that_run_side_by_side_may_come_in_another_order() -> None:
    assert run([TIMELINE_PLAN], [PLAN, TIMELINE_PLAN, WEAK]) == [PLAN, WEAK]


def test_an_event_that_occurs_twice_is_told_as_often() -> None:
    assert run([FIRST, text(1, "It")], [FIRST, text(1, "It landed."), FIRST]) == [text(1, " landed."), FIRST]


@pytest.mark.parametrize(
    "pieces",
    [["It landed.", " It dug."], ["It la", "nded.", " It", " dug."], ["It", " landed.", " It dug."]],
)
def test_a_text_goes_on_behind_what_is_logged_however_it_is_cut(pieces: list[str]) -> None:
    sentences = [text(1 if "".join(pieces[: n + 1]) <= "It landed." else 2, piece) for n, piece in enumerate(pieces)]
    emitted = run([FIRST, text(1, "It lan")], [FIRST, *sentences])
    assert emitted is not None
    assert "".join(event.delta for event in emitted if isinstance(event, TextDelta)) == "ded. It dug."


@pytest.mark.parametrize(
    "again",
    [
        [FIRST, text(1, "It fell.")],
        [FIRST, text(1, "It landed."), text(2, " It froze.")],
        [FIRST, text(1, "It landed. Softly.")],
        [FIRST, text(1, "It landed."), TextEnd("It landed.")],
        [OTHER, text(1, "It landed.")],
    ],
    ids=["other words", "other sentence", "a longer sentence", "fewer sentences", "other references"],
)
def test_a_text_that_does_not_fit_is_given_up(again: list[TurnEvent]) -> None:
    assert run([FIRST, text(1, "It landed."), text(2, " It dug.")], again) is None


def test_a_finished_text_stands() -> None:
    logged: list[TurnEvent] = [FIRST, text(1, "It landed."), TextEnd("It landed.")]
    assert run(logged, [FIRST, text(1, "It landed."), TextEnd("It landed.")]) == []
    assert run(logged, [FIRST, text(1, "It landed."), text(2, " It dug.")]) is None
    assert run(logged, [FIRST, text(1, "It landed."), TextEnd("It has landed.")]) is None


def test_other_references_replace_the_logged_ones_until_there_is_text() -> None:
    assert run([FIRST], [OTHER, text(1, "It landed.")]) == [OTHER, text(1, "It landed.")]


def test_another_verdict_replaces_the_logged_one() -> None:
    verified, weak = Citation(1, verdict=Verdict.VERIFIED), Citation(1, verdict=Verdict.WEAK)
    assert run([FIRST, text(1, "It"), verified], [FIRST, text(1, "It"), weak, verified]) == [weak]


def test_logged_times_and_usage_stand() -> None:
    searching = State(Stage.RETRIEVE, "searching", done=True, milliseconds=12.0)
    again = [State(Stage.RETRIEVE, "searching", done=True, milliseconds=0.1), UsageReport((), 5.0)]
    assert run([searching, UsageReport((), 900.0)], again) == []  # type: ignore[arg-type]


def test_after_it_was_given_up_nothing_is_told() -> None:
    emitted: list[TurnEvent] = []
    rerun = Rerun([FIRST, text(1, "It landed.")], emitted.append, lambda event: event)
    stopped: list[bool] = []
    rerun.on_divergence = lambda: stopped.append(True)
    for event in (FIRST, text(1, "It fell."), Recommendation(("And then?",))):
        rerun(event)
    assert (emitted, stopped) == ([], [True])
