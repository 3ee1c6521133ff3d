"""`WriteOnce` gives what `Write` streams, whole: over many questions, by both engines, in every length and language."""

import re

import pytest

from bench.quoted_answers import read_questions
from bench.sample_search import sample_index
from libs.contracts.wire.codec import to_message
from parley.answer.v1 import answer_pb2
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import evidence_pb2, query_pb2, usage_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.service.answer.steps_reading import Stub

QUESTIONS = [labelled_question.question for questions in read_questions() for labelled_question in questions]
LENGTHS = (answer_pb2.LENGTH_SHORT, answer_pb2.LENGTH_MEDIUM, answer_pb2.LENGTH_LONG)


@pytest.fixture
def rewording(llm: ScriptedLlm) -> ScriptedLlm:
    """The model says what the first item says, and something that nothing bears out."""
    llm.answer_with(in_other_words)
    return llm


def in_other_words(request: LlmRequest) -> str:
    """Two sentences of the first item, then one that nothing bears out."""
    item = request.prompt.split("<item n=1>")[1].split("</item>")[0]
    sentences = re.findall(r"[A-Z][^.\n]{30,}\.", item)[:2]
    return " ".join(f"{sentence[:-1]} [1]." for sentence in sentences) + " It cost 9,999 ducats [1]."


def write_request(question: str, **fields: object) -> answer_pb2.WriteRequest:
    sample_request = sample_index().request(question)
    references = [to_message(reference, evidence_pb2.Reference) for reference in sample_request.references[:8]]
    searches = [to_message(search, query_pb2.NodeSearch) for search in sample_request.searches]
    return answer_pb2.WriteRequest(question=question, references=references, searches=searches, **fields)  # type: ignore[arg-type]


def without_times(usage: "list[usage_pb2.Usage]") -> list[str]:
    for item in usage:
        item.milliseconds = 0
    return [str(item) for item in usage]


async def both(stub: Stub, request: answer_pb2.WriteRequest) -> answer_pb2.WriteOnceResponse:
    """The whole answer, after it was held against the streamed one."""
    steps = [step async for step in stub.Write(request)]
    whole = await stub.WriteOnce(answer_pb2.WriteOnceRequest(write=request))
    assert [step.HasField("result") for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].result.answer == whole.answer
    assert without_times(list(steps[-1].result.usage)) == without_times(list(whole.usage))
    assert [step.degraded for step in steps if step.HasField("degraded")] == list(whole.degraded)
    assert [step.citation for step in steps if step.HasField("citation")] == list(whole.answer.citations)
    assert [step.image for step in steps if step.HasField("image")] == list(whole.answer.images)
    assert standing(steps) == whole.answer.text
    return whole


def standing(steps: "list[answer_pb2.WriteResponse]") -> str:
    """What a reader has who follows the steps: pieces joined, what is withdrawn taken out."""
    sentences: dict[int, str] = {}
    paragraphs: dict[int, int] = {}
    for step in steps:
        if step.HasField("text"):
            sentences[step.text.sentence] = sentences.get(step.text.sentence, "") + step.text.delta
            paragraphs[step.text.sentence] = step.text.paragraph
        elif step.HasField("citation") and step.citation.HasField("replacement"):
            sentences[step.citation.sentence] = step.citation.replacement
    deltas: dict[int, list[str]] = {}
    for number, text in sentences.items():
        if text.strip():
            deltas.setdefault(paragraphs[number], []).append(text.strip())
    return "\n\n".join(" ".join(each) for each in deltas.values())


async def test_quotes_are_the_same_streamed_and_whole(stub: Stub) -> None:
    answers = [(await both(stub, write_request(question))).answer for question in QUESTIONS[::2]]
    assert {answer.engine for answer in answers} == {"rules"}
    assert {answer.abstained for answer in answers} == {True, False}
    assert all(answer.citations for answer in answers if not answer.abstained)


async def test_what_a_model_writes_is_the_same_streamed_and_whole(rewording: ScriptedLlm, writer: Stub) -> None:
    answers = [(await both(writer, write_request(question))).answer for question in QUESTIONS[::4]]
    llm_answers = [answer for answer in answers if answer.engine == "llm"]
    assert llm_answers
    assert all("ducats" not in answer.text for answer in answers)
    withdrawals = [
        c.verdict == context_answer_pb2.VERDICT_WITHDRAWN for answer in llm_answers for c in answer.citations
    ]
    assert any(withdrawals)


@pytest.mark.parametrize("question", QUESTIONS[:3])
async def test_a_longer_answer_has_no_fewer_words(stub: Stub, question: str) -> None:
    answers = [(await both(stub, write_request(question, length=length))).answer for length in LENGTHS]
    counts = [len(answer.text.split()) for answer in answers]
    assert counts == sorted(counts)
    assert counts[0] <= 60  # 40 and headings


async def test_the_model_is_told_the_length_and_the_language(rewording: ScriptedLlm, writer: Stub) -> None:
    for length in LENGTHS:
        await both(writer, write_request(QUESTIONS[0], length=length, language="en-GB"))
    prompts = [request.prompt for request in rewording.requests[::2]]
    instructions = ("one or two sentences", "one or two short paragraphs", "as much as the items tell")
    assert [words in prompt for words, prompt in zip(instructions, prompts, strict=True)] == [True] * 3
    assert all("Write in the language “en-GB”" in prompt for prompt in prompts)


async def test_quotes_stay_in_their_language_and_it_is_said(stub: Stub) -> None:
    whole = await both(stub, write_request(QUESTIONS[0], language="de"))
    assert [degraded.reason for degraded in whole.degraded] == ["NOT_IMPLEMENTED"]
    assert "17 August 1970" in whole.answer.text


async def test_a_model_is_not_asked_for_what_cannot_be_checked(rewording: ScriptedLlm, writer: Stub) -> None:
    whole = await both(writer, write_request(QUESTIONS[0], language="de"))
    assert [degraded.reason for degraded in whole.degraded] == ["NOT_IMPLEMENTED"]
    assert "17 August 1970" in whole.answer.text
    assert rewording.requests == []
