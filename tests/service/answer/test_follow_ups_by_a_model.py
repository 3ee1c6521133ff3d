"""The questions to ask next that the answer stage's language model proposes with its answer."""

from parley.answer.v1 import answer_pb2
from tests.fakes.scripted_llm import ScriptedLlm
from tests.service.answer.requests_making import write_request
from tests.service.answer.steps_reading import Stub, answer_of, degraded, written

QUESTION = "When did Mariner 9 enter orbit round Mars?"
BORNE_OUT = "Mariner 9 entered orbit round Mars in November 1971 [1]."
MADE_BY_RULES = "What does “Mariner 9” say?"


def follow_ups(steps: list[answer_pb2.WriteResponse]) -> list[list[str]]:
    return [list(step.follow_ups.questions) for step in steps if step.HasField("follow_ups")]


def wanting(follow_ups: int) -> answer_pb2.WriteRequest:
    request = write_request(QUESTION)
    request.follow_ups = follow_ups
    return request


async def test_its_follow_ups_come_before_the_rules_own_and_not_into_the_text(llm: ScriptedLlm, writer: Stub) -> None:
    llm.reply(f"{BORNE_OUT}\n\nNEXT: When did Hope reach Mars?\nNEXT: {QUESTION}\n")
    steps = await written(writer, wanting(2))
    (questions,) = follow_ups(steps)
    assert (questions[0], MADE_BY_RULES in questions, QUESTION in questions) == (
        "When did Hope reach Mars?",
        True,
        False,
    )
    assert "NEXT" not in "".join(step.text.delta for step in steps)
    assert answer_of(steps).text == "Mariner 9 entered orbit round Mars in November 1971.[1]"
    assert "write 2 short questions" in llm.requests[0].prompt


async def test_a_model_that_proposes_none_leaves_that_to_the_rules(llm: ScriptedLlm, writer: Stub) -> None:
    llm.reply(BORNE_OUT)
    (questions,) = follow_ups(await written(writer, wanting(3)))
    assert MADE_BY_RULES in questions


async def test_no_follow_ups_are_asked_for_where_none_are_wanted(llm: ScriptedLlm, writer: Stub) -> None:
    llm.reply(BORNE_OUT)
    assert follow_ups(await written(writer, wanting(0))) == []
    assert "NEXT:" not in llm.requests[0].prompt


async def test_an_answer_that_is_cut_off_among_its_follow_ups_is_whole(llm: ScriptedLlm, writer: Stub) -> None:
    llm.reply(f"{BORNE_OUT}\nNEXT: When did Hope reach Mars?\nNEXT: When di", finish="length")
    steps = await written(writer, wanting(2))
    assert degraded(steps) == []
    assert answer_of(steps).text == "Mariner 9 entered orbit round Mars in November 1971.[1]"
    assert follow_ups(steps)[0][0] == "When did Hope reach Mars?"
