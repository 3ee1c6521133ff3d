"""Four callers of a suite with grants, and what Alice has there: documents, a session, a question, a turn."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import grpc

from bench.suite import RunningSuite
from parley.answer.v1 import answer_pb2_grpc
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc, replay_pb2_grpc, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from parley.runtime.v1 import server_info_pb2_grpc
from tests.fakes.pdf_pages import Set, set_pdf
from tests.system.access.cases import Outcome, Target

Metadata = tuple[tuple[str, str], ...]

GRANTS: Final = "".join(
    f'[[grant]]\nprincipal = "{principal}"\ncollection = "{collection}"\nrole = "{role}"\n'
    for principal, collection, role in (
        ("alice", "shared", "write"),
        ("alice", "private", "write"),
        ("alice", "folders", "write"),
        ("bob", "shared", "write"),
        ("bob", "folders", "write"),
        ("*", "shared", "read"),
        ("*", "folders", "read"),
        ("root", "*", "admin"),
    )
)
ALICE, BOB, NOBODY, ADMIN = ((("x-parley-principal", name),) if name else () for name in ("alice", "bob", "", "root"))
CALLERS: Final[dict[str, Metadata]] = {"Alice": ALICE, "Bob": BOB, "anonymous": NOBODY, "admin": ADMIN}
QUESTION: Final = "When was the probe Lynx launched?"
WORDS: Final = {
    Target.OPEN: "The probe Lynx was launched on 4 May 1999.",
    Target.CLOSED: "The probe Lynx was launched in secrecy.",
    Target.OWN: "The probe Lynx was launched from Kourou.",
}
DOCUMENTS: Final = {
    Target.OPEN: "open",
    Target.CLOSED: "closed",
    Target.OWN: "own",
    Target.NEW: "n",
    Target.NEW_OWN: "n",
}
FILE: Final = set_pdf([[Set("The probe")]])
PICTURE: Final = corpus_pb2.DocumentImage(caption="The probe", url="https://pictures.test/lynx.png")
STATUSES: Final = {
    grpc.StatusCode.NOT_FOUND: Outcome.NOT_FOUND,
    grpc.StatusCode.PERMISSION_DENIED: Outcome.DENIED,
    grpc.StatusCode.ALREADY_EXISTS: Outcome.TAKEN,
    grpc.StatusCode.UNIMPLEMENTED: Outcome.ABSENT,
}


def collection_of(target: Target) -> str:
    """The collection that a target is in."""
    if target is Target.ROOT_ALONE:
        return "folders"
    return "private" if target in (Target.OWN, Target.NEW_OWN, Target.PRIVATE, Target.ROOT_OWN) else "shared"


def document_of(target: Target, text: str = "") -> corpus_pb2.Document:
    """The document that a target is, or one to replace it."""
    principals = ["alice"] if target is Target.CLOSED else []
    text = text or WORDS.get(target, "A new document.")
    return corpus_pb2.Document(
        document_id=DOCUMENTS[target], text=text, principals=principals, images=[PICTURE], original=FILE
    )


@dataclass
class Suite:
    """The stubs of a gateway, and ids of what is Alice's."""

    gateway: gateway_pb2_grpc.GatewayServiceStub
    sessions: session_pb2_grpc.SessionServiceStub
    replays: replay_pb2_grpc.ReplayServiceStub
    corpus: corpus_pb2_grpc.CorpusServiceStub
    answer: answer_pb2_grpc.AnswerServiceStub
    info: server_info_pb2_grpc.ServerInfoServiceStub
    session: str = ""
    turn: str = ""
    question: str = ""
    context: str = field(default="", repr=False)

    @classmethod
    @contextmanager
    def of(cls, suite: RunningSuite) -> Iterator[Self]:
        """The stubs of a running suite."""
        with grpc.insecure_channel(suite.address) as channel:
            yield cls(
                gateway_pb2_grpc.GatewayServiceStub(channel),
                session_pb2_grpc.SessionServiceStub(channel),
                replay_pb2_grpc.ReplayServiceStub(channel),
                corpus_pb2_grpc.CorpusServiceStub(channel),
                answer_pb2_grpc.AnswerServiceStub(channel),
                server_info_pb2_grpc.ServerInfoServiceStub(channel),
            )

    def method(self, path: str) -> Callable[..., Any]:
        """The call of a method, which is named relative to the package `parley`."""
        service, _, method = path.partition("/")
        stubs = (self.gateway, self.sessions, self.replays, self.corpus, self.answer, self.info)
        (stub,) = (stub for stub in stubs if type(stub).__name__ == f"{service.rpartition('.')[2]}Stub")
        call: Callable[..., Any] = getattr(stub, method)
        return call

    def restore_documents(self) -> None:
        """Bring back Alice's documents and root, and take away what others put."""
        for collection in ("shared", "private"):
            delete = corpus_pb2.DeleteDocumentRequest(collection=collection, document_id="n")
            outcome_of(lambda request=delete: self.corpus.DeleteDocument(request, metadata=ADMIN))  # type: ignore[misc]
        for target in WORDS:
            request = corpus_pb2.PutDocumentRequest(collection=collection_of(target), document=document_of(target))
            self.corpus.PutDocument(request, metadata=ALICE)
        for target in (Target.ROOT, Target.ROOT_OWN, Target.ROOT_ALONE):
            self.corpus.PlaceRoots(placing(target, "/home/alice/docs"), metadata=ALICE)

    def restore_turn(self) -> None:
        """Ask a question as Alice in a new session, and supply another one."""
        self.session = f"s-{secrets.token_hex(8)}"
        ask = gateway_pb2.AskRequest(question=QUESTION, session_id=self.session)
        ask.options.collection, ask.options.record, ask.options.resumable = "shared", True, True
        self.turn = [response.event for response in self.gateway.Ask(ask, metadata=ALICE)][-1].turn_id
        self.supply()

    def supply(self) -> None:
        """Supply a question as Alice."""
        supply = gateway_pb2.SupplyQuestionRequest(question=QUESTION)
        supply.options.collection = "shared"
        self.question = self.gateway.SupplyQuestion(supply, metadata=ALICE).question_id


def placing(target: Target, location: str) -> corpus_pb2.PlaceRootsRequest:
    """A request to place the root `docs`."""
    root = corpus_pb2.WantedRoot(location=location, name="docs", named=True)
    return corpus_pb2.PlaceRootsRequest(collection=collection_of(target), roots=[root])


def outcome_of(call: Callable[[], object]) -> Outcome:
    """What becomes of a call; a falsy result contains nothing of the object.

    Raises:
        grpc.RpcError: it failed with a status that is no outcome.
    """
    try:
        return Outcome.YES if call() is not False else Outcome.NOTHING
    except grpc.RpcError as error:
        if error.code() not in STATUSES:
            raise
        return STATUSES[error.code()]


def write_grants(folder: Path, text: str = GRANTS) -> Path:
    """The file of grants."""
    path = folder / "grants.toml"
    path.write_text(text)
    return path
