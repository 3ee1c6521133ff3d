"""What a turn looks like in a pipe and as JSON, and how the command ends."""

import json
import re
from typing import Any

import pytest
from google.protobuf.json_format import Parse

from libs.runtime.errors import InvalidInput, Unavailable
from parley.gateway.v1 import event_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import ANSWERED, REFERENCES, TEXT, TIMELINE, WHOLE, turn

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
PRICED = "COST_SOURCE_PRICE_TABLE"


def test_a_pipe_gets_the_answer_as_it_was_written_and_its_sources(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED)]
    result = parley("ask", "What about the last signal?")
    assert result.exit_code == 0
    assert result.stdout == f"{WHOLE}\n\n[1] Phoenix — https://example.org/phoenix\n"


def test_verbose_tells_how_it_came_about_too(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED)]
    result = parley("ask", "What about the last signal?", "--verbose")
    assert result.stdout == (
        "condensed: “What about the last signal of Phoenix?” (condense: the fragment lacks its topic; rules)\n"
        "searched: the last signal — 7 passages\n"
        "\n"
        f"{WHOLE}\n"
        "\n"
        "citation: sentence 1 verified by [1]\n"
        "gap: nothing was found about: what Spirit did\n"
        "next: When did Phoenix land?\n"
        "\n"
        "[1] Phoenix — https://example.org/phoenix, 2024-03-01\n"
        "usage: 42 ms, 0 tokens in, 0 out, $0.0000\n"
        "ms: decompose condense 2.0, retrieve 12.2\n"
        "outcome: answered; go on with --session s-1\n"
    )


def test_what_models_took_is_told_in_all_and_for_each_part(gateway: Any, parley: Run) -> None:
    written = {"stage": "STAGE_ANSWER", "task": "write", "input_tokens": "900", "output_tokens": "45", "model": "small"}
    in_vain = {"stage": "STAGE_ANSWER", "task": "write", "input_tokens": "90", "output_tokens": "5", "discarded": True}
    usage = {
        "usage": {
            "tasks": [written, in_vain],
            "input_tokens": "1140",
            "output_tokens": "65",
            "rewriting": {"input_tokens": "150", "output_tokens": "15", "cost_usd": 0.5, "cost_source": PRICED},
            "answering": {"input_tokens": "900", "output_tokens": "45", "cost_source": "COST_SOURCE_UNKNOWN"},
        }
    }
    gateway.turns = [turn(*TEXT, {"text_end": {"text": WHOLE}}, usage)]
    output = parley("ask", "When?", "--verbose").stdout
    assert "1140 tokens in, 65 out (95 of them in vain), " in output
    assert "rewriting: 150 tokens in, 15 out, $0.5000\nanswering: 900 tokens in, 45 out, cost unknown\n" in output
    assert not gateway.asked[0].options.progress


def test_a_timeline_that_comes_while_the_text_streams_waits_until_it_is_over(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(REFERENCES, TEXT[0], TIMELINE, *TEXT[1:], {"text_end": {"text": WHOLE}})]
    assert parley("ask", "When?", "--pro").stdout == (
        f"{WHOLE}\n"
        "\n"
        "timeline by month:\n"
        "  2007-08      Phoenix was launched. (elsewhere)\n"
        "  2008-05-25 * Phoenix landed. [1]\n"
        "conflict: two launch days are told\n"
        "\n"
        "[1] Phoenix — https://example.org/phoenix\n"
    )


def test_a_sentence_that_checking_took_out_is_never_printed_but_told(gateway: Any, parley: Run) -> None:
    withdrawal = {
        "citation": {
            "sentence": 2,
            "verdict": "VERDICT_WITHDRAWN",
            "reason": "no passage says so",
            "references": [{"number": 2}],
            "replacement": "",
        }
    }
    end = {"text_end": {"text": "The last signal was received on 2 November 2008 [1]."}}
    gateway.turns = [turn(REFERENCES, *TEXT, withdrawal, end)]
    output = parley("ask", "When?", "-v").stdout
    assert output.count("The last signal was received on 2 November 2008 [1].") == 1
    assert "Nothing was heard" not in output
    assert "citation: sentence 2 withdrawn [2]: no passage says so\n" in output
    assert "[2] Spirit" not in output


def test_sentences_of_a_script_without_spaces_are_printed_once(gateway: Any, parley: Run) -> None:
    sentences = ("信号于2008年收到。", "之后没有消息。")
    steps = [{"text": {"paragraph": 1, "sentence": n, "delta": words}} for n, words in enumerate(sentences, start=1)]
    checks = [{"citation": {"sentence": n, "verdict": "VERDICT_VERIFIED"}} for n in (1, 2)]
    gateway.turns = [turn(steps[0], checks[0], steps[1], checks[1], {"text_end": {"text": "".join(sentences)}})]
    assert parley("ask", "何时？").stdout == "信号于2008年收到。之后没有消息。\n"


def test_what_was_left_out_is_told(gateway: Any, parley: Run) -> None:
    missing = {"stage": "STAGE_TIMELINE", "reason": "STAGE_UNAVAILABLE", "effect": "There is no timeline."}
    gateway.turns = [turn({"degraded": missing}, *TEXT, {"text_end": {"text": WHOLE}})] * 2
    assert parley("ask", "When?").stdout.endswith("\nnote: There is no timeline.\n")
    output = parley("ask", "When?", "--verbose").stdout
    assert "degraded: timeline (STAGE_UNAVAILABLE): There is no timeline.\n" in output


def test_a_model_that_fails_at_several_tasks_is_noted_once_with_who_knows_why(gateway: Any, parley: Run) -> None:
    effects = ("The question was understood by rules.", "The documents are quoted instead.")
    notes = [{"degraded": {"reason": "LLM_UNAVAILABLE", "effect": effect}} for effect in effects]
    other = {"degraded": {"reason": "STAGE_UNAVAILABLE", "effect": "There is no timeline."}}
    gateway.turns = [turn(other, *notes, other, *TEXT, {"text_end": {"text": WHOLE}})]
    told = [line for line in parley("ask", "When?").stdout.splitlines() if line.startswith("note: ")]
    model = "note: The documents are quoted instead. `parley doctor` says why."
    assert told == ["note: There is no timeline.", model, "note: There is no timeline."]


def test_control_characters_of_a_document_never_reach_the_reader(gateway: Any, parley: Run) -> None:
    text = "A\x1b[31m red \x07trap."
    gateway.turns = [turn({"text": {"paragraph": 1, "sentence": 1, "delta": text}}, {"text_end": {"text": text}})]
    assert CONTROL.search(parley("ask", "When?").stdout) is None


@pytest.mark.parametrize("outcome", ["ANSWERED", "ABSTAINED", "ASKED", "REJECTED"])
def test_a_turn_with_a_good_end_ends_with_0(gateway: Any, parley: Run, outcome: str) -> None:
    gateway.turns = [turn(*TEXT, {"text_end": {"text": WHOLE}}, outcome=f"OUTCOME_{outcome}")]
    result = parley("ask", "When?", "--verbose")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"outcome: {outcome.lower()}" in result.stdout


@pytest.mark.parametrize(
    "events", [turn(*ANSWERED)[:-1], turn(*ANSWERED, outcome="OUTCOME_CANCELLED")], ids=["cut off", "cancelled"]
)
def test_a_turn_without_a_good_end_ends_with_1_and_a_line(gateway: Any, parley: Run, events: list[Any]) -> None:
    gateway.turns = [events]
    result = parley("ask", "When?")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_a_turn_that_fails_in_its_middle_ends_with_1_and_a_line(gateway: Any, parley: Run) -> None:
    gateway.turns = [
        [*turn(REFERENCES, *TEXT)[:-2], Unavailable("STAGE_UNAVAILABLE", "the answer stage cannot be reached")]
    ]
    result = parley("ask", "When?")
    assert result.exit_code == 1
    assert result.stderr == "The answer stage cannot be reached (STAGE_UNAVAILABLE).\n"
    assert result.stdout.endswith("[1].\n\n[1] Phoenix — https://example.org/phoenix\n")


def test_a_refused_request_is_told_in_a_sentence(gateway: Any, parley: Run) -> None:
    gateway.turns = [[InvalidInput("question", "The question\nis empty.")]]
    result = parley("ask", " ")
    assert result.exit_code == 1
    assert result.stderr == "The question is empty.\n"
    assert result.stdout == ""


def test_a_missing_suite_is_told_in_a_line(parley: Run, unused_tcp_port: int) -> None:
    result = parley("ask", "When?", port=unused_tcp_port)
    assert result.exit_code == 1
    assert result.stderr == (f"No suite answers at 127.0.0.1:{unused_tcp_port}. Start one with `parley up`.\n")


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
