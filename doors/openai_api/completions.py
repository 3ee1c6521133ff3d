"""Responses in OpenAI's shape: a whole completion, the chunks of a stream, and errors. Pure, but for the time."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final

import grpc

from libs.text.citation_marks import citation_marks
from parley.client.answers import Answer
from parley.client.errors import ParleyError
from parley.client.values import Outcome, Passage
from parley.gateway.v1 import gateway_pb2

HTTP_STATUSES: Final[Mapping[grpc.StatusCode, int]] = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
"""As google.rpc.Code maps them; others are 500."""

Json = dict[str, Any]


class Completion:
    """One completion: its id, model and time, which each of its chunks repeats."""

    def __init__(self, completion_id: str, model: str, asked: gateway_pb2.AskRequest) -> None:
        self._asked = asked
        self._base: Json = {"id": completion_id, "created": int(time.time()), "model": model}

    def whole(self, answer: Answer) -> Json:
        """The completion in one piece."""
        message = {"role": "assistant", "content": answer.text, "refusal": None, **added_to(answer, answer.text)}
        choice = {"index": 0, "message": message, "finish_reason": finish_reason(answer), "logprobs": None}
        return {**self._base, "object": "chat.completion", "choices": [choice], "usage": usage_of(self._asked, answer)}

    def chunk(self, delta: Json, reason: str | None = None) -> Json:
        """A piece of a stream."""
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return {**self._base, "object": "chat.completion.chunk", "choices": [choice]}

    def usage_chunk(self, answer: Answer) -> Json:
        """The last piece of a stream whose caller wants to know what it cost."""
        return {**self._base, "object": "chat.completion.chunk", "choices": [], "usage": usage_of(self._asked, answer)}


def added_to(answer: Answer, text: str) -> Json:
    """What a message has beside its text: OpenAI's annotations, and under `parley` what they cannot say."""
    return {
        "annotations": annotations_of(answer, text),
        "parley": {
            "turn_id": answer.turn_id,
            "session_id": answer.session_id,
            "outcome": str(answer.outcome),
            "standalone_question": answer.standalone_question,
            "citations": [
                {
                    "sentence": each.text,
                    "verdict": str(each.verdict),
                    "answers": each.answers,
                    "spans": [
                        {"number": span.number, "quote": span.quote, **_place_of(span.passage)} for span in each.spans
                    ],
                }
                for each in answer.citations
            ],
            "recommendations": list(answer.recommendations),
            "degraded": [
                {"stage": each.stage, "reason": each.reason, "effect": each.effect} for each in answer.degraded
            ],
        },
    }


def annotations_of(answer: Answer, text: str) -> list[Json]:
    """A `url_citation` for each marker in the text; documents without an address have a `parley:` one."""
    passages = {reference.number: reference.passage for reference in reversed(answer.references)}
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "url": passage.url or f"parley:{passage.collection}/{passage.document_id}",
                "title": passage.title or passage.document_id,
                "start_index": mark.start,
                "end_index": mark.end,
            },
        }
        for mark in citation_marks(text)
        if (passage := passages.get(mark.number)) is not None
    ]


def usage_of(asked: gateway_pb2.AskRequest, answer: Answer) -> Json:
    """Tokens of the suite's language models; words of the conversation and of the answer if the rules answered."""
    read, written = answer.usage.input_tokens, answer.usage.output_tokens
    if not read + written:
        conversation = (asked.question, *(each.text for each in asked.history))
        read, written = sum(len(text.split()) for text in conversation), len(answer.text.split())
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def finish_reason(answer: Answer) -> str:
    """`content_filter` for a question that the policy refused."""
    return "content_filter" if answer.outcome is Outcome.REJECTED else "stop"


def error_body(message: str, kind: str, field: str = "", code: str | None = None) -> Json:
    """An error."""
    return {"error": {"message": message, "type": kind, "param": field or None, "code": code}}


def parley_error_body(error: ParleyError) -> Json:
    """A failed call of the suite."""
    field = error.violations[0].field if error.violations else ""
    kind = "invalid_request_error" if error.violations else "api_error"
    return error_body(str(error), kind, field, error.reason.lower() or None)


def event(content: Json | str) -> str:
    """A server-sent event."""
    data = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"data: {data}\n\n"


def _place_of(passage: Passage | None) -> Json:
    if passage is None:
        return {}
    return {
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "collection": passage.collection,
        "title": passage.title,
        "url": passage.url,
    }
