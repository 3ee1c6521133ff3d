"""Whether a suite rewrites questions as the experiment means it: by a language model."""

from typing import Final

import grpc

from gateway.cli.door import CommandError
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

SECONDS: Final = 5.0
"""Greatest time that the suite may take to say what it is made of."""
TASK, BY_MODEL = "condense", "llm"
"""The capability of the stage that rewrites, and its engine."""


def require_model(channel: grpc.Channel) -> None:
    """Hold that a language model rewrites the questions, for what it writes is searched.

    Raises:
        CommandError: none does, or the stage that rewrites is down.
        grpc.RpcError: the suite cannot be reached.
    """
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    told = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=SECONDS)
    stage = next((stage for stage in told.stages if stage.stage == usage_pb2.STAGE_DECOMPOSE), None)
    if stage is None or not stage.HasField("info"):
        raise CommandError("The stage decompose, which rewrites the questions, cannot be reached.")
    if not any((found.task, found.engine) == (TASK, BY_MODEL) for found in stage.info.capabilities):
        raise CommandError(
            "This experiment searches each question as a language model rewrites it, and this suite rewrites by rules: "
            "set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, and do not set PARLEY_DECOMPOSE_ENGINE to rules."
        )
