"""A language model that takes a real one's time: `python -m bench.model.slow_model PORT REWRITES`.

REWRITES is a JSON file: by the last question of a conversation, how it stands alone. A form (a JSON schema) is filled
in token by token like any other answer: what stands alone, whether the question's own words suffice, whether it is
split (one in ten), sentences of the passages; every other field gets the least that its type allows. Numbers are
chosen by hand; the package tells what they stand for.
"""

import asyncio
import json
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.peers.stub import HEAD, REWRITE, last_question
from bench.peers.stub_server import (
    DONE,
    STREAM_END,
    STREAM_HEAD,
    StubModel,
    completion,
    delta,
    event,
    json_response,
    usage,
)

FIRST_SECONDS: Final = 0.4
TOKEN_SECONDS: Final = 0.01
ANSWER_TOKENS: Final = 60
CHARACTERS: Final = 4
"""Of a token: OpenAI's rule of thumb for English."""
ONE_IN: Final = 10
"""One question in so many is split."""
ITEM: Final = re.compile(r"<item n=(\d+)>\n(.*?)</item>", re.DOTALL)
SENTENCE: Final = re.compile(r"[A-Z][^.!?\n]{30,200}[.!?](?=\s)")
NONE: Final = frozenset(("category", "first", "second", "third"))
"""Fields that sort a question: an ordinary one."""


class SlowModel(StubModel):
    """Counts and answers."""

    def __init__(self, rewrites: Mapping[str, str]) -> None:
        super().__init__()
        self._rewrites = rewrites

    async def complete(self, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        """See StubModel."""
        kind, text = self._reply(request)
        self.counts[kind] += 1
        tokens = [text[start : start + CHARACTERS] for start in range(0, len(text), CHARACTERS)] or [""]
        prompt_tokens = sum(len(message["content"] or "") for message in request["messages"]) // CHARACTERS
        await asyncio.sleep(FIRST_SECONDS)
        if request.get("stream"):
            await self._stream(tokens, prompt_tokens, writer)
        else:
            await asyncio.sleep(TOKEN_SECONDS * (len(tokens) - 1))
            writer.write(json_response(completion(text, len(tokens), prompt_tokens)))

    async def _stream(self, tokens: Sequence[str], prompt_tokens: int, writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM_HEAD)
        for token in tokens:
            writer.write(event(json.dumps(delta({"role": "assistant", "content": token}))))
            await writer.drain()
            await asyncio.sleep(TOKEN_SECONDS)
        last = {**delta({}, "stop"), "usage": usage(len(tokens), prompt_tokens)}
        writer.write(event(json.dumps(last)) + event(DONE) + STREAM_END)

    def _reply(self, request: dict[str, Any]) -> tuple[str, str]:
        """What is wanted, and the text."""
        texts = [message["content"] or "" for message in request["messages"]]
        question = last_question(texts[-1])
        form = request.get("response_format", {}).get("json_schema")
        if form:
            return "form", json.dumps(self._fill(form["schema"], "", question, "\n".join(texts)))
        if any(REWRITE.search(text[:HEAD]) for text in (texts[0], texts[-1])):
            return "rewrite", self._rewrite_of(question)
        return "answer", " ".join(_sentences("\n".join(texts)))

    def _rewrite_of(self, question: str) -> str:
        return self._rewrites.get(question, question)

    def _fill(self, schema: Mapping[str, Any], name: str, question: str, prompt: str) -> Any:
        rewrite = self._rewrite_of(question)
        suffices = rewrite == question
        values = {
            "standalone": "" if suffices and "suffices" in prompt else rewrite,
            "suffices": suffices,
            "answerable": True,
            "answer": " ".join(_sentences(prompt)),
            "language": "en",
        }
        if name in values:
            return values[name]
        if name in NONE:
            return "none"
        if name == "parts":
            return _parts(rewrite) if _is_split(question) else []
        if schema.get("type") == "object":
            return {field: self._fill(kind, field, question, prompt) for field, kind in schema["properties"].items()}
        empty = {"array": [], "boolean": False, "integer": 0, "number": 0.0, "string": ""}
        return schema["enum"][0] if "enum" in schema else empty.get(schema.get("type", ""))


def _is_split(question: str) -> bool:
    return zlib.crc32(question.encode()) % ONE_IN == 0


def _parts(rewrite: str) -> list[str]:
    """The two halves of a question."""
    words = rewrite.rstrip("?").split()
    middle = len(words) // 2
    return [" ".join(words[:middle]) + "?", " ".join(words[middle:]) + "?"]


def _sentences(prompt: str) -> Iterator[str]:
    """Sentences of the passages with their marks, as many as the tokens allow; of passages without items the first."""
    budget = ANSWER_TOKENS * CHARACTERS
    items = ITEM.findall(prompt) or [("1", max(prompt.split("\n"), key=len) + "\n")]
    for number, text in items:
        for sentence in SENTENCE.findall(text)[:1]:
            if len(sentence) < budget:
                budget -= len(sentence) + 5
                yield f"{sentence[:-1]} [{number}]{sentence[-1]}"


def rewrites_in(file: str) -> Mapping[str, str]:
    """By the last question."""
    rewrites: Mapping[str, str] = json.loads(Path(file).read_text(encoding="utf-8"))
    return rewrites


if __name__ == "__main__":
    asyncio.run(SlowModel(rewrites_in(sys.argv[2])).serve_forever(int(sys.argv[1])))
