"""A request that lacks what its value needs names the field."""

import pytest
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from libs.contracts.stages.answer import ExtractRequest
from libs.contracts.stages.retrieve import DetectRangeRequest
from libs.runtime.errors import InvalidInput
from libs.servicing.requests import from_request
from parley.answer.v1 import answer_pb2
from parley.context.v1 import basics_pb2, evidence_pb2
from parley.retrieve.v1 import retrieve_pb2

PASSAGE = evidence_pb2.Passage(passage_id="a#0", document_id="a", text="A.", span=basics_pb2.Span())
COMPLETE = evidence_pb2.Evidence(
    passage=PASSAGE, scores=evidence_pb2.EngineScores(), relevance=evidence_pb2.RELEVANCE_HIGH
)
WITHOUT_PASSAGE = evidence_pb2.Evidence(scores=evidence_pb2.EngineScores(), relevance=evidence_pb2.RELEVANCE_HIGH)
OF_NOTHING = evidence_pb2.NearDuplicate(similarity=0.97)
DUPLICATE_OF_NOTHING = evidence_pb2.Evidence(
    passage=PASSAGE,
    scores=evidence_pb2.EngineScores(),
    relevance=evidence_pb2.RELEVANCE_HIGH,
    near_duplicates=[OF_NOTHING],
)


def extract(*evidence: evidence_pb2.Evidence) -> answer_pb2.ExtractRequest:
    return answer_pb2.ExtractRequest(question="When?", evidence=evidence)


def detect(**now: int) -> retrieve_pb2.DetectRangeRequest:
    return retrieve_pb2.DetectRangeRequest(question="When?", now=Timestamp(**now))


@pytest.mark.parametrize(
    ("request_", "value_type", "field"),
    [
        (extract(COMPLETE, WITHOUT_PASSAGE), ExtractRequest, "evidence[1].passage"),
        (extract(DUPLICATE_OF_NOTHING), ExtractRequest, "evidence[0].near_duplicates[0].passage"),
        (detect(seconds=-(2**63)), DetectRangeRequest, "now"),
        (detect(seconds=2**63 - 1), DetectRangeRequest, "now"),
        (detect(nanos=-(2**31)), DetectRangeRequest, "now"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_missing_or_impossible_part_names_its_field(request_: Message, value_type: type, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        from_request(request_, value_type)
    assert [violation.field for violation in error.value.violations] == [field]


def test_a_field_that_is_read_alone_is_named_from_the_request() -> None:
    with pytest.raises(InvalidInput, match=r"^FIELD_INVALID: write\.evidence\[0\]\.passage: "):
        from_request(extract(WITHOUT_PASSAGE), ExtractRequest, "write")
