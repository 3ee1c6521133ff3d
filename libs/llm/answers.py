"""What an endpoint answers, read without trusting its form: text, why it ends, what it took.

Thoughts of a model are no part of its answer, wherever they stand. Some are known for thoughts only when a part of them
has been handed on: then the whole answer is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from libs.contracts.usage import Usage
from libs.llm.errors import LlmError, LlmUnavailable, LlmUnusable
from libs.llm.thoughts import ThoughtFilter
from libs.llm.usage import TokenCount


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """An answer that came at once."""

    text: str
    finish: str | None
    usage: Mapping[str, int] | None


def read_whole(answer: Any, thoughts: ThoughtFilter) -> WholeAnswer:
    """Read a chat completion.

    Args:
        answer: the JSON.
        thoughts: a new one; takes them off.

    Raises:
        LlmUnusable: it is none.
    """
    with _readable():
        choice = answer["choices"][0]
        finish = choice.get("finish_reason")
        text = thoughts.feed(_words(choice["message"].get("content"))) + thoughts.finish(finish)
        return WholeAnswer(text, finish, answer.get("usage"))


@dataclass(slots=True)
class StreamedAnswer:
    """What has come of a stream so far."""

    most: int
    """Characters; who sends more doesn't keep to the bound on tokens, and is not read on."""
    thoughts: ThoughtFilter
    """A new one; takes them off."""
    text: str = ""
    finish: str | None = None
    usage: Mapping[str, int] | None = None
    failed: LlmError | None = None
    _came: int = 0
    """Characters, those of thoughts among them."""

    def add(self, chunks: Sequence[Any]) -> str:
        """The new text of chunks that came together, up to one that can't be read; remembers the rest."""
        new: list[str] = []
        try:
            with _readable():
                for chunk in chunks:
                    new.append(self._text_of(chunk))
        except LlmError as error:
            self.failed = error
        came = "".join(new)[: self.most - self._came]
        self._came += len(came)
        self.finish = "length" if self._came >= self.most else self.finish
        text = self.thoughts.feed(came) + (self.thoughts.finish(self.finish) if self.finish else "")
        if self.thoughts.is_late:
            self.failed = LlmUnusable("the language model's thoughts came as its answer")
        self.text += text
        return text

    @property
    def is_over(self) -> bool:
        """Whether nothing more is wanted of it: it can't be read, is no answer, or is longer than may be."""
        return self.failed is not None or self._came >= self.most

    def _text_of(self, chunk: Any) -> str:
        if chunk.get("error"):
            raise LlmUnavailable("the language model's endpoint reports an error in the middle of its answer")
        self.usage = chunk.get("usage") or self.usage
        if not (choices := chunk.get("choices")):
            return ""
        self.finish = choices[0].get("finish_reason") or self.finish
        # An endpoint that can't stream answers with a whole message.
        message = choices[0].get("delta") or choices[0].get("message") or {}
        return _words(message.get("content"))

    def refuse_unless_whole(self) -> None:
        """Raise when it ended too early, or is of no use."""
        if self.failed is not None:
            raise self.failed
        if self.finish is None:
            raise LlmUnavailable("the language model's stream broke off")
        refuse_unless_usable(self.text, self.finish)


def counted_by_provider(usage: Any) -> TokenCount | None:
    """The provider's own count; None where it can't be read."""
    try:
        return TokenCount(int(usage["prompt_tokens"]), int(usage["completion_tokens"]))
    except (KeyError, TypeError, ValueError):
        return None


def _words(content: object) -> str:
    """The content of a message; null is none."""
    if content is not None and not isinstance(content, str):
        raise TypeError("content is text")
    return content or ""


def refuse_unless_usable(text: str, finish: str | None, usage: Usage | None = None) -> None:
    """Raise `LlmUnusable`, with what it took, for an answer that is filtered or empty."""
    if finish == "content_filter":
        refused = LlmUnusable("the language model's provider filtered the answer")
    elif not text.strip():
        refused = LlmUnusable("the language model answered nothing")
    else:
        return
    refused.usage = usage
    raise refused


@contextmanager
def _readable() -> Iterator[None]:
    """Nothing checks the form of what was parsed: reading it may fail anywhere."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise LlmUnusable("the endpoint's answer is no chat completion") from error
