"""A language model that answers at once: `python -m bench.peers.stub PORT`. Standard library alone.

Asked for a rewrite (a message begins with words such as standalone or rephrase, or a JSON schema is wanted) it repeats
the last question. Asked for an answer it streams 60 words of the longest line in the prompt, with the number of the
item that the line stands in behind each sentence. It counts what it is asked for. Numbers are chosen by hand.
"""

import asyncio
import json
import re
import sys
from typing import Any, Final

from bench.peers.stub_server import (
    DONE,
    STREAM_END,
    STREAM_HEAD,
    StubModel,
    completion,
    delta,
    event,
    json_response,
)

WORDS: Final = 60
REWRITE: Final = re.compile(r"stand-?alone|rephrase|reformulate|rewrite|condense", re.IGNORECASE)
LABEL: Final = re.compile(r"[A-Z][A-Za-z ]{2,20}: *")
ITEM: Final = re.compile(r"<item n=(\d+)>")
HEAD: Final = 300
"""Characters at the beginning of a message that say what is wanted."""


class Stub(StubModel):
    """Counts and answers."""

    async def complete(self, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        """See StubModel."""
        pieces = self._pieces(request)
        writer.write(_stream(pieces) if request.get("stream") else json_response(completion("".join(pieces))))

    def _pieces(self, request: dict[str, Any]) -> list[str]:
        texts = [message["content"] or "" for message in request["messages"]]
        prompt = "\n".join(texts)
        form = "response_format" in request
        if form or any(REWRITE.search(text[:HEAD]) for text in (texts[0], texts[-1])):
            self.counts["rewrite"] += 1
            question = last_question(texts[-1])
            return [json.dumps({"standalone": question}) if form else question]
        self.counts["answer"] += 1
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
    answer_words = (words * (WORDS // len(words) + 1))[: WORDS - 1] if words else ["nothing"]
    return [f"{mark}{word[-1]} " if word == "." else _with_mark(word, mark) for word in answer_words] + [f"{mark}."]


def _with_mark(word: str, mark: str) -> str:
    return f"{word[:-1]}{mark}{word[-1]} " if word[-1] in ".!?" else f"{word} "


def _stream(pieces: list[str]) -> bytes:
    chunks = [*(delta({"role": "assistant", "content": piece}) for piece in pieces), delta({}, "stop")]
    return STREAM_HEAD + b"".join(map(event, (*map(json.dumps, chunks), DONE))) + STREAM_END


if __name__ == "__main__":
    asyncio.run(Stub().serve_forever(int(sys.argv[1])))
