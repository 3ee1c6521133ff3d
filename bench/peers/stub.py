"""A language model that answers at once: `python -m bench.peers.stub PORT`. Standard library alone.

Asked for a rewrite (a message begins with words such as standalone or rephrase, or a JSON schema is wanted) it repeats
the last question. Asked for an answer it streams 60 words of the longest line in the prompt, with the number of the
item that the line stands in behind each sentence. /stats tells how often it was asked for what; /reset begins anew.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from typing import Any, Final

WORDS: Final = 60
REWRITE: Final = re.compile(r"stand-?alone|rephrase|reformulate|rewrite|condense", re.IGNORECASE)
LABEL: Final = re.compile(r"[A-Z][A-Za-z ]{2,20}: *")
ITEM: Final = re.compile(r"<item n=(\d+)>")
HEAD: Final = 300
"""Characters at the beginning of a message that say what is wanted."""


class Stub:
    """Counts and answers."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
                length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1])) if length else b""
                writer.write(self._answer(head.split(" ", 2)[1], json.loads(body or b"{}")))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, path: str, request: dict[str, Any]) -> bytes:
        if path.endswith("/stats"):
            return json_response(dict(self.asked))
        if path.endswith("/reset"):
            self.asked.clear()
            return json_response({})
        pieces = self._pieces(request)
        return _stream(pieces) if request.get("stream") else _whole("".join(pieces))

    def _pieces(self, request: dict[str, Any]) -> list[str]:
        texts = [message["content"] or "" for message in request["messages"]]
        prompt = "\n".join(texts)
        self.asked["characters"] += len(prompt)
        form = "response_format" in request
        if form or any(REWRITE.search(text[:HEAD]) for text in (texts[0], texts[-1])):
            self.asked["rewrite"] += 1
            question = last_question(texts[-1])
            return [json.dumps({"standalone": question}) if form else question]
        self.asked["answer"] += 1
        return _quotation(prompt)


def last_question(text: str) -> str:
    """The last line that is neither a tag nor a label, without the label before it."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("<") and line[-1] != ":"]
    return LABEL.sub("", lines[-1], count=1).strip()


def _quotation(prompt: str) -> list[str]:
    line = max(prompt.split("\n"), key=len)
    item = ITEM.findall(prompt[: prompt.index(line)])
    mark = f" [{item[-1] if item else 1}]"
    words = line.split()
    said = (words * (WORDS // len(words) + 1))[: WORDS - 1] if words else ["nothing"]
    return [f"{mark}{word[-1]} " if word == "." else _marked(word, mark) for word in said] + [f"{mark}."]


def _marked(word: str, mark: str) -> str:
    return f"{word[:-1]}{mark}{word[-1]} " if word[-1] in ".!?" else f"{word} "


def json_response(content: object) -> bytes:
    """A whole HTTP response."""
    body = json.dumps(content).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


def _whole(text: str) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    about = {"id": "x", "object": "chat.completion", "created": 1, "model": "stub"}
    return json_response({**about, "choices": [choice], "usage": usage})


def _stream(pieces: list[str]) -> bytes:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    said = [delta({"role": "assistant", "content": piece}, None) for piece in pieces]
    chunks = [chunk(json.dumps(each)) for each in (*said, delta({}, "stop"))]
    return head + b"".join(chunks) + chunk("[DONE]") + b"0\r\n\r\n"


def delta(said: dict[str, str], finish: str | None) -> dict[str, Any]:
    """A chunk's content."""
    about = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    return {**about, "choices": [{"index": 0, "delta": said, "finish_reason": finish}]}


def chunk(data: str) -> bytes:
    """An event of a stream, as HTTP sends it."""
    line = f"data: {data}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(line), line)


async def main(port: int) -> None:
    """Until it is stopped."""
    server = await asyncio.start_server(Stub().serve, "127.0.0.1", port, limit=1 << 24, backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
