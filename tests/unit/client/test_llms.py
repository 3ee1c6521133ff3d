"""Models that the caller brings, whatever library they come from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import openai
import pytest

from parley.client.evaluation import Completion, LangChainLlm, Message, OpenAiLlm
from parley.client.evaluation.llms import as_custom_llm
from tests.fakes.scripted_llm import ScriptedLlm, in_a_thread

ASKED: Sequence[Message] = (
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "Who landed first?"},
)


@dataclass
class Answer:
    """As LangChain's messages are."""

    content: Any
    usage_metadata: dict[str, int] | None = None


@dataclass
class ChatModel:
    """As LangChain's chat models are."""

    answer: object
    model_name: str = "chatty-1"
    _llm_type: str = "chatty"
    asked: list[object] = field(default_factory=list)

    def invoke(self, messages: object) -> object:
        self.asked.append(messages)
        return self.answer


@pytest.fixture
def server() -> Iterator[ScriptedLlm]:
    with in_a_thread() as llm:
        yield llm


def test_an_openai_client_is_asked_by_its_own_endpoint_and_its_tokens_cost_what_was_said(server: ScriptedLlm) -> None:
    server.reply("Viking 1 did.")
    with openai.OpenAI(base_url=server.base_url, api_key="secret") as client:
        llm = OpenAiLlm(client, "small-1", options={"temperature": 0.2}, prices=(1.0, 10.0))
        completion = llm.complete(ASKED)
    assert completion == Completion("Viking 1 did.", 5, 3, (5 * 1.0 + 3 * 10.0) / 1e6)
    (request,) = server.requests
    assert (request.body["model"], request.body["temperature"]) == ("small-1", 0.2)
    assert request.messages == list(ASKED)


def test_without_a_price_the_cost_is_unknown(server: ScriptedLlm) -> None:
    server.reply("Viking 1 did.", usage=False)
    with openai.OpenAI(base_url=server.base_url, api_key="secret") as client:
        assert OpenAiLlm(client, "small-1").complete(ASKED) == Completion("Viking 1 did.")


def test_a_langchain_model_is_asked_with_roles_and_counts_its_tokens() -> None:
    model = ChatModel(Answer("Viking 1 did.", {"input_tokens": 9, "output_tokens": 4}))
    llm = as_custom_llm(model)
    assert llm.complete(ASKED) == Completion("Viking 1 did.", 9, 4)
    assert model.asked == [[("system", "Be short."), ("user", "Who landed first?")]]
    assert (llm.provider, llm.model_id) == ("chatty", "chatty-1")


@pytest.mark.parametrize("answer", ["Yes.", Answer("Yes."), Answer([{"type": "text", "text": "Yes"}, "."])])
def test_a_langchain_answer_may_be_a_text_a_message_or_blocks(answer: object) -> None:
    assert LangChainLlm(ChatModel(answer)).complete(ASKED) == Completion("Yes.")


def test_a_model_without_a_name_has_that_of_its_class() -> None:
    class Nameless:
        def invoke(self, messages: object) -> str:
            return "Yes."

    assert (LangChainLlm(Nameless()).provider, LangChainLlm(Nameless()).model_id) == ("langchain", "Nameless")


def test_what_is_no_model_is_refused_and_a_bare_client_gets_a_hint(server: ScriptedLlm) -> None:
    with pytest.raises(TypeError, match="int has neither"):
        as_custom_llm(3)
    with (
        openai.OpenAI(base_url=server.base_url, api_key="secret") as client,
        pytest.raises(TypeError, match="OpenAiLlm"),
    ):
        as_custom_llm(client)
