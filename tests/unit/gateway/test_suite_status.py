"""What the gateway tells of the suite's processes."""

import asyncio
from typing import Any

import pytest

from gateway.calling import suite_status
from gateway.calling.suite_status import SuiteStatus
from parley.context.v1 import usage_pb2
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc
from tests.fakes.running_server import running


class Asked(server_info_pb2_grpc.ServerInfoServiceServicer):
    """Counts."""

    times = 0

    async def GetServerInfo(self, request: Any, context: Any) -> server_info_pb2.GetServerInfoResponse:
        self.times += 1
        return server_info_pb2.GetServerInfoResponse(name="gateway+intent")


async def test_a_process_is_asked_once_and_told_for_each_stage_that_it_serves(unused_tcp_port: int) -> None:
    servicer, nowhere = Asked(), f"127.0.0.1:{unused_tcp_port}"
    async with running(servicer) as server:
        info = await SuiteStatus(server.target, {"intent": server.target, "retrieve": nowhere}).info()
    names = [usage_pb2.Stage.Name(stage.stage) for stage in info.stages]
    assert names == ["STAGE_GATEWAY", "STAGE_INTENT", "STAGE_RETRIEVE"]
    assert [stage.address for stage in info.stages] == [server.target, server.target, nowhere]
    assert [stage.serving for stage in info.stages] == [True, True, False]
    assert [stage.info.name for stage in info.stages] == ["gateway+intent", "gateway+intent", ""]
    assert servicer.times == 1


async def test_a_gateway_starts_without_a_stage_that_turns_can_do_without_but_not_without_one_they_need(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite_status, "DISPENSABLE_SECONDS", 0.1)
    nowhere = f"127.0.0.1:{unused_tcp_port}"
    async with running(Asked()) as server:
        stages = dict.fromkeys(("intent", "retrieve", "answer"), server.target) | {"decompose": nowhere}
        await asyncio.wait_for(SuiteStatus(server.target, stages).until_complete(), 10)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(SuiteStatus(server.target, stages | {"intent": nowhere}).until_complete(), 0.5)
        without = SuiteStatus(server.target, stages | {"intent": nowhere}, needed=("retrieve", "answer"))
        await asyncio.wait_for(without.until_complete(), 10)
