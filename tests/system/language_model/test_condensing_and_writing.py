"""Whole turns with a language model: what it does well is used, counted and checked."""

import pytest

from parley.context.v1 import query_pb2, usage_pb2
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.language_model.lighthouse import (
    FOLLOW_UP,
    HEIGHT,
    HISTORY,
    LIT,
    STANDALONE,
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
    assert (turn.record.standalone, turn.record.engine) == (STANDALONE, "llm")
    assert turn.record.decision == query_pb2.DECISION_CONDENSE
    assert turn.text == "The tower of the lighthouse of Harrow Point stands 42 metres high.[1]"
    assert turn.verdicts == ["VERIFIED"]
    assert turn.degraded == []
    for task in ("condense", "write"):
        usage = turn.usage[task]
        assert (usage.model, usage.usage_source) == ("scripted-1", usage_pb2.USAGE_SOURCE_PROVIDER)
        assert usage.input_tokens > 0
        assert usage.output_tokens > 0


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


def test_it_may_have_something_else_searched_once(asker: Asker, llm: ScriptedLlm) -> None:
    mirror = "The observatory's mirror measures 2.5 metres across [1]."
    search = "observatory mirror of Cold Ridge"
    llm.answer_with(lambda request: f"NO ANSWER\nSEARCH: {search}" if "SEARCH:" in request.prompt else mirror)
    turn = asker.ask("How wide is the biggest piece of glass of the stargazers?")
    assert turn.text == "The observatory's mirror measures 2.5 metres across.[1]"
    assert turn.verdicts == ["VERIFIED"]
    searches = [event.sub_query.text for event in turn.events if event.HasField("sub_query")]
    assert searches[-1] == search
    prompts = [request.prompt for request in llm.requests if request.writes]
    assert ["SEARCH:" in prompt for prompt in prompts] == [True, False]
    report = next(event.usage for event in turn.events if event.HasField("usage"))
    assert len([task for task in report.tasks if task.task == "write" and task.input_tokens]) == 2


def test_a_further_search_that_finds_nothing_ends_without_an_answer(asker: Asker, llm: ScriptedLlm) -> None:
    llm.reply("NO ANSWER\nSEARCH: wave height", when=writing)
    turn = asker.ask("How high were the waves in the storm of 1953?")
    assert turn.outcome == "OUTCOME_ABSTAINED"
    assert "SEARCH" not in turn.text
    assert len([request for request in llm.requests if request.writes]) == 2
