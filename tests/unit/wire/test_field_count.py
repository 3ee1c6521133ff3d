"""The fields of encoded messages, counted without decoding them."""

import pytest
from google.protobuf.message import DecodeError

from libs.contracts.wire.field_count import field_count
from parley.context.v1 import conversation_pb2, evidence_pb2, session_pb2

CONTEXT = session_pb2.SessionContext
MANY = 10**9


def fields(context: session_pb2.SessionContext, most: int = MANY) -> int:
    return field_count(context.SerializeToString(), CONTEXT.DESCRIPTOR, most)


def test_fields_of_all_messages_count() -> None:
    found = evidence_pb2.RankedPassage(passage_id="a", score=0.5)
    message = conversation_pb2.HistoryMessage(text="It landed.", passages=[found])
    context = session_pb2.SessionContext(version=300, principals=["ann", "bob"], prior=[message])
    assert fields(session_pb2.SessionContext()) == 0
    assert fields(context) == 1 + 2 + 1 + 2 + 2


def test_empty_messages_count() -> None:
    assert fields(session_pb2.SessionContext(turns=[session_pb2.Turn()] * 500)) == 500


def test_counting_ends_soon_above_the_limit() -> None:
    assert 10 < fields(session_pb2.SessionContext(turns=[session_pb2.Turn()] * 500), most=10) < 20


@pytest.mark.parametrize("content", [b"\x12", b"\x12\x85", b"\x13", b"\x0f\x00", b"\xff" * 12])
def test_what_is_no_message_is_refused(content: bytes) -> None:
    with pytest.raises(DecodeError):
        field_count(content, CONTEXT.DESCRIPTOR, MANY)
