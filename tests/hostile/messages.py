"""Messages of any contract: sensible ones, which get past the rules, and ones with hostile values in some fields."""

from collections.abc import Iterator
from typing import Any, Final

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

from buf.validate import validate_pb2
from gateway.session.context_codec import context_encode
from parley.context.v1 import session_pb2

DEEPEST: Final = 5
"""Levels of messages within messages that are filled."""
DOCUMENTS: Final = ("apollo-11", "viking-1", "venera-7")
"""Ids of documents that the suite holds."""
SENTENCES: Final = (
    "When did Viking 1 land on Mars?",
    "Viking 1 landed on Mars on 20 July 1976.",
    "And Venera 7?",
    "Mars",
)
NAMES: Final = ("default", "default", "en", "1")
"""Texts that any pattern of the contract allows."""
PICTURE: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fea7356d"
    "5a0000000049454e44ae426082"
)
HOSTILE_TEXTS: Final = (
    "",
    " \n\t",
    "\0",
    "a\0b",
    "\u200b\u202e\ufeff",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301" * 50,
    "\u05d0\u0661\u4e2d",
    "../../etc/passwd",
    "'; DROP TABLE documents; --",
    "%s%n{0}{question}${jndi:ldap://x}",
    "<script>alert(1)</script>",
    "9" * 400,
    "-1",
    "1e400",
    "NaN",
    "2024-13-45",
    "0000-00-00",
    "9999-12-31",
    "Mars/Olympus",
    "[" * 300,
    "word " * 400,
    "x" * 9000,
)
HOSTILE_NUMBERS: Final = (0, 1, -1, 7, 255, 10_000, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 2**64 - 1)
HOSTILE_REALS: Final = (0.0, -0.0, 1e-308, 1e308, -1e308, 3.4e38, float("inf"), float("-inf"), float("nan"), -1.0)
HOSTILE_BYTES: Final = (b"", b"\0", b"\xff" * 40, PICTURE[:-20], PICTURE + b"\0" * 99, b"UAE=", b"GIF89a" + b"\xff" * 9)
INTEGERS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
REALS: Final = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


@st.composite
def messages(draw: st.DrawFn, descriptor: Descriptor) -> Message:
    """A message of a type, with hostile values in up to three of its fields at any depth."""
    message = draw(sensible(descriptor))
    for _ in range(draw(st.sampled_from((0, 1, 1, 2)))):
        if slots := [*_slots(message)]:
            _spoil(draw, *draw(st.sampled_from(slots)))
    return message


@st.composite
def sensible(draw: st.DrawFn, descriptor: Descriptor, depth: int = 0) -> Message:
    """A message that keeps the rules of the contract for single fields."""
    message: Message = message_factory.GetMessageClass(descriptor)()
    chosen = {oneof.name: draw(st.sampled_from([*oneof.fields])).name for oneof in descriptor.oneofs}
    for field in descriptor.fields:
        oneof = field.containing_oneof
        is_chosen = chosen[oneof.name] == field.name if oneof else draw(st.booleans())
        is_too_deep = depth >= DEEPEST and field.message_type
        if _is_required(field) or (is_chosen and not is_too_deep):
            _fill(draw, message, field, depth)
    return message


def _fill(draw: st.DrawFn, message: Message, field: FieldDescriptor, depth: int) -> None:
    if _is_map(field):
        _fill_map(draw, message, field)
    elif field.is_repeated:
        items = getattr(message, field.name)
        for _ in range(draw(st.sampled_from((1, 1, 2, 3)))):
            if field.message_type:
                items.add().CopyFrom(draw(sensible(field.message_type, depth + 1)))
            else:
                items.append(draw(_sensible_value(field)))
    elif field.message_type:
        getattr(message, field.name).CopyFrom(draw(_sensible_message(field.message_type, depth + 1)))
    else:
        setattr(message, field.name, draw(_sensible_value(field)))


def _sensible_message(descriptor: Descriptor, depth: int) -> st.SearchStrategy[Message]:
    if descriptor.full_name == "google.protobuf.Timestamp":
        message_type: Any = message_factory.GetMessageClass(descriptor)
        return st.integers(-(10**9), 2 * 10**9).map(lambda seconds: message_type(seconds=seconds))
    return sensible(descriptor, depth)


def _sensible_value(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.type == FieldDescriptor.TYPE_STRING:
        return _sensible_text(field)
    if field.enum_type:
        return st.sampled_from([value.number for value in field.enum_type.values if value.number] or [0])
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if field.cpp_type in REALS:
        return st.sampled_from((0.0, 0.25, 1.0))
    return st.just(PICTURE) if field.type == FieldDescriptor.TYPE_BYTES else st.integers(0, 5)


def _sensible_text(field: FieldDescriptor) -> st.SearchStrategy[str]:
    if field.name == "context":
        return messages(session_pb2.SessionContext.DESCRIPTOR).map(_encoded)
    if field.name in ("collection", "language") or _rules(field).string.HasField("pattern"):
        return st.sampled_from(NAMES)
    if field.name.endswith(("_id", "_ids")):
        return st.sampled_from((*DOCUMENTS, *(f"{document}#0" for document in DOCUMENTS), "0", "session"))
    return st.sampled_from(SENTENCES)


def _encoded(context: Any) -> str:
    """A conversation as clients carry it: forged, as there is no signature."""
    return context_encode(context)


def _spoil(draw: st.DrawFn, message: Message, field: FieldDescriptor) -> None:
    """Give a field a hostile value, or clear it, or repeat its items."""
    action = draw(st.sampled_from(("value", "value", "value", "clear", "repeat")))
    if action == "clear":
        message.ClearField(field.name)
    elif _is_map(field):
        _fill_map(draw, message, field, hostile=True)
    elif field.is_repeated:
        items = getattr(message, field.name)
        if action == "repeat" or field.message_type:
            items.extend(list(items)[:4] * draw(st.sampled_from((1, 20, 300))))
        else:
            items.append(draw(_hostile_value(field)))
    elif field.message_type:
        getattr(message, field.name).Clear()
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, draw(_hostile_value(field)))


def _hostile_value(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.enum_type:
        return st.sampled_from((0, 99, -1, 2**31 - 1))
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if field.cpp_type in REALS:
        return st.sampled_from(HOSTILE_REALS)
    if field.cpp_type in INTEGERS:
        least, most = INTEGERS[field.cpp_type]
        return st.sampled_from([number for number in HOSTILE_NUMBERS if least <= number <= most])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.sampled_from(HOSTILE_BYTES) | st.binary(max_size=40)
    return st.sampled_from(HOSTILE_TEXTS) | st.text(st.characters(codec="utf-8"), max_size=40)


def _slots(message: Message, depth: int = 0) -> Iterator[tuple[Message, Any]]:
    """Every field of a message and of those within it, set or not."""
    for field in message.DESCRIPTOR.fields:
        yield message, field
        if field.message_type and not _is_map(field) and depth < DEEPEST:
            content = getattr(message, field.name)
            parts = list(content)[:4] if field.is_repeated else [content] if message.HasField(field.name) else []
            for part in parts:
                yield from _slots(part, depth + 1)


def _fill_map(draw: st.DrawFn, message: Message, field: Any, hostile: bool = False) -> None:
    key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
    value_of = _hostile_value if hostile else _sensible_value
    getattr(message, field.name)[draw(value_of(key))] = draw(value_of(value))


def _is_map(field: Any) -> bool:
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def _is_required(field: FieldDescriptor) -> bool:
    rules = _rules(field)
    return rules.required or rules.string.min_len > 0 or rules.repeated.min_items > 0 or 0 in rules.enum.not_in


def _rules(field: FieldDescriptor) -> validate_pb2.FieldRules:
    rules: validate_pb2.FieldRules = field.GetOptions().Extensions[validate_pb2.field]
    return rules
