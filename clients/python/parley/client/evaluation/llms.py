"""Language models that the caller brings: anything with `complete`, an OpenAI client, a LangChain chat model.

They run here, beside the caller. The suite is never told an endpoint or a key: a server that connects to wherever a
request says would be a way into its network.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, runtime_checkable

_CHARACTERS_PER_TOKEN = 4
"""OpenAI's rule of thumb for English (help.openai.com, "What are tokens")."""


class Message(TypedDict):
    """One message of a chat."""

    role: str
    """`system` or `user`."""
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer; tokens are None where nobody counted them (then they are estimated)."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    """None: unknown."""


@runtime_checkable
class CustomLlm(Protocol):
    """What a model of the caller's own has to be. Whatever it raises reaches the caller as it is."""

    @property
    def provider(self) -> str:
        """Who serves it, as the results name it."""
        ...

    @property
    def model_id(self) -> str:
        """Its name."""
        ...

    def complete(self, messages: Sequence[Message]) -> Completion:
        """A whole answer to a chat."""
        ...


@dataclass(frozen=True, slots=True)
class OpenAiLlm:
    """A model of the chat completions API.

    Args:
        client: an `openai.OpenAI`, or what has its `chat.completions.create`.
        model_id: as the endpoint knows it.
        options: of each request, such as `temperature` and `max_tokens`.
        prices: US dollars a million tokens, read and written; None: unknown.
    """

    client: Any
    model_id: str
    options: Mapping[str, object] = field(default_factory=dict)
    prices: tuple[float, float] | None = None
    provider: str = "openai"

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See `CustomLlm`."""
        request = {"model": self.model_id, "messages": list(messages), **self.options}
        answer = self.client.chat.completions.create(**request)
        text = answer.choices[0].message.content or ""
        if answer.usage is None:
            return Completion(text)
        input_tokens, output_tokens = answer.usage.prompt_tokens, answer.usage.completion_tokens
        return Completion(text, input_tokens, output_tokens, _cost(input_tokens, output_tokens, self.prices))


@dataclass(frozen=True, slots=True)
class LangChainLlm:
    """A LangChain chat model, or what has its `invoke` and answers with `content`.

    Args:
        model: the chat model.
        prices: US dollars a million tokens, read and written; None: unknown.
    """

    model: Any
    prices: tuple[float, float] | None = None

    @property
    def provider(self) -> str:
        """See `CustomLlm`."""
        return str(getattr(self.model, "_llm_type", "langchain"))

    @property
    def model_id(self) -> str:
        """See `CustomLlm`."""
        names = (getattr(self.model, name, None) for name in ("model_name", "model", "model_id"))
        return next((name for name in names if isinstance(name, str) and name), type(self.model).__name__)

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See `CustomLlm`."""
        answer = self.model.invoke([(message["role"], message["content"]) for message in messages])
        text = _plain(getattr(answer, "content", answer))
        usage = getattr(answer, "usage_metadata", None)
        if not usage:
            return Completion(text)
        input_tokens, output_tokens = int(usage["input_tokens"]), int(usage["output_tokens"])
        return Completion(text, input_tokens, output_tokens, _cost(input_tokens, output_tokens, self.prices))


def as_custom_llm(llm: object) -> CustomLlm:
    """The caller's model as the helpers ask it.

    Raises:
        TypeError: it is neither a `CustomLlm` nor a chat model with `invoke`.
    """
    if isinstance(llm, CustomLlm):
        return llm
    if hasattr(llm, "invoke"):
        return LangChainLlm(llm)
    hint = "; wrap an OpenAI client: OpenAiLlm(client, model_id)" if hasattr(llm, "chat") else ""
    raise TypeError(f"{type(llm).__name__} has neither complete, provider and model_id nor invoke{hint}")


def estimated_tokens(*texts: str) -> int:
    """About how many tokens texts have, without knowing the model's vocabulary."""
    return sum(-(-len(text) // _CHARACTERS_PER_TOKEN) for text in texts)


def _cost(input_tokens: int, output_tokens: int, prices: tuple[float, float] | None) -> float | None:
    return None if prices is None else (input_tokens * prices[0] + output_tokens * prices[1]) / 1e6


def _plain(content: object) -> str:
    """The text of an answer that may come in blocks."""
    if isinstance(content, list):
        return "".join(block if isinstance(block, str) else str(block.get("text", "")) for block in content)
    return str(content)
