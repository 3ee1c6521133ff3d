"""Responses in the shape of OpenAI's newer API: whole, and as the events of a stream. Pure, but for time and ids."""

import secrets
import time
from collections.abc import Iterator

from doors.answer_data import Json
from doors.openai_api.completions import added_to, usage_of
from parley.client.answers import Answer
from parley.gateway.v1 import gateway_pb2


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
        added, usage = added_to(answer, text), usage_of(self._asked, answer)
        cited = [{"type": each["type"], **each["url_citation"]} for each in added["annotations"]]
        return {
            **self._base,
            "status": "completed",
            "output": [{**self._message, "status": "completed", "content": [_part(text, cited)]}],
            "usage": {
                "input_tokens": usage["prompt_tokens"],
                "output_tokens": usage["completion_tokens"],
                "total_tokens": usage["total_tokens"],
            },
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


def _part(text: str, annotations: list[Json]) -> Json:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}
