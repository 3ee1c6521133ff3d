"""The largest calls that the contract takes keep no core busy for long after their callers have left.

Before work could be cancelled, such a `Verify` burnt a core for more than a minute after its deadline.
"""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

import grpc
import psutil
import pytest
from google.protobuf.message import Message

from bench.suite import RunningSuite, running_suite
from cli.suite.processes import port_of
from parley.answer.v1 import answer_pb2
from parley.context.v1 import conversation_pb2, evidence_pb2
from parley.decompose.v1 import decompose_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import inference_pb2
from parley.timeline.v1 import timeline_pb2
from tests.hostile.outcomes import outcome_of
from tests.hostile.texts import TEXTS

DEADLINE: Final = 0.5
"""Seconds after which the caller leaves."""
END: Final = 10.0
"""Seconds within which the work ends; the longest took 3.1 s on two cores."""
IDLE: Final = 0.1
"""Share of a core that idle processes stay below."""
KINDS: Final = ("dates", "list items", "questions", "headings")
TOTAL: Final = 2_000_000
"""Characters of the passages of a call; a message may have 4 MB."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("abandoned"), pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    """A process for each stage."""
    with running_suite(tmp_path_factory.mktemp("abandoned") / "data", processes=6) as running:
        yield running


def evidence(kind: str, count: int) -> list[evidence_pb2.Evidence]:
    return [
        evidence_pb2.Evidence(
            passage=evidence_pb2.Passage(passage_id=f"p{number}", document_id="d", text=TEXTS[kind](TOTAL // count))
        )
        for number in range(count)
    ]


def verification(kind: str, count: int) -> Message:
    sentences = [TEXTS[kind](8000)] * 190
    return answer_pb2.VerifyRequest(sentences=sentences, passages=[each.passage for each in evidence(kind, count)])


def extraction(kind: str, count: int) -> Message:
    return answer_pb2.ExtractRequest(question=TEXTS[kind](8000), evidence=evidence(kind, count))


def writing(kind: str, count: int) -> Message:
    references = [
        evidence_pb2.Reference(number=number, evidence=each) for number, each in enumerate(evidence(kind, count), 1)
    ]
    return answer_pb2.WriteRequest(question=TEXTS[kind](8000), references=references)


def recommendation(kind: str, count: int) -> Message:
    return answer_pb2.RecommendRequest(
        question=TEXTS[kind](8000), answer=TEXTS[kind](1_000_000), evidence=evidence(kind, count)
    )


def timeline(kind: str, count: int) -> Message:
    return timeline_pb2.BuildRequest(question=TEXTS[kind](8000), evidence=evidence(kind, count))


def understanding(kind: str, count: int) -> Message:
    return intent_pb2.UnderstandRequest(question=TEXTS[kind](8000), probe=evidence(kind, count)[:100])


def condensation(kind: str, count: int) -> Message:
    messages = [
        conversation_pb2.HistoryMessage(
            speaker=conversation_pb2.SPEAKER_USER, text=TEXTS[kind](30_000 if count == 2 else 13_000)
        )
        for _ in range(count)
    ]
    view = conversation_pb2.ConversationView(messages=messages)
    return decompose_pb2.CondenseRequest(question="When did it land?", view=view, context_sentences=50)


def embedding(kind: str, count: int) -> Message:
    texts = [f"{number} {TEXTS[kind](3000)}" for number in range(6 * count)]
    return inference_pb2.EmbedRequest(kind=inference_pb2.TEXT_KIND_PASSAGE, texts=texts)


CALLS: Final = {
    "/parley.answer.v1.AnswerService/Verify": verification,
    "/parley.answer.v1.AnswerService/Extract": extraction,
    "/parley.answer.v1.AnswerService/Write": writing,
    "/parley.answer.v1.AnswerService/Recommend": recommendation,
    "/parley.timeline.v1.TimelineService/Build": timeline,
    "/parley.intent.v1.IntentService/Understand": understanding,
    "/parley.decompose.v1.DecomposeService/Condense": condensation,
    "/parley.retrieve.v1.InferenceService/Embed": embedding,
}


def processor_seconds(suite: RunningSuite) -> float:
    """Of the suite's processes, since their start."""
    processes = psutil.Process(suite.supervisor.pid).children(recursive=True)
    return float(sum(sum(process.cpu_times()[:2]) for process in processes))


async def abandon(suite: RunningSuite, method: str, content: bytes) -> None:
    """Make a call and leave at its deadline."""
    stage = method.split(".")[1]
    port = port_of((stage,), suite.port)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        outcome = await outcome_of(channel, method, [content], DEADLINE)
    assert outcome.code in (grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED), outcome


def seconds_until_idle(suite: RunningSuite) -> float:
    """Time until the processes use no more than a tenth of a core, at most `END` and half a second."""
    start, before = time.monotonic(), processor_seconds(suite)
    while (passed := time.monotonic() - start) < END:
        time.sleep(0.5)
        now = processor_seconds(suite)
        if now - before < 0.5 * IDLE:
            return passed
        before = now
    return passed


@pytest.mark.parametrize("count", [150, 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", CALLS)
def test_an_abandoned_call_ends(suite: RunningSuite, method: str, kind: str, count: int) -> None:
    asyncio.run(abandon(suite, method, CALLS[method](kind, count).SerializeToString()))
    assert seconds_until_idle(suite) < END
