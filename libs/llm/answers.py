"""Reads an endpoint's answer without trusting its form: text, finish reason, token usage.

Thoughts of a model are not part of its answer. If part of a thought was already handed on before it could be
recognized, the whole answer is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from libs.llm.errors import LlmUnavailable, LlmUnusable
from libs.llm.thoughts import ThoughtFilter
from libs.llm.usage import TokenCount


@dataclass(slots=True)
class StreamedAnswer:
    """The part of a streamed answer received so far."""

    most: int
    """Maximum characters; a longer stream has exceeded the token limit and is cut off."""
    thoughts: ThoughtFilter
    """A new filter, which removes the thoughts."""
    text: str = ""
    finish: str | None = None
    usage: Mapping[str, int] | None = None
    _came: int = 0
    """Characters received, including thoughts."""

    def add(self, chunk: Any) -> str:
        """The new answer text of a chunk; updates finish, usage and failure."""
        try:
            came = self._text_of(chunk)[: self.most - self._came]
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise LlmUnusable("the endpoint's answer is not a chat completion") from error
        self._came += len(came)
        self.finish = "length" if self._came >= self.most else self.finish
        text = self.thoughts.feed(came) + (self.thoughts.finish(self.finish) if self.finish else "")
        self.text += text
        return text

    @property
    def is_over(self) -> bool:
        """Whether to stop reading: the stream is no answer, or too long."""
        return self.thoughts.is_late or self._came >= self.most

    def _text_of(self, chunk: Any) -> str:
        if chunk.get("error"):
            raise LlmUnavailable("the language model's endpoint reports an error in the middle of its answer")
        self.usage = chunk.get("usage") or self.usage
        if not (choices := chunk.get("choices")):
            return ""
        self.finish = choices[0].get("finish_reason") or self.finish
        # An endpoint that can't stream answers with a whole message.
        message = choices[0].get("delta") or choices[0].get("message") or {}
        content = message.get("content") or ""
        if not isinstance(content, str):
            raise TypeError("content is text")
        return content

    def refuse_unless_whole(self) -> None:
        """Raise an `LlmError` if the stream ended too early or its answer is unusable."""
        if self.thoughts.is_late:
            raise LlmUnusable("the language model returned its thoughts as its answer")
        if self.finish is None:
            raise LlmUnavailable("the language model's stream broke off")
        if self.finish == "content_filter":
            raise LlmUnusable("the language model's provider filtered the answer")
        if not self.text.strip():
            raise LlmUnusable("the language model returned an empty answer")


def counted_by_provider(usage: Any) -> TokenCount | None:
    """The provider's own token count; None if it can't be read."""
    try:
        return TokenCount(int(usage["prompt_tokens"]), int(usage["completion_tokens"]))
    except (KeyError, TypeError, ValueError):
        return None
