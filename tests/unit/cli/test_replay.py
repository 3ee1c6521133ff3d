"""A recorded turn is run again from the command line: which calls differ, and where first."""

import json
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from libs.runtime.errors import NotFound
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import replay_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import ANSWERED, turn


def replay_response(number: int, verdict: str, *paths: str, count: int = 0, withheld: bool = False) -> Any:
    values = {"withheld": True} if withheld else {"recorded_value": "1969", "replayed_value": ""}
    call = {"number": number, "stage": "STAGE_ANSWER", "method": "Write"}
    content = {
        "call": call,
        "verdict": f"REPLAY_VERDICT_{verdict}",
        "differences": [{"path": path, **values} for path in paths],
        "difference_count": count or len(paths),
    }
    return ParseDict(content, replay_pb2.ReplayResponse())


def test_the_first_differences_are_shown_and_the_exit_code_says_so(gateway: Any, parley: Run) -> None:
    gateway.replay_responses = [
        replay_response(1, "DIFFERENT", *(f"result.answer.citations[{n}].score" for n in range(5)), count=7)
    ]
    result = parley("replay", "q-1")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:4] == [
        "1. answer Write: different in 7 places",
        "  result.answer.citations[0].score",
        "    recorded 1969",
        "    replayed (nothing)",
    ]
    assert result.stdout.splitlines()[-2:] == ["  … and 4 more", "calls: 1 different"]
    assert "citations[4]" in parley("replay", "q-1", "--verbose").stdout


def test_calls_take_a_line_each_and_what_is_withheld_is_named(gateway: Any, parley: Run) -> None:
    withheld = replay_response(3, "DIFFERENT", "text.delta", withheld=True)
    gateway.replay_responses = [replay_response(1, "SAME"), replay_response(2, "NOT_COMPARED"), withheld]
    result = parley("replay", "q-1", "--principal", "ann")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.splitlines() == [
        "1. answer Write: same",
        "2. answer Write: not compared; the call was cancelled",
        "3. answer Write: different in 1 place",
        "  text.delta",
        "    withheld: it contains a passage that you may no longer see",
        "calls: 1 same, 1 different, 1 not compared",
    ]
    assert [request.turn_id for request in gateway.replays] == ["q-1"]
    assert gateway.principals == [["ann"]]


def test_only_one_stage_is_asked_again_if_wanted(gateway: Any, parley: Run) -> None:
    parley("replay", "q-1", "--stage", "answer")
    assert [request.stage for request in gateway.replays] == [usage_pb2.STAGE_ANSWER]


def test_calls_are_printed_as_json(gateway: Any, parley: Run) -> None:
    gateway.replay_responses = [replay_response(1, "SAME")]
    (line,) = parley("replay", "q-1", "--json").stdout.splitlines()
    assert json.loads(line)["verdict"] == "REPLAY_VERDICT_SAME"


def test_a_turn_without_a_recording_is_an_error(gateway: Any, parley: Run) -> None:
    gateway.replay_responses = [NotFound("recording", "q-1")]
    result = parley("replay", "q-1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "There is no recording 'q-1' (RECORDING_NOT_FOUND).\n"


@pytest.mark.parametrize("record", [True, False])
def test_a_question_may_be_recorded(gateway: Any, parley: Run, record: bool) -> None:
    gateway.turns = [turn(*ANSWERED)]
    result = parley("ask", "What about the last signal?", *(["--record"] if record else []))
    assert [request.options.record for request in gateway.asked] == [record]
    assert ("parley replay" in result.stderr) is record
