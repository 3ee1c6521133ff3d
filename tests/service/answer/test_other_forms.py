"""The latest answer in another form: without a language model its sentences again, with one written anew."""

import pytest

from parley.answer.v1 import answer_pb2
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import conversation_pb2
from tests.fakes.scripted_llm import ScriptedLlm
from tests.service.answer.requests_making import write_request
from tests.service.answer.steps_reading import Stub, answer_of, written

QUESTION = "What did Mariner 9 do in 1971?"


async def latest(stub: Stub) -> context_answer_pb2.Answer:
    return answer_of(await written(stub, write_request(QUESTION)))


def wish(answer: str, form: "conversation_pb2.AnswerForm.ValueType", language: str = "") -> answer_pb2.WriteRequest:
    messages = [
        conversation_pb2.HistoryMessage(speaker=conversation_pb2.SPEAKER_USER, text=QUESTION),
        conversation_pb2.HistoryMessage(speaker=conversation_pb2.SPEAKER_AGENT, text=answer),
    ]
    view = conversation_pb2.ConversationView(messages=messages)
    return write_request(QUESTION, view=view, form=form, language=language)


def quotations(answer: context_answer_pb2.Answer) -> list[str]:
    return [span.quote for citation in answer.citations for span in citation.references]


async def test_repeating_says_the_same_with_the_same_citations(stub: Stub) -> None:
    before = await latest(stub)
    again = answer_of(await written(stub, wish(before.text, conversation_pb2.ANSWER_FORM_REPEAT)))
    assert (again.text, list(again.citations)) == (before.text, list(before.citations))


async def test_a_list_has_the_sentences_one_a_line(stub: Stub) -> None:
    before = await latest(stub)
    listed = answer_of(await written(stub, wish(before.text, conversation_pb2.ANSWER_FORM_LIST)))
    assert quotations(listed) == quotations(before)
    lines = [line for line in listed.text.splitlines() if line.startswith("- ")]
    assert len(lines) == len(before.citations) > 1


async def test_shorter_keeps_some_of_the_sentences(stub: Stub) -> None:
    before = await latest(stub)
    shorter = answer_of(await written(stub, wish(before.text, conversation_pb2.ANSWER_FORM_SHORTER)))
    assert 0 < len(quotations(shorter)) < len(quotations(before))
    assert set(quotations(shorter)) < set(quotations(before))


async def test_what_the_latest_answer_did_not_say_is_not_added(stub: Stub) -> None:
    said = "Mariner 9 returned 7,329 pictures."
    again = answer_of(await written(stub, wish(said, conversation_pb2.ANSWER_FORM_REPEAT)))
    assert quotations(again) == [said]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (conversation_pb2.ANSWER_FORM_TRANSLATION, "can't be translated"),
        (conversation_pb2.ANSWER_FORM_TABLE, "can't be put in a table"),
        (conversation_pb2.ANSWER_FORM_SIMPLER, "can't be put in simpler words"),
    ],
)
async def test_what_takes_a_language_model_is_said_to(
    stub: Stub, form: "conversation_pb2.AnswerForm.ValueType", words: str
) -> None:
    language = "de" if form == conversation_pb2.ANSWER_FORM_TRANSLATION else ""
    answer = answer_of(await written(stub, wish((await latest(stub)).text, form, language)))
    assert words in answer.text
    assert "PARLEY_LLM_BASE_URL" in answer.text
    assert not answer.citations


async def test_a_model_is_shown_the_latest_answer_and_the_form(llm: ScriptedLlm, writer: Stub) -> None:
    llm.reply("Mariner 9 entered orbit round Mars in November 1971 [1].")
    said = "On 14 November 1971 Mariner 9 entered orbit round Mars."
    answer = answer_of(await written(writer, wish(said, conversation_pb2.ANSWER_FORM_SIMPLER)))
    assert answer.text == "Mariner 9 entered orbit round Mars in November 1971.[1]"
    assert said in llm.requests[0].prompt
    assert "in simpler words" in llm.requests[0].prompt


async def test_a_model_translates_each_sentence_and_its_citation_stays(llm: ScriptedLlm, writer: Stub) -> None:
    said = "On 14 November 1971 Mariner 9 entered orbit round Mars."
    llm.reply('{"sentences": ["Am 14. November 1971 trat Mariner 9 in eine Umlaufbahn um den Mars ein."]}')
    answer = answer_of(await written(writer, wish(said, conversation_pb2.ANSWER_FORM_TRANSLATION, "de")))
    assert "Am 14. November 1971 trat Mariner 9 in eine Umlaufbahn um den Mars ein." in answer.text
    (citation,) = answer.citations
    assert citation.verdict == context_answer_pb2.VERDICT_WEAK
    assert [span.quote for span in citation.references] == [said]
    assert answer.engine == "llm"


async def test_a_translation_that_changes_a_number_is_not_shown(llm: ScriptedLlm, writer: Stub) -> None:
    said = "On 14 November 1971 Mariner 9 entered orbit round Mars."
    for _ in range(2):
        llm.reply('{"sentences": ["Am 15. November 1971 trat Mariner 9 in eine Umlaufbahn um den Mars ein."]}')
    steps = await written(writer, wish(said, conversation_pb2.ANSWER_FORM_TRANSLATION, "de"))
    assert "15. November" not in answer_of(steps).text
    assert [step.degraded.effect for step in steps if step.HasField("degraded")] == ["The answer was not translated."]
