"""What `parley ask` is given reaches the gateway: options, a history, a whole conversation."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from libs.runtime.errors import InvalidInput
from parley.context.v1 import conversation_pb2, query_pb2
from parley.gateway.v1 import gateway_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import ANSWERED, turn


def test_options_reach_the_gateway(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED)]
    parley(
        *("ask", "When?", "--session", "s-9", "--collection", "moon", "--pro", "--web", "--no-plan"),
        *("--place", "Bremen"),
        *("--strategy", "multi-query", "--now", "2026-02-01T10:00", "--tz", "Europe/Berlin"),
        *("--principal", "mission-control", "--principal", "press"),
    )
    expected = gateway_pb2.AskRequest(
        question="When?",
        session_id="s-9",
        options=gateway_pb2.RequestOptions(
            collection="moon",
            pro=True,
            web=True,
            plan=gateway_pb2.PLAN_OFF,
            place="Bremen",
            strategy=query_pb2.STRATEGY_MULTI_QUERY,
            time_zone="Europe/Berlin",
            resumable=True,
        ),
    )
    expected.options.now.FromDatetime(datetime(2026, 2, 1, 9, tzinfo=UTC))
    (request,) = gateway.asked
    assert request.request_id, "the turn can be asked again if a gateway restarts"
    request.request_id = ""
    assert request == expected
    assert gateway.principals == [["mission-control", "press"]]


def test_a_history_file_is_brought_along(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    file.write_text('{"speaker": "user", "text": "Phoenix?"}\n\n{"speaker": "agent", "text": "A lander."}\n')
    gateway.turns = [turn(*ANSWERED)]
    parley("ask", "When?", "--history", str(file))
    assert [(utterance.speaker, utterance.text) for utterance in gateway.asked[0].history] == [
        (conversation_pb2.SPEAKER_USER, "Phoenix?"),
        (conversation_pb2.SPEAKER_AGENT, "A lander."),
    ]


def test_a_conversation_is_asked_in_one_session(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = tmp_path / "conversation.jsonl"
    file.write_text(
        '{"question": "When did it land?", "note": "plain", "cites": ["x"]}\n'
        '{"question": "And then?", "pro": true, "now": "2026-02-01T09:00:00Z"}\n'
    )
    gateway.turns = [turn(*ANSWERED), turn(*ANSWERED)]
    result = parley("ask", "--conversation", str(file))
    assert result.exit_code == 0
    assert [(request.session_id, request.options.pro) for request in gateway.asked] == [("", False), ("s-1", True)]
    assert gateway.asked[1].options.now.ToDatetime() == datetime(2026, 2, 1, 9)
    assert result.stdout.startswith("> When did it land?\nnote: plain\n")
    assert "\n\n> And then?\n" in result.stdout


def test_a_conversation_stops_at_the_turn_that_fails(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = tmp_path / "conversation.jsonl"
    file.write_text('{"question": "One?"}\n{"question": "Two?"}\n')
    gateway.turns = [[InvalidInput("question", "is odd")], turn(*ANSWERED)]
    assert parley("ask", "--conversation", str(file)).exit_code == 1
    assert len(gateway.asked) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--now", "last week"), "ISO 8601"),
        (("--now", "2026-02-01", "--tz", "Mars/Crater"), "IANA"),
        (("--history", "{folder}/missing.jsonl"), "No such file"),
        (("--history", "/proc/self/mem"), "Input/output error"),
        (("--history", "{folder}/broken.jsonl"), "line 2)."),
        (("--principal", "naïve"), "ASCII"),
        (("--conversation", "{folder}/broken.jsonl"), "Give a question, or"),
    ],
)
def test_a_bad_argument_is_told_in_a_line_and_nothing_is_asked(
    gateway: Any, parley: Run, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    (tmp_path / "broken.jsonl").write_text('{"speaker": "user", "text": "a"}\n{"speaker"\n')
    result = parley("ask", "When?", *(argument.format(folder=tmp_path) for argument in arguments))
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert gateway.asked == []
