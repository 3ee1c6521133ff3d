"""What an ingest has to know of the suite."""

from typing import Final

import grpc

from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

INFO_SECONDS: Final = 5.0


def embedder_of(channel: grpc.Channel) -> str:
    """The name of the suite's embedder; empty when it has none."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    return next(
        (
            task.detail
            for stage in info.stages
            if stage.stage == usage_pb2.STAGE_RETRIEVE
            for task in stage.info.capabilities
            if task.task == "embed" and task.engine != "none"
        ),
        "",
    )
