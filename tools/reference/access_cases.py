"""Who may do what: every call of the gateway, for four callers. A test tries each; the reference shows them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """What becomes of a call."""

    YES = "yes"
    NOTHING = "nothing of it"
    """The call succeeds and contains nothing of the object."""
    NOT_FOUND = "NOT_FOUND"
    DENIED = "PERMISSION_DENIED"
    TAKEN = "ALREADY_EXISTS"
    ABSENT = "UNIMPLEMENTED"
    """The gateway does not offer this call of a stage."""


class Target(StrEnum):
    """What a call is about."""

    OPEN = "a public document of Alice in `shared`"
    CLOSED = "a document in `shared` that Alice put for herself alone"
    OWN = "a public document of Alice in `private`"
    NEW = "a new document in `shared`"
    NEW_OWN = "a new document in `private`"
    SHARED = "`shared`, whose documents are Alice's"
    PRIVATE = "`private`"
    ROOT = "Alice's root in `shared`"
    ROOT_OWN = "Alice's root in `private`"
    ROOT_ALONE = "`folders`, which has nothing but a root of Alice"
    SESSION = "Alice's session"
    TURN = "Alice's turn"
    QUESTION = "Alice's question"
    ANY = "anything"


CALLERS: Final = {
    "Alice": "the role `write` in `shared`, `folders` and `private`",
    "Bob": "the role `write` in `shared` and `folders`",
    "anonymous": "no principals; everybody has the role `read` in `shared` and `folders`",
    "admin": "the role `admin` everywhere",
}
"""The callers of the table, and what they are granted."""

YES, NOTHING, NOT_FOUND, DENIED = Outcome.YES, Outcome.NOTHING, Outcome.NOT_FOUND, Outcome.DENIED
ALL: Final = (YES, YES, YES, YES)
READERS: Final = (YES, NOT_FOUND, NOT_FOUND, NOT_FOUND)
"""Alice alone."""
GRANTED: Final = (YES, NOT_FOUND, NOT_FOUND, YES)
"""Those with a role in `private`."""
OWNERS: Final = (YES, DENIED, DENIED, YES)
ALICE_SEES: Final = (YES, NOTHING, NOTHING, NOTHING)
GRANTED_SEE: Final = (YES, NOTHING, NOTHING, YES)


@dataclass(frozen=True, slots=True)
class Case:
    """A call with an object, and what becomes of it for each caller, in the order of CALLERS."""

    method: str
    """Relative to the package `parley`: `gateway.v1.GatewayService/Ask`."""
    target: Target
    outcomes: tuple[Outcome, Outcome, Outcome, Outcome]


_Rows = dict[str, dict[Target, tuple[Outcome, Outcome, Outcome, Outcome]]]
_READ: Final = {Target.OPEN: ALL, Target.CLOSED: READERS, Target.OWN: GRANTED}
_SEARCH: Final = {Target.OPEN: ALL, Target.CLOSED: ALICE_SEES, Target.OWN: GRANTED}
_PUT: Final = {
    Target.NEW: (YES, YES, DENIED, YES),
    Target.OPEN: OWNERS,
    Target.CLOSED: OWNERS,
    Target.NEW_OWN: GRANTED,
    Target.OWN: GRANTED,
}
_CORPUS: Final[_Rows] = {
    "Search": _SEARCH,
    "PutDocument": _PUT,
    "Ingest": _PUT,
    "PlaceRoots": {Target.ROOT: OWNERS, Target.ROOT_OWN: GRANTED},
    "GetDocument": _READ,
    "GetPassage": _READ,
    "LookUpPassages": {Target.OPEN: ALL, Target.CLOSED: ALICE_SEES, Target.OWN: GRANTED_SEE},
    "GetImage": _READ,
    "ListDocuments": _SEARCH,
    "DeleteDocument": {Target.OPEN: OWNERS, Target.CLOSED: (YES, NOT_FOUND, DENIED, YES), Target.OWN: GRANTED},
    "ListCollections": {Target.SHARED: ALL, Target.PRIVATE: GRANTED_SEE},
    "GetCollection": {Target.SHARED: ALL, Target.PRIVATE: GRANTED},
    "DeleteCollection": {Target.SHARED: OWNERS, Target.ROOT_ALONE: OWNERS, Target.PRIVATE: GRANTED},
}
_GATEWAY: Final[_Rows] = {
    "SupplyQuestion": {Target.SHARED: ALL, Target.PRIVATE: GRANTED},
    "Answer": {Target.QUESTION: READERS},
    "Ask": _SEARCH,
    "Resume": {Target.TURN: READERS},
    "Cancel": {Target.TURN: READERS},
    "AnswerOnce": {Target.QUESTION: READERS},
    "AskOnce": _SEARCH,
    "GetReferences": {Target.SESSION: READERS},
    "GetServerInfo": {Target.ANY: ALL},
}
_SESSIONS: Final[_Rows] = {
    "GetSession": {Target.SESSION: READERS},
    "ListSessions": {Target.SESSION: ALICE_SEES},
    "ListTurns": {Target.SESSION: READERS},
    "GetTurn": {Target.TURN: READERS},
    "RenameSession": {Target.SESSION: READERS},
    "DeleteSession": {Target.SESSION: READERS},
    "ExportSession": {Target.SESSION: READERS},
    "ImportSession": {Target.ANY: ALL, Target.SESSION: (Outcome.TAKEN,) * 4},
}
_REPLAYS: Final[_Rows] = {"GetRecording": {Target.TURN: READERS}, "Replay": {Target.TURN: READERS}}
_ABSENT: Final = {Target.ANY: (Outcome.ABSENT,) * 4}
_ANSWER: Final[_Rows] = {
    "Write": _ABSENT,
    "WriteOnce": _ABSENT,
    "Extract": _ABSENT,
    "Verify": {Target.ANY: ALL},
    "Recommend": _ABSENT,
}
_SERVICES: Final[dict[str, _Rows]] = {
    "gateway.v1.GatewayService": _GATEWAY,
    "gateway.v1.SessionService": _SESSIONS,
    "gateway.v1.ReplayService": _REPLAYS,
    "retrieve.v1.CorpusService": _CORPUS,
    "answer.v1.AnswerService": _ANSWER,
    "runtime.v1.ServerInfoService": {"GetServerInfo": {Target.ANY: ALL}},
}


def cases() -> Iterator[Case]:
    """Yield all cases, by service and method."""
    for service, rows in _SERVICES.items():
        for method, targets in rows.items():
            for target, outcomes in targets.items():
                yield Case(f"{service}/{method}", target, outcomes)
