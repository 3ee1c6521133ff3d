"""What stands behind the suite, and how each part of it is asked for a first answer.

Language models and Elasticsearch are those of this shell's settings, the embedder is the suite's.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import grpc

from gateway.settings import GatewaySettings
from libs.contracts.usage import Stage
from libs.elastic.server import elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmUnusable
from libs.llm.messages import Message
from libs.llm.settings import LlmSettings
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc
from services.retrieve.engines.settings import SearchElasticsearchSettings

SECONDS: Final = 20.0
"""Timeout of a vector (taste); those of models and Elasticsearch are settings."""


def backends(channel: grpc.Channel, engines: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the name of each, and what asks it and raises a ParleyError, an RpcError or a ValueError if it fails.

    The channel leads to the gateway; the engines are those of all tasks, such as "embed: onnx (e5)".
    """
    settings = LlmSettings.load().model_copy(update={"retries": 0})
    tasks = {(own.base_url, own.model): task for task in ("", *settings.tasks) if (own := settings.of_task(task))}
    for (url, model), task in tasks.items():
        if url is not None:
            yield f"language model {model} at {url}", partial(asyncio.run, _one_token(settings, task))
    if "embed: " in engines and "embed: none" not in engines:
        yield "embedder", partial(_one_vector, channel)
    for url in sorted({SearchElasticsearchSettings.load().url, GatewaySettings.load().elasticsearch_url} - {""}):
        yield f"Elasticsearch at {url}", partial(_greet, url)


async def _one_token(settings: LlmSettings, task: str) -> None:
    async with open_chat_model(settings, Stage.ANSWER) as model:
        assert model is not None
        try:
            async for _ in model.stream([Message("user", "Say yes.")], task=task, max_tokens=1):
                pass
        except LlmUnusable as error:
            if error.__cause__ is not None:  # without a cause a token came, as the first of a thought
                raise


def _one_vector(channel: grpc.Channel) -> None:
    # Vectors are kept by text: only one that is new is embedded.
    request = inference_pb2.EmbedRequest(texts=[f"asked at {time.time_ns()}"], kind=inference_pb2.TEXT_KIND_QUERY)
    inference_pb2_grpc.InferenceServiceStub(channel).Embed(request, timeout=SECONDS)


def _greet(url: str) -> None:
    with elasticsearch_server(url, ElasticsearchSettings.load()) as server:
        server.ask(lambda client: client.info())
