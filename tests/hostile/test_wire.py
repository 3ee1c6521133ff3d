"""Whatever bytes a client sends, and however it leaves, the call ends with a clear status."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc
import pytest
import structlog

from gateway.access.guard import AccessGuard
from gateway.audit.calls import CallAudit
from gateway.audit.sinks import log_record
from gateway.calling.relays import CorpusRelay, Forwarding
from libs.runtime.calling.channel import open_channel
from libs.runtime.serving.service import Service
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes import running_server
from tests.hostile.outcomes import Outcome, outcome_of

Code = grpc.StatusCode
JUDGE = "/parley.intent.v1.IntentService/Judge"
UNDERSTAND = "/parley.intent.v1.IntentService/Understand"
INGEST = "/parley.retrieve.v1.CorpusService/Ingest"
PUT = "/parley.retrieve.v1.CorpusService/PutDocument"
SEARCH = "/parley.retrieve.v1.CorpusService/Search"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


running = partial(running_server.running, settings=running_server.QUIET.model_copy(update={"client_seconds": 0.5}))


@pytest.fixture(autouse=True)
def streams_may_not_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libs.runtime.serving.method.STREAM_FACTOR", 1)


WRONG_TAG = b"\xff\xff\xff"
CUT_SHORT = intent_pb2.JudgeRequest(question="When did it land?").SerializeToString()[:-3]
NOT_UTF8 = b"\x0a\x02\xff\xfe"
LONE_SURROGATE = b"\x0a\x03\xed\xa0\x80"
GROUP_WITHOUT_END = b"\x0b"
UNKNOWN_FIELD = b"\xf8\x3f\x01"  # number 1023, the integer 1
TOO_DEEP = b"\x0b" * 200 + b"\x0c" * 200
HEADER = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader()).SerializeToString()
DOCUMENT = corpus_pb2.IngestRequest(document=corpus_pb2.Document(document_id="a", text="A.")).SerializeToString()

pytestmark = pytest.mark.timeout(20)


class Intent(intent_pb2_grpc.IntentServiceServicer):
    """Accepts every question."""

    async def Judge(self, request: Any, context: Any) -> intent_pb2.JudgeResponse:
        return intent_pb2.JudgeResponse()

    async def Understand(self, request: Any, context: Any) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        yield intent_pb2.UnderstandResponse(verdict=intent_pb2.Verdict(passes=True))


class Corpus(corpus_pb2_grpc.CorpusServiceServicer):
    """Acknowledges every message of an ingest, and every other document and search; remembers what came."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    async def PutDocument(self, request: Any, context: Any) -> corpus_pb2.PutDocumentResponse:
        self.requests.append(request)
        return corpus_pb2.PutDocumentResponse()

    async def Search(self, request: Any, context: Any) -> corpus_pb2.SearchResponse:
        self.requests.append(request)
        return corpus_pb2.SearchResponse()

    async def Ingest(self, request: AsyncIterator[Any], context: Any) -> AsyncIterator[corpus_pb2.IngestResponse]:
        async for message in request:
            self.requests.append(message)
            yield corpus_pb2.IngestResponse(status=corpus_pb2.INGEST_STATUS_ADDED)


@asynccontextmanager
async def relayed_corpus(corpus: Corpus | None = None) -> AsyncIterator[str]:
    """The address of a gateway's CorpusService, whose calls go on to the stage over the network."""
    corpus = corpus or Corpus()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    async with (
        running(Service.of(corpus, long_running=("Ingest",))) as stage,
        open_channel(stage.target) as channel,
    ):
        forwarding = Forwarding(corpus_pb2_grpc.CorpusServiceStub(channel))
        relay = CorpusRelay(forwarding, AccessGuard(), CallAudit(log_record))
        async with running(Service.of(relay, long_running=("Ingest",), relays=True)) as gateway:
            yield gateway.target


async def outcome(target: str, method: str, *messages: bytes, closes: bool = True) -> Outcome:
    async with grpc.aio.insecure_channel(target) as channel:
        return await outcome_of(channel, method, messages, closes=closes)


@pytest.mark.parametrize(
    "message", [WRONG_TAG, CUT_SHORT, NOT_UTF8, LONE_SURROGATE, GROUP_WITHOUT_END, TOO_DEEP], ids=bytes.hex
)
@pytest.mark.parametrize("method", [JUDGE, UNDERSTAND])
async def test_undecodable_bytes_are_an_invalid_argument(method: str, message: bytes) -> None:
    async with running(Intent()) as server:
        with structlog.testing.capture_logs() as entries:
            result = await outcome(server.target, method, message)
    assert result.end == (Code.INVALID_ARGUMENT, ("MESSAGE_UNDECODABLE",))
    assert [entry["log_level"] for entry in entries] == ["info"]


@pytest.mark.parametrize("method", [JUDGE, UNDERSTAND])
async def test_a_call_without_its_message_is_an_invalid_argument(method: str) -> None:
    async with running(Intent()) as server:
        result = await outcome(server.target, method)
    assert result.end == (Code.INVALID_ARGUMENT, ("MESSAGE_MISSING",))


async def test_a_call_whose_message_never_comes_ends() -> None:
    async with running(Intent()) as server:
        result = await outcome(server.target, JUDGE, closes=False)
    assert result.end == (Code.DEADLINE_EXCEEDED, ("DEADLINE_EXCEEDED",))


async def test_reflection_takes_no_garbage_either() -> None:
    async with running(Intent()) as server:
        result = await outcome(server.target, REFLECTION, WRONG_TAG)
    assert result.end == (Code.INVALID_ARGUMENT, ("MESSAGE_UNDECODABLE",))


@pytest.mark.parametrize("messages", [(WRONG_TAG,), (HEADER, WRONG_TAG), (HEADER, DOCUMENT, WRONG_TAG)], ids=len)
@pytest.mark.parametrize("closes", [True, False])
async def test_garbage_in_a_relayed_ingest_ends_the_stream(messages: tuple[bytes, ...], closes: bool) -> None:
    async with relayed_corpus() as target:
        with structlog.testing.capture_logs() as entries:
            result = await outcome(target, INGEST, *messages, closes=closes)
    assert result.end == (Code.INVALID_ARGUMENT, ("MESSAGE_UNDECODABLE",))
    assert not [entry for entry in entries if entry["log_level"] == "error"]


async def test_an_ingest_that_stops_in_the_middle_ends() -> None:
    async with relayed_corpus() as target:
        result = await outcome(target, INGEST, HEADER, DOCUMENT, closes=False)
    assert result.end == (Code.DEADLINE_EXCEEDED, ("DEADLINE_EXCEEDED",))


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (PUT, corpus_pb2.PutDocumentRequest(document=corpus_pb2.Document(document_id="a", text="A."))),
        (SEARCH, corpus_pb2.SearchRequest(query="When?")),
        (INGEST, corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader())),
    ],
    ids=["put", "search", "ingest"],
)
async def test_what_the_gateway_does_not_know_of_a_request_does_not_reach_a_stage(method: str, message: Any) -> None:
    """A later stage may have a field there by which the gateway says who calls."""
    part = message.header if method == INGEST else message
    part.MergeFromString(UNKNOWN_FIELD)
    corpus = Corpus()  # type: ignore[abstract]
    async with relayed_corpus(corpus) as target:
        result = await outcome(target, method, message.SerializeToString())
    assert result.code is Code.OK
    assert UNKNOWN_FIELD in message.SerializeToString()
    (arrived,) = corpus.requests
    assert UNKNOWN_FIELD not in arrived.SerializeToString()


async def test_the_server_serves_on() -> None:
    async with running(Intent()) as server, open_channel(server.target) as channel:
        for _ in range(3):
            await outcome(server.target, JUDGE, WRONG_TAG)
            await outcome(server.target, JUDGE)
        response = await intent_pb2_grpc.IntentServiceStub(channel).Judge(intent_pb2.JudgeRequest(question="When?"))
    assert response == intent_pb2.JudgeResponse()
