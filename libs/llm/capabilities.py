"""The request features that a server supports, learned from its refusals and remembered.

Pure values. Servers of the chat completions API differ in how they can enforce an answer's form, in whether they count
the tokens of a stream, and in whether the model's template supports a system message. The API has no query for that: a
request starts with all features and is repeated with fewer after a refusal. The first answer that begins inside a
thought shows that the model's answers do.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Form = Literal["json_schema", "json_object", "prompt"]
"""How an answer's form is enforced: by its schema, as any JSON, by the prompt alone."""

REFUSED: Final = frozenset((400, 422))
"""HTTP statuses of a request that a server doesn't support (vLLM, OpenAI: 400; servers on FastAPI or Rust: 422)."""
INTERNAL: Final = 500
"""Lowest HTTP status of a server error."""
_LESSER: Mapping[Form, Form] = {"json_schema": "json_object", "json_object": "prompt"}
_ANY_WAY = re.compile(r"content_filter|content management|context_length|context (length|size|window)", re.IGNORECASE)
"""Refusals that don't depend on the form: the text is filtered, or too long."""
_OF_FORM = re.compile(r"response_format|json_?schema|json_object|grammar|guided", re.IGNORECASE)
_OF_USAGE = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_OF_SYSTEM = re.compile(r"\bsystem\b|\broles?\b", re.IGNORECASE)
_OF_TEMPLATE = re.compile(
    r"\bsystem (role|message|prompt)s?( is| are)? (not |un)supported"
    r"|\bnot support (a |the )?system (role|message|prompt)"
    r"|\broles (must alternate|are supported)",
    re.IGNORECASE,
)
"""Errors of templates that don't support a message's role (Gemma, Mistral)."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The features that one model at one endpoint supports; all of them until one is refused."""

    form: Form = "json_schema"
    form_is_set: bool = False
    """Whether the settings fix the form, so that no other is tried."""
    stream_usage: bool = True
    system_role: bool = True
    opens_thoughts: bool = False
    """Whether the template opens a thought in the prompt, so that an answer begins inside it."""

    @classmethod
    def of(cls, setting: Form | Literal["auto"]) -> "Capabilities":
        """The capabilities assumed before the first request."""
        return cls() if setting == "auto" else cls(setting, form_is_set=True)

    def applied(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The request without the features that are not supported."""
        body = dict(request)
        if "response_format" in body and self.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        if self.form == "prompt":
            body.pop("response_format", None)
        if not self.stream_usage:
            body.pop("stream_options", None)
        if not self.system_role:
            body["messages"] = _without_system(body["messages"])
        return body

    def lessened(self, request: Mapping[str, Any], status: int, complaint: str) -> "Capabilities | None":
        """The capabilities left after a refusal; None if it refuses nothing that could be left out.

        A feature that the complaint names is reduced first. If it names none of the request's features, the form is
        weakened, then the usage left out; a system message is moved only if the complaint is about it.

        Args:
            request: the full request, see `applied`.
            status: the HTTP status.
            complaint: the server's error text.
        """
        without_system = replace(self, system_role=False) if self.system_role and _has_system(request) else None
        if status >= INTERNAL and _OF_TEMPLATE.search(complaint):  # llama.cpp
            return without_system
        if status not in REFUSED or _ANY_WAY.search(complaint):
            return None
        options: list[tuple[re.Pattern[str], Capabilities]] = []
        if "response_format" in request and self.form in _LESSER and not self.form_is_set:
            options.append((_OF_FORM, replace(self, form=_LESSER[self.form])))
        if "stream_options" in request and self.stream_usage:
            options.append((_OF_USAGE, replace(self, stream_usage=False)))
        named = [less for pattern, less in options if pattern.search(complaint)]
        if not named and without_system and _OF_SYSTEM.search(complaint):
            return without_system
        ways = named or [less for _, less in options]
        return ways[0] if ways else None


def _has_system(request: Mapping[str, Any]) -> bool:
    return any(message["role"] == "system" for message in request["messages"])


def _without_system(messages: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The messages with the system's text moved to the beginning of the first user message."""
    texts = [message["content"] for message in messages if message["role"] == "system"]
    remaining = [message for message in messages if message["role"] != "system"]
    if not texts:
        return remaining
    if remaining and remaining[0]["role"] == "user":
        texts.append(remaining.pop(0)["content"])
    return [{"role": "user", "content": "\n\n".join(texts)}, *remaining]
