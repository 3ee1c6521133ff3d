"""The answer stage on the wire, without a language model."""

from parley.answer.v1 import answer_pb2
from parley.context.v1 import answer_pb2 as context_answer_pb2
from parley.context.v1 import conversation_pb2
from tests.service.answer.requests_making import EVIDENCE, STORY, write_request
from tests.service.answer.steps_reading import Stub, written

QUESTION = "When did Mariner 9 enter orbit round Mars?"


async def test_text_comes_with_its_citation_behind_it_and_one_result_at_the_end(stub: Stub) -> None:
    steps = await written(stub, write_request(QUESTION, length=answer_pb2.LENGTH_SHORT))
    kinds = [step.WhichOneof("step") for step in steps]
    assert kinds[:4] == ["numbering", "text", "text", "citation"]
    assert kinds[-2:] == ["citation", "result"]
    assert [(p.passage_id, p.number) for p in steps[0].numbering.passages][:1] == [("mariner-9#0", 1)]
    heading, first = steps[1].text, steps[2].text
    assert (heading.delta, heading.paragraph, heading.sentence) == ("**Mariner 9** [1]", 1, 1)
    assert (first.paragraph, first.sentence) == (2, 2)
    citation = steps[3].citation
    assert (citation.sentence, citation.verdict) == (2, context_answer_pb2.VERDICT_VERIFIED)
    (span,) = citation.references
    assert (span.number, span.passage_id) == (1, "mariner-9#0")
    assert STORY[span.span.start : span.span.end] == span.quote
    assert "On 14 November 1971 Mariner 9 entered orbit round Mars." in steps[-1].result.answer.text


async def test_without_support_it_abstains_and_shows_what_comes_nearest(stub: Stub) -> None:
    steps = await written(stub, write_request("What is the best recipe for sourdough bread?"))
    answer = steps[-1].result.answer
    assert answer.abstained
    assert answer.abstains
    assert answer.abstain_score > 0.8
    assert answer.text.startswith("The documents found don't say it; nearest are:\n\n**")
    assert {citation.verdict for citation in answer.citations} == {context_answer_pb2.VERDICT_VERIFIED}


async def test_told_never_to_abstain_it_writes_and_tells_the_score(stub: Stub) -> None:
    request = write_request("Who baked rye bread in Sydney?", never_abstain=True)
    answer = (await written(stub, request))[-1].result.answer
    assert (answer.abstained, answer.abstains) == (False, True)
    assert answer.citations
    assert answer.abstain_score > 0.8


async def test_verify_checks_sentences_from_anywhere(stub: Stub) -> None:
    sentences = ["In 1971 Mariner 9 entered orbit round Mars.", "Mariner 9 returned 9,327 pictures."]
    request = answer_pb2.VerifyRequest(sentences=sentences, passages=[e.passage for e in EVIDENCE])
    true, false = (await stub.Verify(request)).citations
    assert (true.verdict, false.verdict) == (
        context_answer_pb2.VERDICT_VERIFIED,
        context_answer_pb2.VERDICT_WITHDRAWN,
    )
    assert true.references[0].quote == "On 14 November 1971 Mariner 9 entered orbit round Mars."
    assert "9,327" in false.reason


async def test_recommend_proposes_what_was_not_asked(stub: Stub) -> None:
    view = conversation_pb2.ConversationView(
        messages=[
            conversation_pb2.HistoryMessage(speaker=conversation_pb2.SPEAKER_USER, text="When was Mariner 9 launched?")
        ]
    )
    request = answer_pb2.RecommendRequest(question=QUESTION, evidence=EVIDENCE, view=view)
    questions = (await stub.Recommend(request)).questions
    assert "What does “Mariner 9” say?" in questions
    assert "When was Mariner 9 launched?" not in questions
