"""The page of the events of a turn, as a text made of the contracts. Pure functions."""

from collections.abc import Mapping, Sequence

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from tools.reference.contracts import Contracts, fields_table, link
from tools.reference.markdown import code, page, paragraphs, prose, table

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
    event = contracts[EVENT]
    events = {field.name: (field, comment) for field, comment in event.members if field.HasField("oneof_index")}
    if sorted(name for names in ORDER.values() for name in names) != sorted(events):
        raise ValueError(f"ORDER has to name each of these events once: {', '.join(events)}")
    envelope = [(code(field.name), prose(comment)) for field, comment in event.members if field.name not in events]
    parts, rows = [], []
    for title, names in ORDER.items():
        parts.append(f"## {title}")
        for name in names:
            field, comment = events[name]
            parts.append(_event(contracts, field, comment))
            rows.append((title if name == names[0] else "", f"[{code(name)}](#{name})", prose(comment)))
    return page(
        "Events",
        INTRODUCTION,
        paragraphs(event.comment),
        "Every event has:",
        table(("Field", "Meaning"), envelope),
        table(("Part", "Event", "Meaning"), rows),
        *parts,
    )


def _event(contracts: Contracts, field: FieldDescriptorProto, comment: str) -> str:
    content = contracts[field.type_name.removeprefix(".parley.")]
    message = f"Message: {link(field.type_name, 'rpcs.md')}"
    description = paragraphs(max(comment, content.comment, key=len))
    return "\n\n".join([f"### {field.name}", description, message, fields_table(content, "rpcs.md")])
