"""Asks what stands behind the suite: language models for one token, the embedder for a vector, Elasticsearch.

Models and Elasticsearch are those of this shell's settings, the embedder is the suite's.
"""

import asyncio
import re
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import grpc

from cli.view.output import one_line
from gateway.settings import GatewaySettings
from libs.contracts.usage import Stage
from libs.elastic.server import elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmError, LlmTooSlow, LlmUnusable
from libs.llm.messages import Message
from libs.llm.settings import LlmSettings
from libs.runtime.errors import Unavailable
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc
from services.retrieve.engines.settings import SearchElasticsearchSettings

SECONDS: Final = 20.0
"""Timeout of each answer: a model on a processor reads for a while before its first word (taste)."""
_OF_STATUS: Final = {
    401: "refuses the key: check PARLEY_LLM_API_KEY",
    403: "refuses the key: check PARLEY_LLM_API_KEY",
    404: "has no such model or path: check PARLEY_LLM_MODEL and PARLEY_LLM_BASE_URL",
    429: "takes no more requests now, or a quota is used up",
}
"""What a language model's server means by an HTTP status."""
_EMBEDS: Final = re.compile(r"\bembed: (?!none)")
_VERSION: Final = re.compile(r"must be either version (\d+)")


class Backend(NamedTuple):
    """Something that was asked."""

    name: str
    fault: str = ""
    """Why it gave no answer, as the predicate of a sentence; empty if it did."""
    answer: str = "answers"


def backends(channel: grpc.Channel, engines: str) -> Iterator[Backend]:
    """Ask each in turn; the channel leads to the gateway, the engines are those of all tasks ("embed: onnx (e5)")."""
    settings, elasticsearch = LlmSettings.load(), ElasticsearchSettings.load()
    tasks = {(own.base_url, own.model): task for task in ("", *settings.tasks) if (own := settings.of_task(task))}
    for (url, model), task in tasks.items():
        if url is not None:
            yield Backend(f"language model {model} at {url}", _fault_of_model(url, settings, task))
    if ": llm" in engines and not settings.is_configured():
        yield Backend("language model", answer="not asked, as PARLEY_LLM_BASE_URL is not set here")
    if _EMBEDS.search(engines):
        yield Backend("embedder", _fault_of_embedder(channel))
    for url in sorted({SearchElasticsearchSettings.load().url, GatewaySettings.load().elasticsearch_url} - {""}):
        yield Backend(f"Elasticsearch at {url}", _fault_of_elasticsearch(url, elasticsearch))


def _fault_of_model(url: str, settings: LlmSettings, task: str) -> str:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        return "has no URL: set PARLEY_LLM_BASE_URL to one such as http://127.0.0.1:8000/v1"
    try:
        asyncio.run(_one_token(settings.model_copy(update={"retries": 0}), task))
    except TimeoutError:
        return _explain(LlmTooSlow())
    except LlmError as error:
        return _explain(error)
    return ""


async def _one_token(settings: LlmSettings, task: str) -> None:
    async with asyncio.timeout(SECONDS), open_chat_model(settings, Stage.ANSWER) as model:
        assert model is not None
        async for _ in model.stream([Message("user", "Say yes.")], task=task, max_tokens=1):
            pass


def _explain(error: LlmError) -> str:
    """Why a model gave no token; empty if it gave one that is no use, as the only token of a thought."""
    cause: Any = error.__cause__
    if cause is None and isinstance(error, LlmUnusable):
        return ""
    if isinstance(error, LlmTooSlow):
        return f"said nothing within {SECONDS:.0f} s"
    status = getattr(cause, "status_code", 0)
    if status in (401, 403):  # the server's words may hold the key
        return f"{_OF_STATUS[status]} (HTTP {status})"
    if status:
        said = cause.body["message"] if isinstance(cause.body, dict) and "message" in cause.body else cause.message
        return f"{_OF_STATUS.get(status, 'refuses the request')} (HTTP {status}: {one_line(said).rstrip('.')})"
    while isinstance(cause, Exception) and (earlier := cause.__cause__ or cause.__context__):
        cause = earlier
    if isinstance(cause, OSError):
        why = "the connection is refused" if isinstance(cause, ConnectionRefusedError) else cause.strerror
        return f"cannot be reached ({why}): check that it runs, and PARLEY_LLM_BASE_URL"
    return f"gave no answer: {error.message}"


def _fault_of_embedder(channel: grpc.Channel) -> str:
    # Vectors are kept by text: only one that is new is embedded.
    request = inference_pb2.EmbedRequest(texts=[f"asked at {time.time_ns()}"], kind=inference_pb2.TEXT_KIND_QUERY)
    try:
        inference_pb2_grpc.InferenceServiceStub(channel).Embed(request, timeout=SECONDS)
    except grpc.RpcError as error:
        return f"gives no vector: {error_from_rpc(error).message}"
    return ""


def _fault_of_elasticsearch(url: str, settings: ElasticsearchSettings) -> str:
    try:
        with elasticsearch_server(url, settings) as server:
            server.ask(lambda client: client.info())
    except ValueError as error:
        return f"has no URL: {error}"
    except Unavailable as error:
        older = _VERSION.search(str(getattr(error.__cause__, "body", "")))
        return f"is of version {older[1]}: version 9 is needed" if older else f"gave no answer: {error.message}"
    return ""
