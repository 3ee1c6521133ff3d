"""The timeline stage on the wire: a real server, a real client, the sample corpus."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest

from parley.context.v1 import basics_pb2, evidence_pb2
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc
from services.timeline.stage import open_stage
from tests.service.serving import engines_of, served

CORPUS = Path(__file__).parents[3] / "samples" / "corpus"


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with served(open_stage()) as channel:
        yield channel


def sample(name: str) -> evidence_pb2.Evidence:
    """A sample document as one passage."""
    match = re.match(r"---\n(.*?)\n---\n(.*)", (CORPUS / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    head = dict(line.split(": ", 1) for line in match[1].splitlines() if ": " in line)
    passage = evidence_pb2.Passage(
        passage_id=name, document_id=name, text=match[2], title=head["title"], date=head["date"]
    )
    passage.span.end = len(match[2])
    return evidence_pb2.Evidence(passage=passage, rank=1)


async def build(channel: grpc.aio.Channel, request: timeline_pb2.BuildRequest) -> list[timeline_pb2.BuildResponse]:
    return [step async for step in timeline_pb2_grpc.TimelineServiceStub(channel).Build(request)]


async def test_the_range_and_the_number_of_the_request_are_kept(channel: grpc.aio.Channel) -> None:
    request = timeline_pb2.BuildRequest(question="Apollo", evidence=[sample("apollo-11")], max_events=2)
    request.time_range.start.FromDatetime(datetime(1969, 7, 17, tzinfo=UTC))
    request.time_range.end.FromDatetime(datetime(1969, 7, 23, tzinfo=UTC))
    events = (await build(channel, request))[-1].result.timeline.events
    assert len(events) == 2
    assert all(17 <= event.start.day < 23 and event.precision == basics_pb2.PRECISION_DAY for event in events)


async def test_the_server_says_who_builds_and_who_chooses_the_events(channel: grpc.aio.Channel) -> None:
    assert await engines_of(channel) == [("build", "rules"), ("extract", "rules")]
