"""The Python client of a Parley suite: `Parley`, `AsyncParley`, and what their methods return and raise."""

from parley.client.answers import Answer
from parley.client.asynchronous import AsyncConversation, AsyncParley
from parley.client.blocking import Conversation, Parley
from parley.client.calls import CollectionInfo, DocumentInfo, SessionInfo, TurnInfo
from parley.client.connection import Tls
from parley.client.documents import Document, Receipt, UnreadableFileError
from parley.client.errors import ParleyError
from parley.client.questions import Options
from parley.client.turns import AsyncTurn, Turn
from parley.client.values import (
    Citation,
    CitedSpan,
    Degraded,
    Outcome,
    Passage,
    PlacedImage,
    Reference,
    Timeline,
    TimelineEvent,
    Usage,
    Verdict,
)

__all__ = [
    "Answer",
    "AsyncConversation",
    "AsyncParley",
    "AsyncTurn",
    "Citation",
    "CitedSpan",
    "CollectionInfo",
    "Conversation",
    "Degraded",
    "Document",
    "DocumentInfo",
    "Options",
    "Outcome",
    "Parley",
    "ParleyError",
    "Passage",
    "PlacedImage",
    "Receipt",
    "Reference",
    "SessionInfo",
    "Timeline",
    "TimelineEvent",
    "Tls",
    "Turn",
    "TurnInfo",
    "UnreadableFileError",
    "Usage",
    "Verdict",
]
