"""What stands behind the suite, and how each part of it is asked for a first answer.

Language models and Elasticsearch are those of this shell's settings, the embedder is the suite's.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Final, NamedTuple

import grpc

from cli.connection.channels import channel_to
from gateway.settings import GatewaySettings
from libs.contracts.usage import Stage
from libs.elastic.server import elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmUnusable
from libs.llm.messages import Message
from libs.llm.settings import LlmSettings
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc
from services.retrieve.engines.settings import SearchElasticsearchSettings

ANSWERS: Final = "answers"
CLOSED: Final = (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED)
SECONDS: Final = 20.0
"""Timeout of a vector (taste); those of models and Elasticsearch are settings."""


class ProcessState(NamedTuple):
    """A process: its state (SERVING, NOT_SERVING or UNREACHABLE) and each task's engine, such as "embed: onnx (e5)"."""

    name: str
    """What it serves: `retrieve`, `gateway+intent`."""
    address: str
    state: str
    engines: str = "-"


def backends(channel: grpc.Channel, processes: Sequence[ProcessState]) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name of each, and what asks it: it returns how that went, or raises why there is no answer.

    Raised are errors of this suite and of gRPC, and a ValueError. The channel leads to the gateway.
    """
    settings = LlmSettings.load().model_copy(update={"retries": 0})
    tasks = {(own.base_url, own.model): task for task in ("", *settings.tasks) if (own := settings.of_task(task))}
    for (url, model), task in tasks.items():
        if url is not None:
            yield f"language model {model} at {url}", partial(asyncio.run, _one_token(settings, task))
    if any(": llm" in process.engines for process in processes) and not settings.is_configured():
        yield "language model", lambda: "not asked, as PARLEY_LLM_BASE_URL is not set here"
    for process in processes:
        if "embed: " in process.engines and "embed: none" not in process.engines:
            yield "embedder", partial(_one_vector, channel, process)
    for url in sorted({SearchElasticsearchSettings.load().url, GatewaySettings.load().elasticsearch_url} - {""}):
        yield f"Elasticsearch at {url}", partial(_greet, url)


async def _one_token(settings: LlmSettings, task: str) -> str:
    async with open_chat_model(settings, Stage.ANSWER) as model:
        assert model is not None
        try:
            async for _ in model.stream([Message("user", "Say yes.")], task=task, max_tokens=1):
                pass
        except LlmUnusable as error:
            if error.__cause__ is not None:  # without a cause a token came, as the first of a thought
                raise
    return ANSWERS


def _one_vector(channel: grpc.Channel, process: ProcessState) -> str:
    # Vectors are kept by text: only one that is new is embedded.
    request = inference_pb2.EmbedRequest(texts=[f"asked at {time.time_ns()}"], kind=inference_pb2.TEXT_KIND_QUERY)
    with nullcontext(channel) if "gateway" in process.name else channel_to(process.address) as own:
        try:
            inference_pb2_grpc.InferenceServiceStub(own).Embed(request, timeout=SECONDS)
        except grpc.RpcError as error:
            if error_from_rpc(error).is_unanswered or error.code() in CLOSED:  # it may be the gateway's alone to call
                return f"not asked, as {process.address} does not answer this command"
            raise
    return ANSWERS


def _greet(url: str) -> str:
    with elasticsearch_server(url, ElasticsearchSettings.load()) as server:
        server.ask(lambda client: client.info())
    return ANSWERS
