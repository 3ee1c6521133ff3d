"""What a server understands of a request, found out by what it refuses, and remembered.

Servers that speak the chat completions API differ in the forms they can hold an answer to, in whether they count tokens
of a stream, and in whether the model's template has a place for a system message. Nobody can be asked for that: a
request begins with everything, and goes on with less where it is refused. Whether its answers begin inside a thought
is told by the first that does.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Form = Literal["json_schema", "json_object", "prompt"]
"""How an answer is held to a form: by its schema, to any JSON, by the prompt alone."""

REFUSED: Final = frozenset((400, 422))
"""HTTP statuses of a request that a server doesn't understand (vLLM, OpenAI: 400; servers on FastAPI or Rust: 422)."""
INTERNAL: Final = 500
"""Least HTTP status of what a server takes for a failure of its own."""
_LESSER: Mapping[Form, Form] = {"json_schema": "json_object", "json_object": "prompt"}
_ANY_WAY = re.compile(r"content_filter|content management|context_length|context (length|size|window)", re.IGNORECASE)
"""What a request is refused for in any form: its text is filtered, or too long."""
_OF_FORM = re.compile(r"response_format|json_?schema|json_object|grammar|guided", re.IGNORECASE)
_OF_USAGE = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_OF_SYSTEM = re.compile(r"\bsystem\b|\broles?\b", re.IGNORECASE)
_OF_TEMPLATE = re.compile(
    r"\bsystem (role|message|prompt)s?( is| are)? (not |un)supported"
    r"|\bnot support (a |the )?system (role|message|prompt)"
    r"|\broles (must alternate|are supported)",
    re.IGNORECASE,
)
"""What templates say of a message that they have no place for (Gemma, Mistral)."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What one model at one endpoint understands, as far as is known; everything until something is refused."""

    form: Form = "json_schema"
    form_is_set: bool = False
    """By the settings: nothing else is tried."""
    stream_usage: bool = True
    system_role: bool = True
    opens_thoughts: bool = False
    """Its template opens a thought in the prompt, so that an answer begins inside of it."""

    @classmethod
    def of(cls, setting: Form | Literal["auto"]) -> "Capabilities":
        """What is taken for granted before the first request."""
        return cls() if setting == "auto" else cls(setting, form_is_set=True)

    def applied(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A request that wants everything, as it is understood."""
        sent = dict(request)
        if "response_format" in sent and self.form == "json_object":
            sent["response_format"] = {"type": "json_object"}
        if self.form == "prompt":
            sent.pop("response_format", None)
        if not self.stream_usage:
            sent.pop("stream_options", None)
        if not self.system_role:
            sent["messages"] = _without_system(sent["messages"])
        return sent

    def lessened(self, request: Mapping[str, Any], complaint: str) -> "Capabilities | None":
        """What is left after a refusal; None where the request has nothing that could be left out.

        What the complaint names goes first. Where it names nothing of the request, the form is tried, then the usage;
        a system message is moved only where the complaint is about it.

        Args:
            request: what was wanted, as for `applied`.
            complaint: what the server says about it.
        """
        if _ANY_WAY.search(complaint):
            return None
        wanted: list[tuple[re.Pattern[str], Capabilities]] = []
        if "response_format" in request and self.form in _LESSER and not self.form_is_set:
            wanted.append((_OF_FORM, replace(self, form=_LESSER[self.form])))
        if "stream_options" in request and self.stream_usage:
            wanted.append((_OF_USAGE, replace(self, stream_usage=False)))
        named = [less for pattern, less in wanted if pattern.search(complaint)]
        if not named and _OF_SYSTEM.search(complaint) and (merged := self.without_system(request)):
            return merged
        ways = named or [less for _, less in wanted]
        return ways[0] if ways else None

    def without_system(self, request: Mapping[str, Any]) -> "Capabilities | None":
        """What is left where a template has no place for a system message; None where that is not what was sent."""
        return replace(self, system_role=False) if self.system_role and _has_system(request["messages"]) else None


def is_of_template(status: int, complaint: str) -> bool:
    """Whether a server says by an error of its own that a template refuses a message's role (llama.cpp, with 500).

    Args:
        status: of HTTP.
        complaint: what the server says.
    """
    return status >= INTERNAL and _OF_TEMPLATE.search(complaint) is not None


def _has_system(messages: Sequence[Mapping[str, str]]) -> bool:
    return any(message["role"] == "system" for message in messages)


def _without_system(messages: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The system's text at the beginning of what the user says first."""
    told = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    if not told:
        return others
    if others and others[0]["role"] == "user":
        told.append(others.pop(0)["content"])
    return [{"role": "user", "content": "\n\n".join(told)}, *others]
