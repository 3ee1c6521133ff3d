"""What a chat completion asks: its body, checked, as a question of the suite."""

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from parley.client.questions import Message, question_request
from parley.gateway.v1 import gateway_pb2

MODEL: Final = "parley"
"""The model that is this suite over its default collection; `parley/NAME` is another collection."""
MAX_MESSAGES: Final = 400
"""Messages of a history, by the contract."""
SPEAKERS: Final = {"user": "user", "assistant": "agent"}


class UnusableRequest(Exception):  # noqa: N818 - it names what is wrong
    """A request that cannot be served."""

    def __init__(self, message: str, field: str = "", code: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.field, self.code, self.status = message, field, code, status


class _Lenient(BaseModel):
    """Fields that only steer a language model are left aside."""

    model_config = ConfigDict(extra="ignore")


class TextPart(_Lenient):
    """A part of a message; those without text are left out."""

    type: str = "text"
    text: str = ""


class ChatMessage(_Lenient):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


class StreamOptions(_Lenient):
    """What a stream tells beside the text."""

    include_usage: bool = False


class ChatRequest(_Lenient):
    """The body of a chat completion."""

    model: str = MODEL
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = Field(default=1, ge=1, le=1)  # answers: a turn gives one

    @property
    def collection(self) -> str:
        """The collection that the model's name stands for; empty: the default one.

        Raises:
            UnusableRequest: there is no such model.
        """
        name, _, collection = self.model.partition("/")
        if name != MODEL:
            raise UnusableRequest(f"There is no model {self.model!r}.", "model", "model_not_found", 404)
        return collection

    def question(self, session_id: str) -> gateway_pb2.AskRequest:
        """The question, with the messages before it unless a session keeps them.

        Raises:
            UnusableRequest: the last message is not the user's, or has no text.
        """
        *earlier, last = self.messages
        if last.role != "user" or not last.text.strip():
            raise UnusableRequest("The last message must be the user's, with a text.", "messages")
        history = [] if session_id else _history(earlier)
        return question_request(last.text, collection=self.collection, session_id=session_id, history=history)


def chat_request(content: bytes) -> ChatRequest:
    """Read a body.

    Raises:
        UnusableRequest: it is not valid; names the first field at fault.
    """
    try:
        return ChatRequest.model_validate_json(content)
    except ValidationError as error:
        first: Any = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UnusableRequest(f"{field or 'The body'}: {first['msg']}", field) from None


def _history(messages: list[ChatMessage]) -> list[Message]:
    """The conversation before the question; instructions to a model are no part of it."""
    spoken = [(SPEAKERS[each.role], each.text) for each in messages if each.role in SPEAKERS and each.text.strip()]
    return spoken[-MAX_MESSAGES:]
