"""Stored sessions for tests: turns with everything in them, a corpus that they cite, and calls of their service."""

from dataclasses import dataclass, field, replace
from typing import Any

from gateway.request import TurnRequest
from gateway.session.conversations import Conversations
from gateway.session.servicer_sessions import SessionServicer
from gateway.store.stores import Stores
from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, Triplet
from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import Evidence, ImageReference, NearDuplicate, Passage, Reference
from libs.contracts.query import QueryGraph, QueryNode
from libs.contracts.session import Outcome, Turn
from libs.contracts.timeline import EventSource, Timeline, TimelineEvent
from libs.contracts.wire.codec import from_message, to_message
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import session_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.fakes.call_context import LOCAL, CallContext, claiming

ANN = ("ann",)


@dataclass
class SessionCalls:
    """Calls the service of sessions by the names of its methods and the fields of their requests."""

    servicer: SessionServicer

    async def __call__(self, method: str, by: tuple[str, ...] = ANN, origin: str = LOCAL, /, **fields: object) -> Any:
        request = getattr(session_pb2, f"{method}Request")(**fields)
        return await getattr(self.servicer, method)(request, CallContext(origin, claiming(*by)))

    async def turn(self, turn_id: str, *, new_content: bool = False) -> Turn:
        response = await self("GetTurn", turn_id=turn_id, need_new_content=new_content)
        return from_message(response.turn, Turn)


@dataclass
class ScriptedCorpus:
    """A corpus whose documents everybody may see but those that are closed."""

    closed: set[str] = field(default_factory=set)
    passages: dict[str, Passage] = field(default_factory=dict)
    """As they are by now, by id."""

    async def LookUpPassages(
        self, request: corpus_pb2.LookUpPassagesRequest, context: None
    ) -> corpus_pb2.LookUpPassagesResponse:
        response = corpus_pb2.LookUpPassagesResponse()
        for key in request.keys:
            lookup = response.lookups.add(visible=key.document_id not in self.closed)
            if request.content and key.passage_id in self.passages:
                lookup.passage.CopyFrom(to_message(self.passages[key.passage_id], evidence_pb2.Passage))
        return response


def turn(number: int) -> Turn:
    """A turn whose answer cites an open and a closed document in every way there is."""
    open_passage = Passage("open#0", "open", "Words of the open one.", title="Open")
    closed_passage = Passage("closed#0", "closed", "Words of the closed one.", title="Closed")
    spans = (
        CitedSpan(1, "open#0", quote="open words", cells="Open!A2:B2"),
        CitedSpan(2, "closed#0", quote="closed words", cells="Closed!A2:B2"),
    )
    picture = ImageReference("closed/0", "A closed picture")
    sources = (EventSource("closed#0", "closed", quote="closed words"), EventSource("open#0", "open", quote="open"))
    return Turn(
        f"q-{number}",
        f"Question {number}?",
        graph=QueryGraph((QueryNode("n1", "?", answer="x", source=spans[1]),)),
        references=(
            Reference(1, Evidence(open_passage, near_duplicates=(NearDuplicate(closed_passage, 0.9),))),
            Reference(2, Evidence(closed_passage)),
        ),
        answer=Answer(
            f"Answer {number}. [1][2]",
            citations=(Citation(1, spans),),
            images=(PlacedImage(1, picture, "closed", 0.5),),
            triplets=(Triplet("a", "is", "b", "closed#0"), Triplet("a", "is", "c", "open#0")),
        ),
        timeline=Timeline(
            (TimelineEvent("e", "It was.", PartialDate(2000), Precision.YEAR, sources=sources, image=picture),)
        ),
        outcome=Outcome.ANSWERED,
    )


async def converse(
    stores: Stores,
    session_id: str = "s",
    turns: int = 1,
    principals: tuple[str, ...] = ANN,
    references: tuple[Reference, ...] = (),
) -> None:
    """Add turns to a session, with references of their own if there are some."""
    conversations = Conversations(stores.sessions)
    for number in range(turns):
        conversation = await conversations.open(TurnRequest("", session_id=session_id, principals=principals))
        own = replace(turn(number), question_id=f"q-{session_id}-{number}")
        await conversations.add(conversation, replace(own, references=references or own.references))
