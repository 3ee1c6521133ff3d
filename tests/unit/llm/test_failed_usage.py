"""What a failed call used of a model comes with its error, also over the network."""

import pytest

from libs.contracts.usage import Stage, Usage, tokens_of
from libs.llm.errors import LlmUnusable
from libs.llm.tally import INPUT, OUTPUT, attach_usage, usage_of_failure
from libs.runtime.errors import ParleyError, Unavailable
from libs.runtime.status import error_from_status, status_of

ANSWERS = [Usage(Stage.INTENT, "understand", input_tokens=300, output_tokens=20)] * 2


def told(error: ParleyError) -> tuple[Usage, ...]:
    return usage_of_failure(error, Stage.INTENT, "understand")


def test_all_answers_count() -> None:
    error = LlmUnusable()
    attach_usage(error, ANSWERS)
    (usage,) = told(error)
    assert (usage.input_tokens, usage.output_tokens) == (600, 40)


def test_the_status_of_the_call_carries_it() -> None:
    error = LlmUnusable()
    error.metadata = {"model": "scripted-1"}
    attach_usage(error, ANSWERS)
    rebuilt = error_from_status(status_of(error).SerializeToString())
    assert tokens_of(told(rebuilt)) == 640
    assert rebuilt.metadata["model"] == "scripted-1"


def test_without_an_answer_nothing_is_told() -> None:
    error = LlmUnusable()
    attach_usage(error, [])
    assert (error.metadata, told(error)) == ({}, ())


@pytest.mark.parametrize("text", ["", "-5", "many", "1e9", "²"])
def test_what_is_no_count_counts_nothing(text: str) -> None:
    error = Unavailable("LLM_UNUSABLE", "No.")
    error.metadata = {INPUT: text, OUTPUT: text}
    assert told(error) == ()
