"""Four clauses of a shop's terms, and a conversation about refunds that leans on itself."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from parley.context.v1 import conversation_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.system.door import ingest, last, one

COLLECTION: Final = "refunds"
CLAUSES: Final[Mapping[str, str]] = {
    "window": "Our refund window is 30 days from purchase, as long as the product is unused and in its original "
    "packaging.",
    "damaged-on-arrival": "Merchandise that arrives damaged qualifies for a full refund even outside the usual window; "
    "email a photo to support@example.com.",
    "misuse": "Damaged goods caused by customer misuse are not covered and must be replaced at full price.",
    "payment": "We process a refund back to your original card within five business days of receiving the return.",
}
TURNS: Final = (
    "What's our refund window?",
    "What about damaged items?",
    "And how long does that refund take to process?",
)
ANSWERED_BY: Final = ("window", "damaged-on-arrival", "payment")
"""The clause that each turn is about."""
WAYS: Final = ("session", "history", "questions")
"""How the conversation comes: the gateway keeps it, or the request brings it with the answers or without them."""


def ingest_clauses(port: int, folder: Path) -> None:
    """Put the clauses in a collection of their own."""
    file = folder / "clauses.jsonl"
    file.write_text("\n".join(json.dumps({"id": name, "text": text}) for name, text in CLAUSES.items()))
    ingest(port, str(file), "--collection", COLLECTION)


def converse(
    gateway: gateway_pb2_grpc.GatewayServiceStub, way: str, turns: tuple[str, ...] = TURNS, **options: object
) -> Iterator[list[event_pb2.Event]]:
    """The events of each turn of a conversation that comes in one of `WAYS`."""
    request = gateway_pb2.AskRequest()
    request.options.MergeFrom(gateway_pb2.RequestOptions(collection=COLLECTION, **options))  # type: ignore[arg-type]
    for turn in turns:
        request.question = turn
        events = [response.event for response in gateway.Ask(request, timeout=30)]
        yield events
        if way == "session":
            request.session_id = one(events, "completed").completed.session_id
            continue
        request.history.add(speaker=conversation_pb2.SPEAKER_USER, text=turn)
        if way == "history":
            answer = one(events, "text_end").text_end.text
            request.history.add(speaker=conversation_pb2.SPEAKER_AGENT, text=answer)


def first_cited(events: list[event_pb2.Event]) -> str:
    """The document of the first reference."""
    return last(events, "references").references.references[0].evidence.passage.document_id


def is_answered(events: list[event_pb2.Event]) -> bool:
    """Whether the turn ended with an answer."""
    return one(events, "completed").completed.outcome == session_pb2.OUTCOME_ANSWERED
