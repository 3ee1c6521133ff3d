"""What a turn looks like in a pipe, as JSON and on a terminal, and how the command ends."""

import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import Parse
from rich.console import Console
from typer.testing import Result

from gateway.cli.ask.command import GOOD_ENDS
from gateway.cli.ask.rendering import TerminalPage
from gateway.cli.ask.telling import Telling
from parley.context.v1 import conversation_pb2, query_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from services.runtime.errors import InvalidInput, Unavailable

Run = Callable[..., Result]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def turn(*happenings: dict[str, Any], outcome: str = "OUTCOME_ANSWERED") -> list[Any]:
    """Events, numbered, with their good end."""
    told = [*happenings, {"completed": {"outcome": outcome, "session_id": "s-1"}}]
    return [
        Parse(json.dumps({"turn_id": "q-1", "seq": number, **happening}), event_pb2.Event())
        for number, happening in enumerate(told, start=1)
    ]


CONDENSED = {
    "condensed": {
        "decision": "DECISION_CONDENSE",
        "raw": "What about the last signal?",
        "standalone": "What about the last signal of Phoenix?",
        "reason": "the fragment lacks its topic",
        "engine": "rules",
    }
}
REFERENCES = {
    "references": {
        "references": [
            {
                "number": number,
                "evidence": {
                    "passage": {
                        "passage_id": f"{name}#0",
                        "document_id": name,
                        "title": name.title(),
                        "url": f"https://example.org/{name}",
                        "date": "2024-03-01",
                    }
                },
            }
            for number, name in enumerate(("phoenix", "spirit"), start=1)
        ]
    }
}
TEXT: list[dict[str, Any]] = [
    {"text": {"paragraph": 1, "sentence": 1, "delta": "The last signal was received"}},
    {"text": {"paragraph": 1, "sentence": 1, "delta": " on 2 November 2008 [1]."}},
    {"citation": {"sentence": 1, "verdict": "VERDICT_VERIFIED", "references": [{"number": 1}]}},
    {"text": {"paragraph": 1, "sentence": 2, "delta": "Nothing was heard after."}},
]
PRICED = "COST_SOURCE_PRICE_TABLE"
WHOLE = "The last signal was received on 2 November 2008 [1]. Nothing was heard after."
ANSWERED: list[dict[str, Any]] = [
    {"state": {"stage": "STAGE_INTENT", "activity": "understanding the question"}},
    CONDENSED,
    {"plan": {"graph": {"nodes": [{"id": "1", "text": "What about the last signal of Phoenix?"}]}}},
    {"sub_query": {"node_id": "1", "status": "SUB_QUERY_STATUS_STARTED", "text": "the last signal of Phoenix"}},
    {"sub_query": {"node_id": "1", "status": "SUB_QUERY_STATUS_DONE", "text": "the last signal", "evidence": 7}},
    REFERENCES,
    *TEXT,
    {"text_end": {"text": WHOLE, "gaps": ["what Spirit did"]}},
    {"recommendation": {"questions": ["When did Phoenix land?"]}},
    {
        "usage": {
            "milliseconds": 41.6,
            "tasks": [
                {"stage": "STAGE_RETRIEVE", "task": "retrieve", "milliseconds": 12.25},
                {"stage": "STAGE_DECOMPOSE", "task": "condense", "milliseconds": 2},
            ],
        }
    },
]
TIMELINE = {
    "timeline": {
        "granularity": "GRANULARITY_MONTH",
        "events": [
            {
                "event_id": "a",
                "text": "Phoenix was launched.",
                "start": {"year": 2007, "month": 8},
                "precision": "PRECISION_MONTH",
                "sources": [{"passage_id": "elsewhere#3", "document_id": "elsewhere"}],
            },
            {
                "event_id": "b",
                "text": "Phoenix landed.",
                "start": {"year": 2008, "month": 5, "day": 25},
                "precision": "PRECISION_DAY",
                "sources": [{"passage_id": "phoenix#0", "document_id": "phoenix"}],
                "highlights": [{"start": 0, "end": 7}],
            },
        ],
        "conflicts": [{"event_ids": ["a"], "reason": "two launch days are told"}],
    }
}


def test_a_turn_is_told_in_plain_lines_into_a_pipe(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED)]
    result = parley("ask", "What about the last signal?")
    assert result.exit_code == 0
    assert result.stdout == (
        "condensed: “What about the last signal of Phoenix?” (condense: the fragment lacks its topic; rules)\n"
        "searched: the last signal — 7 passages\n"
        "\n"
        f"{WHOLE}\n"
        "\n"
        "[1] Phoenix, 2024-03-01, https://example.org/phoenix\n"
        "citation: sentence 1 verified by [1]\n"
        "gap: nothing was found about: what Spirit did\n"
        "next: When did Phoenix land?\n"
        "usage: 42 ms, 0 tokens in, 0 out, $0.0000\n"
        "ms: decompose condense 2.0, retrieve 12.2\n"
        "outcome: answered; go on with --session s-1\n"
    )


def test_what_a_model_took_for_rewriting_and_for_answering_stands_in_rows_of_its_own(gateway: Any, parley: Run) -> None:
    usage = {
        "usage": {
            "tasks": [{"stage": "STAGE_ANSWER", "task": "write", "milliseconds": 0, "model": "small"}],
            "input_tokens": "1050",
            "output_tokens": "60",
            "rewriting": {"input_tokens": "150", "output_tokens": "15", "cost_usd": 0.5, "cost_source": PRICED},
            "answering": {"input_tokens": "900", "output_tokens": "45", "cost_source": "COST_SOURCE_UNKNOWN"},
        }
    }
    gateway.turns = [turn(*TEXT, {"text_end": {"text": WHOLE}}, usage)]
    told = parley("ask", "When?").stdout
    assert "rewriting: 150 tokens in, 15 out, $0.5000\nanswering: 900 tokens in, 45 out, cost unknown\n" in told


def test_a_timeline_that_comes_while_the_text_streams_waits_until_it_is_over(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(REFERENCES, TEXT[0], TIMELINE, *TEXT[1:], {"text_end": {"text": WHOLE}})]
    told = parley("ask", "When?", "--pro").stdout
    assert f"\n{WHOLE}\n" in told
    assert told.endswith(
        "timeline by month:\n"
        "  2007-08      Phoenix was launched. (elsewhere)\n"
        "  2008-05-25 * Phoenix landed. [1]\n"
        "conflict: two launch days are told\n"
        "outcome: answered; go on with --session s-1\n"
    )


def test_a_sentence_that_checking_took_out_is_told(gateway: Any, parley: Run) -> None:
    withdrawn = {
        "citation": {
            "sentence": 2,
            "verdict": "VERDICT_WITHDRAWN",
            "reason": "no passage says so",
            "references": [{"number": 2}],
            "replacement": "",
        }
    }
    end = {"text_end": {"text": "The last signal was received on 2 November 2008 [1]."}}
    gateway.turns = [turn(REFERENCES, *TEXT, withdrawn, end)]
    told = parley("ask", "When?").stdout
    assert "checked: what holds of the answer:\n\nThe last signal was received on 2 November 2008 [1].\n" in told
    assert "citation: sentence 2 withdrawn [2]: no passage says so\n" in told
    assert "[2] Spirit" not in told


def test_paragraphs_and_sentences_are_parted_where_the_pieces_are_not(gateway: Any, parley: Run) -> None:
    pieces = [
        {"text": {"paragraph": 1, "sentence": 1, "delta": "One."}},
        {"text": {"paragraph": 1, "sentence": 2, "delta": "Two."}},
        {"text": {"paragraph": 2, "sentence": 3, "delta": "Three."}},
    ]
    gateway.turns = [turn(*pieces, {"text_end": {"text": "One. Two.\n\nThree."}})]
    assert "\nOne. Two.\n\nThree.\n" in parley("ask", "Count.").stdout


def test_what_was_left_out_is_told(gateway: Any, parley: Run) -> None:
    missing = {"stage": "STAGE_TIMELINE", "reason": "STAGE_UNAVAILABLE", "effect": "There is no timeline."}
    gateway.turns = [turn({"degraded": missing}, *TEXT, {"text_end": {"text": WHOLE}})]
    assert "degraded: timeline (STAGE_UNAVAILABLE): There is no timeline.\n" in parley("ask", "When?").stdout


def test_control_characters_of_a_document_never_reach_the_reader(gateway: Any, parley: Run) -> None:
    text = "A\x1b[31m red \x07trap."
    gateway.turns = [turn({"text": {"paragraph": 1, "sentence": 1, "delta": text}}, {"text_end": {"text": text}})]
    assert CONTROL.search(parley("ask", "When?").stdout) is None


@pytest.mark.parametrize("outcome", ["ANSWERED", "ABSTAINED", "ASKED", "REJECTED"])
def test_a_turn_with_a_good_end_ends_with_0(gateway: Any, parley: Run, outcome: str) -> None:
    gateway.turns = [turn(*TEXT, {"text_end": {"text": WHOLE}}, outcome=f"OUTCOME_{outcome}")]
    result = parley("ask", "When?")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"outcome: {outcome.lower()}" in result.stdout


def test_a_stream_without_its_end_ends_with_1_and_a_line(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED)[:-1]]
    result = parley("ask", "When?")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_a_turn_that_fails_in_its_middle_ends_with_1_and_a_line(gateway: Any, parley: Run) -> None:
    gateway.turns = [[*turn(REFERENCES, *TEXT)[:-2], Unavailable("STAGE_UNAVAILABLE", "answer cannot be reached")]]
    result = parley("ask", "When?")
    assert result.exit_code == 1
    assert result.stderr == "answer cannot be reached (STAGE_UNAVAILABLE)\n"
    assert result.stdout.endswith("[1].\n\n")


def test_a_refused_request_names_the_field(gateway: Any, parley: Run) -> None:
    gateway.turns = [[InvalidInput("question", "must hold more than\nspaces")]]
    result = parley("ask", " ")
    assert result.exit_code == 1
    assert result.stderr == "question: must hold more than spaces (FIELD_INVALID)\n"
    assert result.stdout == ""


def test_a_missing_suite_is_told_in_a_line(parley: Run, unused_tcp_port: int) -> None:
    result = parley("ask", "When?", port=unused_tcp_port)
    assert result.exit_code == 1
    assert result.stderr == (
        f"Nothing answers at 127.0.0.1:{unused_tcp_port}. Is the suite running? `parley up` starts it.\n"
    )


def test_json_is_one_line_an_event_with_the_contracts_names(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED, TIMELINE)]
    result = parley("ask", "When?", "--json")
    lines = result.stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["seq"] for event in events] == list(range(1, len(gateway.turns[0]) + 1))
    kinds = [set(event) - {"turn_id", "seq"} for event in events]
    assert all(len(kind) == 1 for kind in kinds)
    assert events[-1]["completed"]["session_id"] == "s-1"
    assert [Parse(line, event_pb2.Event()) for line in lines] == gateway.turns[0]


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
        ),
    )
    expected.options.now.FromDatetime(datetime(2026, 2, 1, 9, tzinfo=UTC))
    assert gateway.asked == [expected]
    assert gateway.principals == [["mission-control", "press"]]


def test_a_history_file_is_brought_along(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    file.write_text('{"speaker": "user", "text": "Phoenix?"}\n\n{"speaker": "agent", "text": "A lander."}\n')
    gateway.turns = [turn(*ANSWERED)]
    parley("ask", "When?", "--history", str(file))
    assert [(said.speaker, said.text) for said in gateway.asked[0].history] == [
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
        (("--history", "{folder}/broken.jsonl"), "line 2: is not JSON"),
        (("--principal", "naïve"), "ASCII"),
        (("--conversation", "{folder}/broken.jsonl"), "give a question, or"),
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


def on_terminal(*happenings: dict[str, Any], width: int = 60) -> str:
    """What a terminal of that width receives."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=width, highlight=False)
    telling = Telling(TerminalPage(console))
    for event in turn(*happenings):
        telling.show(event)
    telling.close()
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


def bare(told: str) -> str:
    """Without the codes that move the cursor or colour."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", told)


def test_a_terminal_gets_the_answer_wrapped_between_words() -> None:
    lines = bare(on_terminal(*ANSWERED, width=40)).splitlines()
    assert "The last signal was received on 2" in [line.rstrip() for line in lines]
    assert "November 2008 [1]. Nothing was heard" in [line.rstrip() for line in lines]


def test_a_terminal_gets_references_and_how_it_came_about_in_colour() -> None:
    told = on_terminal(*ANSWERED, width=200)
    assert "\x1b[2mcondensed: " in told
    assert "\x1b[1;36m[1]\x1b[0m" in told
    assert "[1] Phoenix · 2024-03-01 · https://example.org/phoenix" in bare(told)


def test_a_terminal_gets_the_timeline_drawn_along_a_line() -> None:
    lines = bare(on_terminal(REFERENCES, TIMELINE, *TEXT, {"text_end": {"text": WHOLE}}, width=32)).splitlines()
    start = lines.index("Timeline by month")
    assert [line.rstrip() for line in lines[start + 1 : start + 5]] == [
        "    2007-08 ○ Phoenix was",
        "            │ launched.",
        "            │ (elsewhere)",
        " 2008-05-25 ● Phoenix landed.",
    ]


def test_markup_in_a_document_is_no_markup() -> None:
    text = "A [bold]plain[/bold] word."
    told = on_terminal({"text": {"paragraph": 1, "sentence": 1, "delta": text}}, {"text_end": {"text": text}})
    assert text in bare(told)


def test_a_good_end_is_every_end_but_a_cancelled_one() -> None:
    ends = set(session_pb2.Outcome.values()) - GOOD_ENDS
    assert ends == {session_pb2.OUTCOME_UNSPECIFIED, session_pb2.OUTCOME_CANCELLED}
