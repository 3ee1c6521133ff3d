"""Check that a suite fits the experiment: a language model rewrites, and learned terms rank if configured."""

from collections.abc import Mapping
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import retrieve_pb2

SECONDS: Final = 5.0
"""Timeout for the suite's report on its engines, in seconds."""
TASK, BY_MODEL = "condense", "llm"
"""The capability of the stage that rewrites, and its required engine."""
LEARNED, NONE = "search by learned terms", "none"
"""The capability of the stage that searches, and its engine if there is none."""


def fusion_by_model(channel: grpc.Channel) -> retrieve_pb2.Fusion.ValueType:
    """Return the fusion for the experiment; check that a language model rewrites the questions.

    Learned sparse vectors (ELSER) alone if they are configured, else the suite's own fusion. The model's rewriting is
    what is searched.

    Raises:
        CommandError: no language model rewrites, or the stage that rewrites is down.
        grpc.RpcError: the suite cannot be reached.
    """
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=SECONDS)
    _require_model(_engines(info, usage_pb2.STAGE_DECOMPOSE))
    sparse_engine = (_engines(info, usage_pb2.STAGE_RETRIEVE) or {}).get(LEARNED, NONE)
    return retrieve_pb2.FUSION_UNSPECIFIED if sparse_engine == NONE else retrieve_pb2.FUSION_LEXICAL


def _engines(info: gateway_pb2.GetServerInfoResponse, name: usage_pb2.Stage.ValueType) -> Mapping[str, str] | None:
    """Return the engine of each task of a stage; None if the stage is down."""
    stage = next((stage for stage in info.stages if stage.stage == name), None)
    if stage is None or not stage.HasField("info"):
        return None
    return {capability.task: capability.engine for capability in stage.info.capabilities}


def _require_model(engines: Mapping[str, str] | None) -> None:
    if engines is None:
        raise CommandError("The stage decompose, which rewrites the questions, cannot be reached.")
    if engines.get(TASK) != BY_MODEL:
        raise CommandError(
            "This experiment searches each question as a language model rewrites it, and this suite rewrites by rules: "
            "set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, and do not set PARLEY_DECOMPOSE_ENGINE to rules."
        )
