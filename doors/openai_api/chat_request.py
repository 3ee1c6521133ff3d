"""What a chat completion or a response asks: its body, checked, as a question of the suite."""

import re
import secrets
from typing import Any, ClassVar, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError, field_validator

from doors.nulls import NullIsAbsent
from parley.client.questions import Message, question_request
from parley.gateway.v1 import gateway_pb2

MODEL: Final = "parley"
"""The model that is this suite over its default collection; `parley/NAME` is another collection."""
MAX_MESSAGES: Final = 400
"""Messages of a history, by the contract."""
NO_TURNS: Final = "UAFNcxzAeAEDAAAAAAE="
"""The encoded context of a conversation without turns: one that the caller keeps, so that the suite stores nothing."""
SPEAKERS: Final = {"user": "user", "assistant": "agent"}
TEXTS: Final = ("text", "input_text", "output_text")
"""The types of parts that have a text."""
SESSION_BYTES: Final = 16
"""Random bytes of a session's id (taste)."""
_STORED: Final = re.compile(rf"resp_([0-9a-f]{{{2 * SESSION_BYTES}}})[0-9a-f]+")
"""The id of a response that a session keeps."""
MAX_UNUSED: Final = 20
"""Names of unused fields that a response repeats, so that its head stays short (taste)."""
_FIELD_NAME: Final = re.compile(r"[a-z_]{1,64}")


Request = TypeVar("Request", bound=NullIsAbsent)


class UnusableRequest(Exception):  # noqa: N818 - it names what is wrong
    """A request that cannot be served."""

    def __init__(self, message: str, field: str = "", code: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.field, self.code, self.status = message, field, code, status


class Part(NullIsAbsent):
    """A part of a message."""

    type: str = "text"
    text: str = ""


class ChatMessage(NullIsAbsent):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] = ""

    def text(self, place: str) -> str:
        """Its text; `place` is where it stands.

        Raises:
            UnusableRequest: the user shows what cannot be read, such as a picture.
        """
        if isinstance(self.content, str):
            return self.content
        for position, part in enumerate(self.content):
            if self.role == "user" and part.type not in TEXTS:
                raise UnusableRequest(f"Only texts are read, no {part.type!r}.", f"{place}.content.{position}")
        return "\n".join(part.text for part in self.content if part.type in TEXTS)


class StreamOptions(NullIsAbsent):
    """What a stream tells beside the text."""

    include_usage: bool = False


class ResponseFormat(NullIsAbsent):
    """The form of the answer: a text."""

    type: Literal["text"] = "text"


class ChatRequest(NullIsAbsent):
    """The body of a chat completion; fields that only steer a language model are left aside."""

    model_config = ConfigDict(extra="allow")
    conversation: ClassVar = "messages"
    """The field of the messages, for errors."""

    model: str = MODEL
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    n: int = Field(default=1, ge=1, le=1)  # answers: a turn gives one
    response_format: ResponseFormat = ResponseFormat()
    tool_choice: Literal["none", "auto"] = "auto"
    function_call: Literal["none", "auto"] = "auto"  # what `tool_choice` was called at first

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

    @property
    def unused(self) -> list[str]:
        """The roles and fields that have no effect: instructions to a model, tools, temperature and the like."""
        roles = [each.role for each in self.messages if each.role not in SPEAKERS]
        given = [name for name, value in (self.model_extra or {}).items() if value not in ("", [], {})]
        names = dict.fromkeys([*roles, *(name for name in given if _FIELD_NAME.fullmatch(name))])
        return list(names)[:MAX_UNUSED]

    def question(self, session_id: str) -> gateway_pb2.AskRequest:
        """The question, with the messages before it unless a session keeps them.

        Raises:
            UnusableRequest: the last message of the conversation is not the user's, or one is not a text.
        """
        spoken = [(f"{self.conversation}.{at}", each) for at, each in enumerate(self.messages) if each.role in SPEAKERS]
        place, last = spoken[-1] if spoken else (self.conversation, self.messages[-1])
        text = last.text(place)
        if last.role != "user" or not text.strip():
            raise UnusableRequest(
                "The last message must be the user's, with a text; a begun answer is not continued.", place
            )
        history = [] if session_id else _history(spoken[:-1])
        context = "" if session_id or history else NO_TURNS
        return question_request(
            text, collection=self.collection, session_id=session_id, history=history, context=context
        )


class TextForm(NullIsAbsent):
    """The form of the text."""

    format: ResponseFormat = ResponseFormat()


class ResponseRequest(ChatRequest):
    """The body of a response."""

    conversation: ClassVar = "input"

    messages: list[ChatMessage] = Field(min_length=1, alias="input")
    previous_response_id: str = ""
    store: bool = True
    text: TextForm = TextForm()

    @field_validator("messages", mode="before")
    @classmethod
    def _said(cls, value: Any) -> Any:
        return [{"role": "user", "content": value}] if isinstance(value, str) else value

    def session(self) -> str:
        """The session that keeps the conversation; empty if the caller does.

        Raises:
            UnusableRequest: no session keeps the response before.
        """
        if not self.previous_response_id:
            return secrets.token_hex(SESSION_BYTES) if self.store and len(self.messages) == 1 else ""
        stored = _STORED.fullmatch(self.previous_response_id)
        if stored is None:
            message = "previous_response_id: no such response was stored."
            raise UnusableRequest(message, "previous_response_id", "previous_response_not_found")
        return stored[1]


def body_of(content: bytes, kind: type[Request]) -> Request:
    """Read a body.

    Raises:
        UnusableRequest: it is not valid; names the first field at fault.
    """
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        first: Any = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UnusableRequest(f"{field or 'The body'}: {first['msg']}", field) from None


def _history(earlier: list[tuple[str, ChatMessage]]) -> list[Message]:
    """The messages before the question, each with its place; errors as with `ChatMessage.text`."""
    said = [(SPEAKERS[each.role], each.text(place)) for place, each in earlier]
    return [(speaker, text) for speaker, text in said if text.strip()][-MAX_MESSAGES:]
