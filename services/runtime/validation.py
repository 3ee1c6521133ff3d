"""The contract's own rules (protovalidate), checked on every request message before any servicer sees it."""

from collections.abc import Iterable
from typing import Any

import protovalidate
from google.protobuf import message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from services.runtime.errors import FieldViolation, InvalidInput


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
            description = f"the message has {size:,} bytes, at most {self._max_bytes:,} are taken"
            raise InvalidInput("", description, "MESSAGE_TOO_LARGE")
        if violations := self._validator.collect_violations(message):
            raise InvalidInput.of(tuple(_violation(v) for v in violations))


def _violation(violation: protovalidate.Violation) -> FieldViolation:
    found = violation.proto
    return FieldViolation(_path(found.field), found.message or found.rule_id, found.rule_id)


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
