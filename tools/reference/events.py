"""The page of the events of a turn."""

from collections.abc import Mapping, Sequence

from google.protobuf.descriptor_pb2 import DescriptorProto

from tools.reference.contracts import Contracts, Documented
from tools.reference.markdown import code, page, paragraphs, prose, table
from tools.reference.messages import field_type, fields_table

EVENT = "gateway.v1.Event"
ORDER: Mapping[str, Sequence[str]] = {
    "Understanding the question": ("condensed", "understanding"),
    "Searching": ("plan", "sub_query", "references"),
    "Answering": ("text", "citation", "image", "text_end", "recommendation"),
    "Building a timeline": ("timeline",),
    "Ending the turn": ("usage", "completed", "restarted"),
    "At any time": ("state", "degraded"),
}
"""The events in the order in which a client may see them, by part of the turn."""

INTRODUCTION = f"""\
`GatewayService.Ask` and `Answer` stream a turn as events; the fields of the messages are on the page
[RPCs](rpcs.md#{EVENT.replace(".", "").lower()}). `AskOnce` and `AnswerOnce` return what the events add up to as one
message. A turn that fails ends with a gRPC status instead of `completed` ([Errors](errors.md))."""


def events_page(contracts: Contracts) -> str:
    """The page of the events, in the order of a turn.

    Raises:
        ValueError: ORDER does not name exactly the events of the contract.
    """
    event = contracts.named(EVENT)
    parts = [_part(contracts, event, title, names) for title, names in _checked_order(event).items()]
    return page("Events", INTRODUCTION, paragraphs(event.comment), _envelope(event), _summary(event), *parts)


def _checked_order(event: Documented) -> Mapping[str, Sequence[str]]:
    events = sorted(field.name for field, _ in event.members if field.HasField("oneof_index"))
    if sorted(name for names in ORDER.values() for name in names) != events:
        raise ValueError(f"ORDER has to name each of these events once: {', '.join(events)}")
    return ORDER


def _envelope(event: Documented) -> str:
    """The fields that every event has."""
    fields = [(field, comment) for field, comment in event.members if not field.HasField("oneof_index")]
    return "Every event has:\n\n" + table(
        ("Field", "Meaning"), [(code(field.name), prose(comment)) for field, comment in fields]
    )


def _summary(event: Documented) -> str:
    comments = {field.name: comment for field, comment in event.members}
    rows = [
        (title if name == names[0] else "", f"[{code(name)}](#{name})", prose(comments[name]))
        for title, names in ORDER.items()
        for name in names
    ]
    return table(("Part", "Event", "Meaning"), rows)


def _part(contracts: Contracts, event: Documented, title: str, names: Sequence[str]) -> str:
    return "\n\n".join([f"## {title}", *(_event(contracts, event, name) for name in names)])


def _event(contracts: Contracts, event: Documented, name: str) -> str:
    message = event.definition
    assert isinstance(message, DescriptorProto)
    field, comment = next((field, comment) for field, comment in event.members if field.name == name)
    content = contracts.named(field.type_name.removeprefix(".parley."))
    message_line = f"Message: {field_type(field, message, 'rpcs.md')}"
    fields = fields_table(content, "rpcs.md")
    return "\n\n".join([f"### {name}", paragraphs(max(comment, content.comment, key=len)), message_line, fields])
