"""Turns and documents while a part fails: how they end, and whether what was acknowledged is still there."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc

from libs.runtime.status import DETAILS_KEY, error_from_rpc
from parley.context.v1 import session_pb2 as contents
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc, session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

QUESTION: Final = "When did Phoenix land on Mars?"
NOTE: Final = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008.\n\nPhoenix dug for water ice there.\n"
DEADLINE: Final = 8.0
"""Seconds that a turn may take."""
LATE: Final = 1.0
"""Seconds after its deadline in which it must have ended."""
RECONNECTION: Final = 5.0
"""Seconds in which documents can be read again after a fault."""
SESSION: Final = "chaos"


@dataclass(frozen=True)
class Ending:
    """How a call ended."""

    seconds: float
    code: str = "OK"
    reason: str = ""
    """Of the status's ErrorInfo; empty for a status without one."""
    outcome: str = ""
    """Of a completed turn."""
    degraded: tuple[str, ...] = ()
    """Stage and reason of what was left out, sorted."""
    text: str = ""
    has_timeline: bool = False
    has_error_info: bool = False
    """Whether details came with its status."""

    def in_words(self) -> str:
        """It as a cell of the documentation."""
        if self.code != "OK":
            return f"{self.code} ({self.reason})"
        reports = ", ".join(self.degraded)
        return f"{self.outcome}; degraded: {reports}" if reports else self.outcome or self.code


@dataclass
class Caller:
    """Asks and stores at one gateway, and remembers what was acknowledged."""

    address: str
    turns: int = 0
    """Completed turns of the session."""
    documents: list[str] = field(default_factory=list)

    def ask(self, seconds: float = DEADLINE, question: str = QUESTION) -> Ending:
        """One turn of the session, with a timeline."""
        start, events = time.monotonic(), list[event_pb2.Event]()
        request = gateway_pb2.AskRequest(question=question, session_id=SESSION)
        request.options.pro = True
        with grpc.insecure_channel(self.address) as channel:
            try:
                for response in gateway_pb2_grpc.GatewayServiceStub(channel).Ask(request, timeout=seconds):
                    events.append(response.event)
            except grpc.RpcError as error:
                return _failure(error, time.monotonic() - start)
        self.turns += 1
        return _ending(events, time.monotonic() - start)

    def put(self, document_id: str, seconds: float = DEADLINE) -> Ending:
        """Store a document."""
        document = corpus_pb2.Document(document_id=document_id, title=document_id, text=NOTE)
        start = time.monotonic()
        with grpc.insecure_channel(self.address) as channel:
            stub = corpus_pb2_grpc.CorpusServiceStub(channel)
            try:
                stub.PutDocument(corpus_pb2.PutDocumentRequest(document=document), timeout=seconds)
            except grpc.RpcError as error:
                return _failure(error, time.monotonic() - start)
        self.documents.append(document_id)
        return Ending(time.monotonic() - start)

    def lost(self) -> list[str]:
        """What was acknowledged and is not there."""
        with grpc.insecure_channel(self.address) as channel:
            corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
            sessions = session_pb2_grpc.SessionServiceStub(channel)
            lost = [document_id for document_id in self.documents if not _is_stored(corpus, document_id)]
            stored = sessions.GetSession(session_pb2.GetSessionRequest(session_id=SESSION), timeout=10).session.turns
        return [*lost, *(f"turn {number}" for number in range(stored, self.turns))]


@dataclass
class Logs:
    """What processes wrote since they were last looked at."""

    files: Sequence[Path]
    _read: dict[Path, int] = field(default_factory=dict)

    def news(self) -> str:
        """What is new in all of them."""
        return "".join(self._new(file) for file in self.files)

    def _new(self, file: Path) -> str:
        with file.open("rb") as log:
            log.seek(self._read.get(file, 0))
            content = log.read()
        self._read[file] = self._read.get(file, 0) + len(content)
        return content.decode(errors="replace")


def _is_stored(corpus: corpus_pb2_grpc.CorpusServiceStub, document_id: str) -> bool:
    """Whether a document can be read; asked again while the gateway connects anew."""
    end = time.monotonic() + RECONNECTION
    while True:
        try:
            corpus.GetDocument(corpus_pb2.GetDocumentRequest(document_id=document_id), timeout=10)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return False
            if error.code() is not grpc.StatusCode.UNAVAILABLE or time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return True


def _failure(error: grpc.RpcError, seconds: float) -> Ending:
    trailers: Any = error.trailing_metadata() or ()
    reason = error_from_rpc(error).reason
    return Ending(seconds, error.code().name, reason, has_error_info=DETAILS_KEY in dict(trailers))


def _ending(events: Sequence[event_pb2.Event], seconds: float) -> Ending:
    kinds = [event.WhichOneof("event") for event in events]
    degraded = {_in_words(event.degraded) for event in events if event.HasField("degraded")}
    outcome = contents.Outcome.Name(events[-1].completed.outcome).removeprefix("OUTCOME_")
    text = next((event.text_end.text for event in reversed(events) if event.HasField("text_end")), "")
    return Ending(seconds, "OK", "", outcome, tuple(sorted(degraded)), text, "timeline" in kinds)


def _in_words(degraded: usage_pb2.Degraded) -> str:
    return f"{usage_pb2.Stage.Name(degraded.stage).removeprefix('STAGE_').lower()} {degraded.reason}"
