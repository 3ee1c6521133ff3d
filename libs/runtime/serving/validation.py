"""Checks every request message against the contract's rules (protovalidate) before a servicer gets it."""

import re
from itertools import chain
from typing import Any, Final

import protovalidate
from google.protobuf.message import Message

from libs.runtime.errors import FieldViolation, InvalidInput

MAX_MESSAGE_BYTES: Final = 8 * 1024 * 1024
"""Largest request message; the contract's largest is a document of 4 MB, with its vectors."""
MAX_PARTS: Final = 1_000_000
"""Most parts of a message, messages and list items, each of which is checked: a document of 4 MB has one for 4
characters (taste)."""
MAX_TOLD: Final = 1_000
"""Parts of a message all of whose violations are told; of a larger one only the first: 50,000 took 13 s and 360 MB."""
EMPTY: Final = frozenset(
    {("string.min_len", "must be at least 1 characters"), ("string.pattern", "does not match regex pattern `\\S`")}
)
"""Rule ids and messages of the rules that an empty text violates."""
PATTERNS: Final = {"does not match regex pattern `^[A-Za-z0-9._-]*$`": "may hold only letters, digits, dots, _ and -"}
"""Readable descriptions of patterns, by the rule's message."""
_SUBSCRIPTS: Final = re.compile(r"\[[^\]]*\]")


class Validation:
    """Checks messages against the rules in their descriptors; takes about 5 us once the rules are compiled."""

    def __init__(self) -> None:
        self._validator = protovalidate.Validator()

    def compile(self, message_type: type[Message]) -> None:
        """Compile the rules of a message, so that a broken one fails the start and no call waits for it.

        Raises:
            protovalidate.CompilationError: a rule in the contract can't be compiled.
        """
        self._validator.collect_violations(message_type())

    def check(self, message: Message) -> None:
        """Check a message.

        Raises:
            InvalidInput: it violates rules (one violation each, with the field's path; see MAX_TOLD) or is too large.
        """
        if (size := message.ByteSize()) > MAX_MESSAGE_BYTES:
            description = f"The message has {size:,} bytes; at most {MAX_MESSAGE_BYTES:,} are accepted."
            raise InvalidInput("", description, "MESSAGE_TOO_LARGE")
        if size > MAX_PARTS and _parts(message, MAX_PARTS) > MAX_PARTS:  # each takes a byte
            raise InvalidInput("", f"The message has more than {MAX_PARTS:,} parts.", "MESSAGE_TOO_LARGE")
        if violations := self._validator.collect_violations(message, fail_fast=True):  # a list's length comes first
            if _parts(message, MAX_TOLD) <= MAX_TOLD:
                violations = self._validator.collect_violations(message)
            unique: dict[tuple[str, str], FieldViolation] = {}
            for each in map(_violation, violations):  # an empty text violates two rules, and is reported once
                unique.setdefault((each.field, each.description), each)
            raise InvalidInput(violations=tuple(unique.values()))


def _parts(message: Message, most: int) -> int:
    """How many messages and list items are in a message; above `most`, the count may be any number above it."""
    lists = [
        content if field.is_repeated else [content]
        for field, content in message.ListFields()
        if field.is_repeated or field.message_type
    ]
    count = sum(map(len, lists))
    for part in chain.from_iterable(lists) if count <= most else ():
        if isinstance(part, Message) and count <= most:
            count += _parts(part, most)
    return count


def _violation(violation: protovalidate.Violation) -> FieldViolation:
    proto = violation.proto
    path = _path(proto.field)
    return FieldViolation(path, _sentence(path, proto.rule_id, proto.message), proto.rule_id)


def _sentence(path: str, rule: str, message: str) -> str:
    """The error of a field as a sentence: `The question is empty.`, `The query must be at most 8192 characters.`"""
    noun = _SUBSCRIPTS.sub("", path).rpartition(".")[2].replace("_", " ") or "message"
    if rule == "required":
        return f"The {noun} is missing."
    if (rule, message) in EMPTY:
        return f"The {noun} is empty."
    if rule == "string.pattern":
        return f"The {noun} {PATTERNS.get(message, message)}."
    if rule == "enum.defined_only":
        return f"The {noun} has an unknown value."
    return f"The {noun} {(message or f'breaks the rule {rule}').removeprefix('value ')}."


def _path(field: Any) -> str:
    """A field's path, such as `filters.dates[0].from` or `labels["a"].text`; empty for a rule about the message."""
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
