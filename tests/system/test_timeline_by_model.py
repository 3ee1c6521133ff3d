"""Whole turns whose timeline a scripted language model chooses, and where it fails or makes things up the rules do."""

import json
import re
from collections.abc import Iterator

import pytest

from parley.context.v1 import timeline_pb2
from parley.gateway.v1 import gateway_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import NOTES, one
from tests.system.model_turns import Asker, Turn, asking_a_suite

pytestmark = [pytest.mark.xdist_group("timeline by model"), pytest.mark.slow]

SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_RETRIES": "0",
    "PARLEY_LLM_STEP_SECONDS": "3",
    "PARLEY_ANSWER_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_INTENT_ENGINE": "rules",
}
TOLD = [NOTES / f"{name}.md" for name in ("apollo-8", "apollo-11", "apollo-13", "moon-firsts")]
QUESTION = "What did Apollo 11 do in July 1969?"
_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_DATE = re.compile(r"\b\d{1,2} (?:July|December) (?:1968|1969)\b")


@pytest.fixture(scope="module")
def asker(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    data = tmp_path_factory.mktemp("extracted") / "data"
    with asking_a_suite(data, TOLD, SETTINGS | {"PARLEY_LLM_BASE_URL": server.base_url}) as asker:
        yield asker


def ask(asker: Asker) -> Turn:
    request = gateway_pb2.AskRequest(question=QUESTION)
    request.options.pro = True
    return Turn([response.event for response in asker.gateway.Ask(request, timeout=60)])


def timeline(turn: Turn) -> timeline_pb2.Timeline:
    content: timeline_pb2.Timeline = one(list(turn.events), "timeline").timeline
    return content


def dated_lines(request: LlmRequest) -> list[tuple[int, str]]:
    """The numbered sentences that the model was shown with a day of 1968 or 1969, three at most."""
    lines = [(int(number), text) for number, text in _LINE.findall(request.prompt) if len(_DATE.findall(text)) == 1]
    return lines[:3]


def choosing(request: LlmRequest) -> str:
    events = [
        {"text": line, "sentences": [number], "date": "", "importance": "high"} for number, line in dated_lines(request)
    ]
    return json.dumps({"events": events})


def test_the_events_that_it_chooses_are_the_timeline_and_its_tokens_are_counted(asker: Asker, llm: ScriptedLlm) -> None:
    llm.answer_with(choosing)
    turn = ask(asker)
    drawn_timeline = timeline(turn)
    assert turn.outcome == "OUTCOME_ANSWERED"
    assert (drawn_timeline.engine, turn.degraded) == ("llm", [])
    assert 1 <= len(drawn_timeline.events) <= 3
    lines = [line for _, line in dated_lines(llm.requests[0])]
    assert all(event.text in lines and event.date_text in event.sources[0].quote for event in drawn_timeline.events)
    assert (turn.usage["extract"].model, turn.usage["extract"].input_tokens > 0) == ("scripted-1", True)
