"""Recorded turns of a running suite are run again by the same code, and nothing differs."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from bench.samples import conversations
from bench.suite import RunningSuite
from parley.gateway.v1 import gateway_pb2, replay_pb2, replay_pb2_grpc
from tests.system.door import Door, one, parley

pytestmark = pytest.mark.xdist_group("suite")

LUNA = "When did Luna 9 land on the Moon?"
WAYS: list[dict[str, Any]] = [{}, {"pro": True}, {"plan": gateway_pb2.PLAN_OFF}, {"length": 1, "ranking": 20}]
"""Options with which the conversations of the samples are asked."""


@pytest.fixture
def replays(suite: RunningSuite) -> Iterator[replay_pb2_grpc.ReplayServiceStub]:
    with grpc.insecure_channel(suite.address) as channel:
        yield replay_pb2_grpc.ReplayServiceStub(channel)


def replay(stub: replay_pb2_grpc.ReplayServiceStub, turn_id: str) -> list[replay_pb2.ReplayResponse]:
    return list(stub.Replay(replay_pb2.ReplayRequest(turn_id=turn_id), timeout=60))


def test_a_recorded_turn_is_run_again_from_the_command_line(door: Door) -> None:
    (turn_id,) = {event.turn_id for event in door.ask(LUNA, record=True)}
    whole = parley(door.port, "replay", turn_id)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert "answer Write: same" in whole.stdout
    part = parley(door.port, "replay", turn_id, "--stage", "answer")
    assert part.stdout.splitlines() == [line for line in whole.stdout.splitlines() if "Write" in line] + [
        "calls: 1 same"
    ]


@pytest.mark.slow
def test_fifty_turns_are_the_same_again(door: Door, replays: replay_pb2_grpc.ReplayServiceStub) -> None:
    turns = [
        door.ask(question, f"replay-{way}-{number}", record=True, **options)
        for way, options in enumerate(WAYS)
        for number, questions in enumerate(conversations())
        for question in questions
    ]
    assert len(turns) >= 50
    responses = [response for events in turns for response in replay(replays, events[0].turn_id)]
    assert [response for response in responses if response.verdict == replay_pb2.REPLAY_VERDICT_DIFFERENT] == []
    same = Counter(r.call.method for r in responses if r.verdict == replay_pb2.REPLAY_VERDICT_SAME)
    assert same["CondenseInSteps"] == same["Understand"] == len(turns)
    assert same["Write"] == sum(one(events, "text_end").text_end.engine == "rules" for events in turns)
