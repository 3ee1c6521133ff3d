"""OpenAI's completions and responses: whole, as the pieces of a stream, and errors. Pure, but for time and ids."""

import secrets
import time
from collections.abc import Iterator
from dataclasses import asdict
from urllib.parse import quote

from doors.answer_data import Json, citations_of
from libs.text.citation_marks import citation_marks
from parley.client.answers import Answer
from parley.client.errors import ParleyError
from parley.client.values import Outcome
from parley.gateway.v1 import gateway_pb2


class Completion:
    """One completion: its id, model and time, which each of its chunks repeats."""

    def __init__(self, model: str, asked: gateway_pb2.AskRequest, with_usage: bool) -> None:
        self._asked = asked
        self._with_usage = with_usage
        completion_id = f"chatcmpl-{secrets.token_hex(12)}"  # 96 random bits (taste)
        self._base: Json = {"id": completion_id, "created": int(time.time()), "model": model}

    def whole(self, answer: Answer, text: str) -> Json:
        """The completion in one piece; `text` is what is shown of the answer's."""
        message = {"role": "assistant", "content": text, "refusal": None, **added_to(answer, text)}
        choice = {"index": 0, "message": message, "finish_reason": finish_reason(answer), "logprobs": None}
        usage = usage_of(self._asked, answer)
        return {**self._base, "object": "chat.completion", "choices": [choice], "usage": usage}

    def begin(self) -> Iterator[Json]:
        """The piece before the text."""
        yield self._chunk({"role": "assistant", "content": ""})

    def piece(self, text: str) -> Json:
        """A piece of the text."""
        return self._chunk({"content": text})

    def end(self, answer: Answer, text: str) -> Iterator[Json]:
        """The pieces after the text; the last is for a caller who wants to know what it cost."""
        yield self._chunk(added_to(answer, text))
        yield self._chunk({}, finish_reason(answer))
        if self._with_usage:
            yield {**self._chunk({}), "choices": [], "usage": usage_of(self._asked, answer)}

    def _chunk(self, delta: Json, reason: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return {**self._base, "object": "chat.completion.chunk", "choices": [choice]}


class ModelResponse:
    """One response; its id begins with that of its session, if it has one."""

    def __init__(self, session_id: str, model: str, asked: gateway_pb2.AskRequest) -> None:
        self._asked = asked
        self._base: Json = {
            "id": f"resp_{session_id}{secrets.token_hex(8)}",  # a session has few (taste)
            "object": "response",
            "created_at": int(time.time()),
            "model": model,
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }
        self._message: Json = {"id": f"msg_{secrets.token_hex(12)}", "type": "message", "role": "assistant"}
        self._place: Json = {"item_id": self._message["id"], "output_index": 0, "content_index": 0}
        self._events = 0

    def whole(self, answer: Answer, text: str) -> Json:
        """The response in one piece; `text` is what is shown of the answer's."""
        read, written, total = usage_of(self._asked, answer).values()
        added = added_to(answer, text)
        cited = [{"type": each["type"], **each["url_citation"]} for each in added["annotations"]]
        return {
            **self._base,
            "status": "completed",
            "output": [{**self._message, "status": "completed", "content": [_part(text, cited)]}],
            "usage": {"input_tokens": read, "output_tokens": written, "total_tokens": total},
            "parley": added["parley"],
        }

    def begin(self) -> Iterator[Json]:
        """The events before the text."""
        item = {**self._message, "status": "in_progress", "content": []}
        yield self._event("response.created", response={**self._base, "status": "in_progress", "output": []})
        yield self._event("response.output_item.added", output_index=0, item=item)
        yield self._event("response.content_part.added", **self._place, part=_part("", []))

    def piece(self, text: str) -> Json:
        """A piece of the text."""
        return self._event("response.output_text.delta", **self._place, delta=text, logprobs=[])

    def end(self, answer: Answer, text: str) -> Iterator[Json]:
        """The events after the text."""
        response = self.whole(answer, text)
        (item,) = response["output"]
        (part,) = item["content"]
        yield self._event("response.output_text.done", **self._place, text=text, logprobs=[])
        yield self._event("response.content_part.done", **self._place, part=part)
        yield self._event("response.output_item.done", output_index=0, item=item)
        yield self._event("response.completed", response=response)

    def _event(self, kind: str, **content: object) -> Json:
        number, self._events = self._events, self._events + 1
        return {"type": kind, "sequence_number": number, **content}


def added_to(answer: Answer, text: str) -> Json:
    """What a message has beside its text: OpenAI's annotations, and under `parley` what they cannot say."""
    return {
        "annotations": annotations_of(answer, text),
        "parley": {
            "turn_id": answer.turn_id,
            "session_id": answer.session_id,
            "outcome": str(answer.outcome),
            "standalone_question": answer.standalone_question,
            "citations": citations_of(answer),
            "recommendations": list(answer.recommendations),
            "degraded": [asdict(each) for each in answer.degraded],
        },
    }


def annotations_of(answer: Answer, text: str) -> list[Json]:
    """A `url_citation` for each marker in the text; documents without an address have a `parley:` one."""
    passages = {reference.number: reference.passage for reference in reversed(answer.references)}
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "url": passage.url or quote(f"parley:{passage.collection}/{passage.document_id}", safe=":/"),
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


def _part(text: str, annotations: list[Json]) -> Json:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}
