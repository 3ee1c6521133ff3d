"""What the gateway accepts never breaks the contract of a stage, and what it refuses has a clear status."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, product
from string import ascii_lowercase
from typing import Final

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from parley.context.v1 import basics_pb2, conversation_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2
from tests.hostile.conftest import HostileSuite
from tests.hostile.messages import DOCUMENTS, SENTENCES

LONGEST: Final = 8192
"""Characters of a question."""
LONGEST_MESSAGE: Final = 32_768
"""Characters of a message of the history."""
EDGES: Final = (-62_135_596_800, 253_402_300_799)
"""First and last second of the calendar."""
ZONES: Final = ("", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Apia")
PRINCIPAL: Final = "x-parley-principal"

pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.timeout(120)]


def words(characters: int) -> str:
    """Different words of three letters."""
    return " ".join("".join(letters) for letters in islice(product(ascii_lowercase, repeat=3), (characters + 1) // 4))


def signs(characters: int) -> str:
    """Different Chinese signs, each a term of its own."""
    return "".join(chr(0x4E00 + number) for number in range(characters))


QUESTIONS: Final = {
    "words": words(LONGEST),
    "signs": signs(LONGEST),
    "one word": "x" * LONGEST,
    "a document's words": (f"{SENTENCES[0]} " * LONGEST)[:LONGEST],
    "a document's name": (f"{DOCUMENTS[0]} " * LONGEST)[:LONGEST],
    **{f"{word} …": (f"{word} " * LONGEST)[:LONGEST] for word in ("tomorrow", "today", "gestern", "here", "last week")},
}


def code_of(
    suite: HostileSuite, request: gateway_pb2.AskRequest, metadata: Sequence[tuple[str, str]] = ()
) -> grpc.StatusCode:
    with grpc.insecure_channel(suite.running.address) as channel:
        call = gateway_pb2_grpc.GatewayServiceStub(channel).Ask(request, timeout=60, metadata=tuple(metadata))
        with suppress(grpc.RpcError):
            list(call)
        return call.code()


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_longest_questions_are_answered(hostile_suite: HostileSuite, kind: str) -> None:
    options = gateway_pb2.RequestOptions(place="Llanfair on the bay " * 10)
    asked = gateway_pb2.AskRequest(question=QUESTIONS[kind], options=options)
    assert code_of(hostile_suite, asked) is grpc.StatusCode.OK


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_question_after_the_longest_messages_is_answered(hostile_suite: HostileSuite, kind: str) -> None:
    said = (QUESTIONS[kind] * 4)[:LONGEST_MESSAGE]
    speakers = (conversation_pb2.SPEAKER_USER, conversation_pb2.SPEAKER_AGENT) * 2
    history = [conversation_pb2.HistoryMessage(speaker=speaker, text=said) for speaker in speakers]
    asked = gateway_pb2.AskRequest(question="And what about it?", history=history)
    assert code_of(hostile_suite, asked) is grpc.StatusCode.OK


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("seconds", EDGES)
@pytest.mark.parametrize("question", ["What happened yesterday?", "And 10,000,000 days ago?"])
def test_a_question_at_the_edge_of_the_calendar_is_answered_or_refused(
    hostile_suite: HostileSuite, question: str, seconds: int, zone: str
) -> None:
    options = gateway_pb2.RequestOptions(now=Timestamp(seconds=seconds), time_zone=zone)
    asked = gateway_pb2.AskRequest(question=question, options=options)
    assert code_of(hostile_suite, asked) in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize("first", EDGES)
@pytest.mark.parametrize("last", EDGES)
def test_a_search_by_a_range_at_the_edge_of_the_calendar_is_answered(
    hostile_suite: HostileSuite, first: int, last: int
) -> None:
    boost = basics_pb2.TimeRange(start=Timestamp(seconds=first), end=Timestamp(seconds=last))
    options = retrieve_pb2.RetrieveOptions(boost=boost, now=Timestamp(seconds=first))
    with grpc.insecure_channel(hostile_suite.running.address) as channel:
        search = corpus_pb2_grpc.CorpusServiceStub(channel).Search
        assert search(corpus_pb2.SearchRequest(query="What happened?", options=options), timeout=30) is not None


@pytest.mark.parametrize("names", [[f"p{number}" for number in range(65)], ["p" * 257]], ids=["65", "longest"])
def test_principals_that_no_stage_takes_are_refused(hostile_suite: HostileSuite, names: list[str]) -> None:
    asked = gateway_pb2.AskRequest(question="When did it land?")
    metadata = [(PRINCIPAL, name) for name in names]
    assert code_of(hostile_suite, asked, metadata) is grpc.StatusCode.INVALID_ARGUMENT
    assert code_of(hostile_suite, asked, [(PRINCIPAL, name[:256]) for name in names[:64]]) is grpc.StatusCode.OK
