"""Calls of every method of every service of the suite, with hostile messages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import MethodDescriptor
from hypothesis import strategies as st

from parley.answer.v1 import answer_pb2
from parley.decompose.v1 import decompose_pb2
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import corpus_pb2, inference_pb2, retrieve_pb2
from parley.runtime.v1 import server_info_pb2
from parley.timeline.v1 import timeline_pb2
from tests.hostile.damage import damaged
from tests.hostile.messages import messages

CONTRACTS: Final = (
    answer_pb2,
    corpus_pb2,
    decompose_pb2,
    gateway_pb2,
    inference_pb2,
    intent_pb2,
    replay_pb2,
    retrieve_pb2,
    server_info_pb2,
    session_pb2,
    timeline_pb2,
)


@dataclass(frozen=True)
class Call:
    """A call before it is made."""

    method: str
    """`/package.Service/Method`."""
    messages: tuple[bytes, ...]
    text: str
    """Its messages as text, for reports; of damaged ones as they were before."""


def methods() -> Iterator[MethodDescriptor]:
    """Every method of the contracts."""
    for contract in CONTRACTS:
        for service in contract.DESCRIPTOR.services_by_name.values():
            yield from service.methods


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A call of any method: two of three with a decodable message, the others with damaged bytes."""
    method = draw(st.sampled_from([*methods()]))
    count = draw(st.sampled_from((2, 2, 3, 1, 0))) if method.client_streaming else 1
    drawn = [draw(messages(method.input_type)) for _ in range(count)]
    if count > 1 and draw(st.booleans()):  # an ingest begins with its header
        drawn[0] = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader())
    contents = [message.SerializeToString() for message in drawn]
    if contents and draw(st.integers(0, 2)) == 0:
        contents[-1] = draw(damaged(contents[-1]))
    service = method.containing_service.full_name
    return Call(f"/{service}/{method.name}", tuple(contents), " | ".join(map(str, drawn)))
