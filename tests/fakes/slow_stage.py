"""A process of a suite in a test: its answers take half a second. `python -m tests.fakes.slow_stage gateway …`."""

import asyncio
import sys
from collections.abc import AsyncIterator

from libs.runtime.serving.process import run
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices, serve_stages
from libs.runtime.settings import ServerSettings
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.context.v1 import answer_pb2 as words

PIECES = 10


class SlowAnswer(answer_pb2_grpc.AnswerServiceServicer):
    """Writes ten words in half a second."""

    async def Write(self, request: answer_pb2.WriteRequest, context: object) -> AsyncIterator[answer_pb2.WriteResponse]:
        for piece in range(PIECES):
            yield answer_pb2.WriteResponse(text=words.TextDelta(paragraph=1, sentence=1, delta=f"{piece} "))
            await asyncio.sleep(0.05)


def main(name: str, *arguments: str) -> None:
    """Serve until stopped."""
    settings = ServerSettings.from_args(arguments, lame_duck_seconds=0.0)
    run(lambda: serve_stages(settings, [StageServices(name, (Service.of(SlowAnswer()),))]))  # type: ignore[abstract]


if __name__ == "__main__":
    main(*sys.argv[1:])
