"""Whole turns with a language model: what it does well is used, counted and checked."""

import pytest

from parley.context.v1 import evidence_pb2, query_pb2, usage_pb2
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.door import one
from tests.system.language_model.lighthouse import (
    FOLLOW_UP,
    HEIGHT,
    HISTORY,
    LIT,
    LIT_ON,
    STANDALONE,
    TIDY,
    condensing,
    standalone,
    writing,
)
from tests.system.model_turns import Asker
from tests.system.waiting import wait_for

pytestmark = pytest.mark.xdist_group("language model")


def test_it_condenses_and_writes_and_its_tokens_are_counted(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply(standalone(STANDALONE), when=condensing)
    llm.reply(HEIGHT, when=writing)
    turn = asker.ask(FOLLOW_UP, *HISTORY)
    assert turn.outcome == "OUTCOME_ANSWERED"
    assert (turn.record.standalone, turn.record.engine) == (TIDY, "llm")
    assert turn.record.decision == query_pb2.DECISION_CONDENSE
    assert turn.text == "The tower of the lighthouse of Harrow Point stands 42 metres high.[1]"
    assert turn.verdicts == ["VERIFIED"]
    assert turn.degraded == []
    for task in ("condense", "write"):
        usage = turn.usage[task]
        assert (usage.model, usage.usage_source) == ("scripted-1", usage_pb2.USAGE_SOURCE_PROVIDER)
        assert usage.input_tokens > 0
        assert usage.output_tokens > 0


def test_rewriting_and_answering_are_counted_apart_with_what_was_refused(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply(standalone("How high is the lighthouse of Alexandria?"), when=condensing)
    llm.reply(HEIGHT, when=writing)
    usage = one(list(asker.ask(FOLLOW_UP, *HISTORY).events), "usage").usage
    rewriting, answering = [
        (sum(len(r.prompt.split()) for r in llm.requests if is_of_task(r)), spending.input_tokens)
        for is_of_task, spending in ((condensing, usage.rewriting), (writing, usage.answering))
    ]
    assert rewriting[0] == rewriting[1] > 0
    assert answering[0] == answering[1] > 0
    assert (usage.answering.output_tokens, usage.rewriting.output_tokens) == (len(HEIGHT.split()), 8)
    assert usage.rewriting.cost_source == usage.answering.cost_source == usage_pb2.COST_SOURCE_UNKNOWN
    assert sum((usage.rewriting.input_tokens, usage.answering.input_tokens)) == usage.input_tokens


def test_it_sees_each_passage_with_its_relevance_and_source(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply(LIT_ON + "[1]", when=writing)
    turn = asker.ask(LIT)
    (request,) = llm.requests
    for reference in turn.references.values():
        label = evidence_pb2.Relevance.Name(reference.evidence.relevance).removeprefix("RELEVANCE_").title()
        passage = reference.evidence.passage
        source = passage.url or passage.source or passage.document_id
        block = f"<item n={reference.number}>\nRelevance: {label}\nSource: {source}\nTitle: {passage.title}\n"
        assert block in request.prompt
    assert "Relevance: High\n" in request.prompt


def test_its_text_streams_and_every_sentence_is_cited_and_checked(asker: Asker, llm: ScriptedLlm) -> None:
    first, second = "On 3 May 1871 the lighthouse was lit at Harrow Point [1].", "Its tower is 42 metres high [1]."
    llm.stream([f"{word} " for word in f"{first} {second}".split()], delay=0.04, when=writing)
    turn = asker.ask(LIT)
    assert len(turn.streamed) > 5
    assert turn.verdicts == ["VERIFIED", "VERIFIED"]
    assert [citation.sentence for citation in turn.citations] == [1, 2]
    assert all(span.passage_id in turn.references for citation in turn.citations for span in citation.references)
    assert "".join(turn.streamed) == turn.text


def test_a_caller_who_leaves_at_the_first_words_stops_the_model(asker: Asker, llm: ScriptedLlm) -> None:
    llm.stream(["The lighthouse of Harrow Point ", *["was lit long ago, "] * 100], delay=0.1, when=writing)
    call = asker.gateway.Ask(asker.request(LIT), timeout=60)
    assert any(response.event.HasField("text") for response in call)
    call.cancel()
    wait_for(lambda: llm.disconnects == 1)


def test_a_first_turn_is_not_shown_to_it_for_condensing(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply(LIT_ON + "[1]", when=writing)
    assert asker.ask(LIT).record.decision == query_pb2.DECISION_PASS
    assert not any(condensing(request) for request in llm.requests)


def test_it_says_whether_the_documents_hold_an_answer(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply("NO ANSWER", when=writing)
    turn = asker.ask("What is the best recipe for sourdough bread?")
    assert turn.outcome == "OUTCOME_ABSTAINED"
    assert not any("NO ANSWER" in text for text in (*turn.streamed, turn.text))
    assert turn.degraded == []
