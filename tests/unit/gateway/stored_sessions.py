"""Stored sessions for tests: turns with everything in them, and a scripted corpus that they cite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateway.request import TurnRequest
from gateway.session.context_codec import SessionCodec
from gateway.session.conversations import Conversations
from gateway.session.reference_access import PassageKey, PassageLookup
from gateway.session.row_codec import RowCodec
from gateway.store.stores import Stores
from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, Triplet
from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import Evidence, ImageReference, NearDuplicate, Passage, Reference
from libs.contracts.query import QueryGraph, QueryNode
from libs.contracts.session import Outcome, Turn
from libs.contracts.timeline import EventSource, Timeline, TimelineEvent

ANN = ("ann",)


@dataclass
class ScriptedLookups:
    """A corpus whose documents everybody may see but those that are closed."""

    closed: set[str] = field(default_factory=set)
    passages: dict[str, Passage] = field(default_factory=dict)
    """As they are by now, by id."""

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        return {
            key: PassageLookup(
                key.document_id not in self.closed, self.passages.get(key.passage_id) if content else None
            )
            for key in keys
        }


def turn(number: int) -> Turn:
    """A turn whose answer cites an open and a closed document in every way there is."""
    open_passage = Passage("open#0", "open", "Words of the open one.", title="Open")
    closed_passage = Passage("closed#0", "closed", "Words of the closed one.", title="Closed")
    spans = (CitedSpan(1, "open#0", quote="open words"), CitedSpan(2, "closed#0", quote="closed words"))
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
        timeline=Timeline((TimelineEvent("e", "It was.", PartialDate(2000), Precision.YEAR, sources=sources),)),
        outcome=Outcome.ANSWERED,
    )


async def converse(stores: Stores, session_id: str = "s", turns: int = 1, principals: tuple[str, ...] = ANN) -> None:
    conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
    for number in range(turns):
        conversation = await conversations.open(TurnRequest("", session_id=session_id, principals=principals))
        own = replace(turn(number), question_id=f"q-{session_id}-{number}")
        await conversations.add(conversation, own)
