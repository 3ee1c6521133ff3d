"""One caller never shuts out the others: with streams that it does not read, or sends nothing on, or cancels."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import grpc
import pytest

from libs.runtime.calling.channel import open_channel
from libs.runtime.errors import Overloaded, ParleyError
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from libs.runtime.limits.pace import Pace
from libs.runtime.limits.places import Places
from libs.runtime.serving.service import Service
from parley.context.v1 import understanding_pb2
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.running_server import QUIET, running
from tests.hostile.http2 import RawConnection
from tests.hostile.outcomes import outcome_of

UNDERSTAND = "/parley.intent.v1.IntentService/Understand"
INGEST = "/parley.retrieve.v1.CorpusService/Ingest"
GET_DOCUMENT = "/parley.retrieve.v1.CorpusService/GetDocument"
DOCUMENT = corpus_pb2.GetDocumentRequest(document_id="a")
QUESTION = intent_pb2.UnderstandRequest(question="When?").SerializeToString()
STEPS = 100
FLOODS = 4
LONG = intent_pb2.UnderstandResponse(
    result=intent_pb2.UnderstandResult(understanding=understanding_pb2.Understanding(grounded_query="x" * 1_000_000))
)
"""A hundred such answers are more than gRPC keeps for a client that reads none."""
FEW = QUIET.model_copy(update={"max_concurrency": 4})

pytestmark = pytest.mark.timeout(60)


def name_of(context: Any) -> str:
    return str(dict(context.invocation_metadata() or ()).get("name", "somebody"))


LIMITS = CallerLimits(QuotaSettings(), admission_of(AdmissionSettings()), name_of)


class Intent(intent_pb2_grpc.IntentServiceServicer):
    """Says much; counts the calls that it works for."""

    def __init__(self) -> None:
        self.answer = intent_pb2.UnderstandResponse(verdict=intent_pb2.Verdict(passes=True))
        self.begun, self.ended = 0, 0

    def has_begun(self, calls: int) -> bool:
        return self.begun >= calls

    async def Understand(self, request: Any, context: Any) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        self.begun += 1
        try:
            for _ in range(STEPS):
                yield self.answer
        finally:
            self.ended += 1


class Corpus(corpus_pb2_grpc.CorpusServiceServicer):
    """Acknowledges every document, and returns one of 4 MB."""

    async def GetDocument(self, request: Any, context: Any) -> corpus_pb2.GetDocumentResponse:
        return corpus_pb2.GetDocumentResponse(document=corpus_pb2.Document(text="x" * 4_000_000))

    async def Ingest(self, request: AsyncIterator[Any], context: Any) -> AsyncIterator[corpus_pb2.IngestResponse]:
        async for _ in request:
            yield corpus_pb2.IngestResponse(status=corpus_pb2.INGEST_STATUS_ADDED)


limited = partial(Service.of, limits=LIMITS)


def intent() -> Intent:
    return Intent()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED


def corpus() -> Corpus:
    return Corpus()  # type: ignore[abstract]


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110 - servicers that count are simpler than those that tell
        await asyncio.sleep(0.01)


async def answers(target: str, name: str = "honest") -> int:
    """How many answers a caller gets who reads them."""
    async with open_channel(target) as channel:
        call = intent_pb2_grpc.IntentServiceStub(channel).Understand(
            intent_pb2.UnderstandRequest(question="When?"), metadata=(("name", name),)
        )
        return len([answer async for answer in call])


async def test_streams_that_nobody_reads_leave_the_places_to_others() -> None:
    servicer = intent()
    async with running(limited(servicer), settings=FEW) as server:
        with ExitStack() as connections:
            for number in range(1, 12):
                connection = connections.enter_context(RawConnection(server.target, window=1))
                connection.call(UNDERSTAND, QUESTION)
                await until(partial(servicer.has_begun, number))
            assert servicer.ended == 0
            assert await answers(server.target) == STEPS
            assert await answers(server.target, "somebody") == STEPS, "not even the same caller's places are held"


async def test_a_stream_that_nobody_reads_ends() -> None:
    servicer = intent()
    async with running(limited(servicer), settings=QUIET.model_copy(update={"client_seconds": 0.2})) as server:
        with RawConnection(server.target, window=1) as connection:
            connection.call(UNDERSTAND, QUESTION)
            await until(lambda: servicer.ended)
        assert await answers(server.target) == STEPS


async def test_who_reads_too_late_is_told_why_the_stream_ended() -> None:
    servicer = intent()
    servicer.answer = LONG
    async with (
        running(limited(servicer), settings=QUIET.model_copy(update={"client_seconds": 0.2})) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        stub = intent_pb2_grpc.IntentServiceStub(channel)
        answers = aiter(stub.Understand(intent_pb2.UnderstandRequest(question="When?")))
        await anext(answers)
        await until(lambda: servicer.ended)
        with pytest.raises(grpc.aio.AioRpcError, match="The client read nothing for") as error:
            [answer async for answer in answers]
    assert error.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


class Endings(list[str]):
    """The reasons for which calls ended; empty for those that ended well."""

    def __call__(self, path: str, context: Any, request: Any, answer: Any, error: ParleyError | None) -> None:
        self.append(error.message if error else "")


async def test_an_answer_that_nobody_reads_ends() -> None:
    ends = Endings()
    settings = QUIET.model_copy(update={"client_seconds": 0.2})
    async with running(limited(corpus(), observer=ends), settings=settings) as server:
        with RawConnection(server.target, window=1) as connection:
            connection.call(GET_DOCUMENT, DOCUMENT.SerializeToString())
            await until(lambda: ends)
    assert ends == ["The client read nothing for 0.2 seconds."]


async def test_answers_that_nobody_reads_leave_room_for_those_of_others() -> None:
    ends = Endings()
    async with running(limited(corpus(), observer=ends)) as server, open_channel(server.target) as channel:
        with RawConnection(server.target, window=1) as connection:
            for _ in range(40):
                connection.call(GET_DOCUMENT, DOCUMENT.SerializeToString())
            await until(lambda: len(ends) >= 20)
            assert all("try again" in end for end in ends), "what is unread of one caller is bounded"
            stub = corpus_pb2_grpc.CorpusServiceStub(channel)
            for _ in range(40):
                assert await stub.GetDocument(DOCUMENT, metadata=(("name", "honest"),))


async def test_idle_ingests_leave_the_places_to_others() -> None:
    services = limited(intent()), limited(corpus(), long_running=("Ingest",))
    async with running(*services, settings=QUIET.model_copy(update={"max_concurrency": 16})) as server:
        with RawConnection(server.target) as connection:
            for _ in range(32):
                connection.call(INGEST, None)
            async with grpc.aio.insecure_channel(server.target) as channel:
                while (await outcome_of(channel, INGEST, ())).code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    pass
                honest = corpus_pb2_grpc.CorpusServiceStub(channel).Ingest(metadata=(("name", "honest"),))
                await honest.write(corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader()))
                assert await honest.read() == corpus_pb2.IngestResponse(status=corpus_pb2.INGEST_STATUS_ADDED)
                honest.cancel()
            assert await answers(server.target, "somebody") == STEPS


async def test_an_ingest_that_never_begins_ends() -> None:
    settings = QUIET.model_copy(update={"client_seconds": 0.2})
    async with (
        running(limited(corpus(), long_running=("Ingest",)), settings=settings) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        outcome = await outcome_of(channel, INGEST, (), closes=False)
    assert outcome.end == (grpc.StatusCode.DEADLINE_EXCEEDED, ("DEADLINE_EXCEEDED",))


async def test_a_flood_of_cancelled_calls_ends_nobody_elses() -> None:
    """While the server is busy, so that all of them wait in gRPC's core, which throws away what is over 3,000."""
    async with running(limited(intent())) as server:
        with ExitStack() as connections, grpc.insecure_channel(server.target) as channel:
            grpc.channel_ready_future(channel).result()
            floods = [connections.enter_context(RawConnection(server.target)) for _ in range(FLOODS)]
            for flood in floods * 1000:  # nothing else runs in the meantime
                flood.call(UNDERSTAND, QUESTION, resets=True)
            stub = intent_pb2_grpc.IntentServiceStub(channel)
            calls = [stub.Understand(intent_pb2.UnderstandRequest(question="When?")) for _ in range(20)]
            numbers = await asyncio.to_thread(lambda: [len(list(call)) for call in calls])
    assert numbers == [STEPS] * len(calls)


async def test_a_source_that_starts_far_too_many_calls_leaves_the_others_time() -> None:
    servicer, pace = intent(), Pace(10)
    limits = CallerLimits(QuotaSettings(), LIMITS.admission, name_of, pace=pace, locate=name_of)
    async with (
        running(Service.of(servicer, limits=limits)) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        calls = await asyncio.gather(*(outcome_of(channel, UNDERSTAND, (QUESTION,)) for _ in range(100)))
        codes = Counter(call.code for call in calls)
        assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert servicer.begun == codes[grpc.StatusCode.OK] < 50
        assert await answers(server.target) == STEPS


def taken(places: Places, caller: str) -> int:
    """How many more places a caller gets."""
    before = places.held
    with suppress(Overloaded):
        while True:
            places.take(caller)
    return places.held - before


def test_no_caller_holds_more_places_than_are_free() -> None:
    places = Places(16)
    assert [taken(places, name) for name in ("ann", "bob", "cid")] == [8, 4, 2]
    places.take("dan")
    places.count("ann", -1)
    assert taken(places, "dan") == 1


def test_without_names_all_places_are_for_everybody() -> None:
    assert taken(Places(2), "") == 2
