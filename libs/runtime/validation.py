"""The contract's own rules (protovalidate), checked on every request message before any servicer sees it."""

import re
from collections.abc import Iterable
from typing import Any, Final

import protovalidate
from google.protobuf import message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from libs.runtime.errors import FieldViolation, InvalidInput

EMPTY: Final = frozenset(
    {("string.min_len", "must be at least 1 characters"), ("string.pattern", "does not match regex pattern `\\S`")}
)
"""Rules, with what they say, that a text without a word breaks."""
PATTERNS: Final = {"does not match regex pattern `^[A-Za-z0-9._-]*$`": "may hold only letters, digits, dots, _ and -"}
"""Expressions in words, by what the rule says."""
_SUBSCRIPTS: Final = re.compile(r"\[[^\]]*\]")


class Validation:
    """Checks messages against the rules in their descriptors; about 5 us for one whose rules are compiled.

    Args:
        max_message_bytes: greatest serialized size of a message.
    """

    def __init__(self, max_message_bytes: int) -> None:
        self._validator = protovalidate.Validator()
        self._max_bytes = max_message_bytes

    def compile(self, services: Iterable[ServiceDescriptor]) -> None:
        """Compile the rules of all request messages now: a broken rule fails the start, and no call waits for it.

        Raises:
            protovalidate.CompilationError: a rule in a contract can't be compiled.
        """
        for service in services:
            for method in service.methods:
                self._validator.collect_violations(message_factory.GetMessageClass(method.input_type)())

    def check(self, message: Any) -> None:
        """Let a good message pass.

        Raises:
            InvalidInput: it breaks rules (one violation each, with the field's path) or is too large.
        """
        if not isinstance(message, Message):
            return
        if (size := message.ByteSize()) > self._max_bytes:
            description = f"The message has {size:,} bytes; at most {self._max_bytes:,} are taken."
            raise InvalidInput("", description, "MESSAGE_TOO_LARGE")
        if violations := self._validator.collect_violations(message):
            raise InvalidInput.of(_each_once(_violation(v) for v in violations))


def _each_once(violations: Iterable[FieldViolation]) -> tuple[FieldViolation, ...]:
    """An empty text breaks two rules, and is told once."""
    unique: dict[tuple[str, str], FieldViolation] = {}
    for violation in violations:
        unique.setdefault((violation.field, violation.description), violation)
    return tuple(unique.values())


def _violation(violation: protovalidate.Violation) -> FieldViolation:
    found = violation.proto
    path = _path(found.field)
    return FieldViolation(path, _sentence(path, found.rule_id, found.message), found.rule_id)


def _sentence(path: str, rule: str, message: str) -> str:
    """What is wrong with a field: `The question is empty.`, `The query must be at most 8192 characters.`"""
    noun = _noun(path)
    if rule == "required":
        return f"The {noun} is missing."
    if (rule, message) in EMPTY:
        return f"The {noun} is empty."
    if rule == "string.pattern":
        return f"The {noun} {PATTERNS.get(message, message)}."
    if rule == "enum.defined_only":
        return f"The {noun} is none of those that there are."
    return f"The {noun} {(message or f'breaks the rule {rule}').removeprefix('value ')}."


def _noun(path: str) -> str:
    """A field in words: `options.time_zone` is a time zone."""
    name = _SUBSCRIPTS.sub("", path).rpartition(".")[2]
    return name.replace("_", " ") or "message"


def _path(field: Any) -> str:
    """`filters.dates[0].from`, `labels["a"].text`; empty for a rule about the whole message."""
    path = ""
    for element in field.elements if field is not None else ():
        path += f".{element.field_name}" if path else element.field_name
        path += _subscript(element.subscript)
    return path


def _subscript(subscript: Any) -> str:
    if subscript is None:
        return ""
    key = subscript.value
    return f'["{key}"]' if isinstance(key, str) else f"[{str(key).lower()}]"
