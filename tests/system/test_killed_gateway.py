"""A gateway is killed in the middle of turns; their clients resume them at another one, which runs them anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import ingest
from tests.system.killable_gateways import SESSIONS, KillableGateway, ask, assert_unharmed, killable_gateways

pytestmark = pytest.mark.xdist_group("suite")

SENTENCES = (
    "Phoenix landed on Mars on 25 May 2008",
    "It dug for water ice there",
    "Its robotic arm was 2.35 metres long",
    "It carried a weather station from Canada",
    "The station saw snow fall from clouds",
    "Its last signal came on 2 November 2008",
    "The cold of the winter broke its solar panels",
    "It had been launched on 4 August 2007",
)
NOTE = "# Phoenix\n\n" + "\n\n".join(f"{sentence}." for sentence in SENTENCES)
ANSWER = " ".join(f"{sentence} [1]." for sentence in SENTENCES)
WRITTEN_BY_A_MODEL = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
}
MOMENTS = 50
"""How many turns each of the two soak tests at least kills; `make killed` runs both."""
PACE = 0.01
"""Seconds between two words of the model."""


def request(session: str) -> gateway_pb2.AskRequest:
    turn = gateway_pb2.AskRequest(question="What happened to Phoenix on Mars?", session_id=session)
    turn.options.MergeFrom(gateway_pb2.RequestOptions(resumable=True, pro=True))
    turn.options.now.FromJsonString("2026-02-01T00:00:00Z")
    return turn


def written(asked: LlmRequest) -> str:
    """The answer; any form is filled in as for an ordinary question."""
    if asked.writes:
        return ANSWER
    return '{"suffices": true, "parts": [], "standalone": "", "category": "none", "unclear": "", "names": []}'


@pytest.fixture(scope="module")
def model_suite(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    """A suite of its own, whose answers a model writes."""
    folder = tmp_path_factory.mktemp("model")
    settings = WRITTEN_BY_A_MODEL | {"PARLEY_LLM_BASE_URL": server.base_url}
    (folder / "phoenix.md").write_text(NOTE, encoding="utf-8")
    with running_suite(folder / "data", settings) as suite:
        ingest(suite.port, str(folder / "phoenix.md"))
        yield suite


@pytest.fixture
def gateways(suite: RunningSuite, tmp_path: Path) -> Iterator[list[KillableGateway]]:
    with killable_gateways(suite, tmp_path, {}) as opened:
        yield opened


@pytest.fixture
def model_gateways(model_suite: RunningSuite, tmp_path: Path, llm: ScriptedLlm) -> Iterator[list[KillableGateway]]:
    llm.answer_with(written, delay=PACE)
    with killable_gateways(model_suite, tmp_path, {}) as opened:
        yield opened


def test_turns_by_rules_are_restarted_at_another_gateway(gateways: list[KillableGateway]) -> None:
    whole = ask(gateways[0], request("s-whole"))
    assert_unharmed(gateways, request, [len(whole) // 2], whole)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_at_each_event_turns_by_rules_are_restarted(gateways: list[KillableGateway]) -> None:
    whole = ask(gateways[0], request("s-whole"))
    boundaries = range(1, len(whole))
    assert len(boundaries) * SESSIONS >= MOMENTS
    assert_unharmed(gateways, request, boundaries, whole)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_at_each_event_turns_by_a_model_are_restarted(model_gateways: list[KillableGateway], llm: ScriptedLlm) -> None:
    whole = ask(model_gateways[0], request("s-whole"))
    assert any(asked.writes for asked in llm.requests)
    boundaries = range(1, len(whole))
    assert len(boundaries) * SESSIONS >= MOMENTS
    assert_unharmed(model_gateways, request, boundaries, whole)
