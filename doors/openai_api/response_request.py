"""What a response asks: its body, checked, as that of a chat completion."""

import re
import secrets
from typing import Any, ClassVar, Final

from pydantic import Field, field_validator

from doors.nulls import NullIsAbsent
from doors.openai_api.chat_request import ChatMessage, ChatRequest, ResponseFormat, UnusableRequest

SESSION_BYTES: Final = 16
"""Random bytes of a session's id (taste)."""
_STORED: Final = re.compile(rf"resp_([0-9a-f]{{{2 * SESSION_BYTES}}})[0-9a-f]+")
"""The id of a response that a session keeps."""


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
