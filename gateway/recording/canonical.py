"""The responses of a call in a form that is the same for the same answer: without what changes by chance.

Steps of a stream are grouped by kind, since steps of several kinds may come in any order; each kind keeps its own
order. Pieces of a sentence are joined, since a language model's stream may be cut anywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf.message import Message

from libs.contracts.wire.methods import STEP
from parley.context.v1 import answer_pb2

VOLATILE_FIELDS: Final = frozenset({"milliseconds"})
"""Fields that differ between two runs of the same code, by name in any message: only times, since the stages make no
ids by chance."""

Canonical = Mapping[str, Sequence[Message]]
"""Messages by kind of step, in the order in which the kinds came; under "" the response of a unary call."""


def canonical(responses: Sequence[Message]) -> Canonical:
    """Return the responses of one call, grouped by kind of step."""
    kinds: dict[str, list[Message]] = {}
    for response in responses:
        kind = response.WhichOneof(STEP) or "" if STEP in response.DESCRIPTOR.oneofs_by_name else ""
        kinds.setdefault(kind, []).append(getattr(response, kind) if kind else response)
    return {kind: _joined(messages) for kind, messages in kinds.items()}


def canonical_bytes(responses: Sequence[Message]) -> bytes:
    """Return bytes that are equal for equal answers, to be hashed."""
    parts: list[bytes] = []
    for kind, messages in canonical(responses).items():
        for message in messages:
            parts += kind.encode(), b"\0", _stable(message).SerializeToString(deterministic=True), b"\0"
    return b"".join(parts)


def _joined(messages: Sequence[Message]) -> Sequence[Message]:
    """Join the pieces of each sentence; other messages are returned as they are."""
    sentences: dict[tuple[int, int], answer_pb2.TextDelta] = {}
    for message in messages:
        if not isinstance(message, answer_pb2.TextDelta):
            return messages
        key = message.paragraph, message.sentence
        sentence = sentences.setdefault(key, answer_pb2.TextDelta(paragraph=key[0], sentence=key[1]))
        sentence.delta += message.delta
    return list(sentences.values())


def _stable(message: Message) -> Message:
    """Return a copy without the volatile fields."""
    copy: Any = type(message)()
    copy.CopyFrom(message)
    _clear_volatile(copy)
    return copy  # type: ignore[no-any-return]


def _clear_volatile(message: Message) -> None:
    for field, content in message.ListFields():
        if field.name in VOLATILE_FIELDS:
            message.ClearField(field.name)
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for item in content if field.is_repeated else (content,):
                _clear_volatile(item)
