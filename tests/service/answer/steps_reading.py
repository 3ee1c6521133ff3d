"""The steps of an answer that the answer stage writes, and what a test reads off them."""

from typing import TypeAlias

from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.context.v1 import answer_pb2 as context_answer_pb2

Stub: TypeAlias = "answer_pb2_grpc.AnswerServiceAsyncStub"  # a name of the stub file only


async def written(writer: Stub, request: answer_pb2.WriteRequest) -> list[answer_pb2.WriteResponse]:
    return [step async for step in writer.Write(request)]


def answer_of(steps: list[answer_pb2.WriteResponse]) -> context_answer_pb2.Answer:
    assert [step.HasField("result") for step in steps].count(True) == 1
    return steps[-1].result.answer


def degraded(steps: list[answer_pb2.WriteResponse]) -> list[str]:
    return [step.degraded.reason for step in steps if step.HasField("degraded")]
