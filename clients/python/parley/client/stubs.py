"""The stubs of a suite's services over one channel; making them calls nothing."""

from typing import Any

from parley.answer.v1 import answer_pb2_grpc
from parley.gateway.v1 import gateway_pb2_grpc, replay_pb2_grpc, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc


class Stubs:
    """The generated stubs, for what the client has no method for."""

    def __init__(self, channel: Any) -> None:
        """`channel` is of `grpc` or `grpc.aio`; the stubs are then blocking or for `await`."""
        self.gateway: Any = gateway_pb2_grpc.GatewayServiceStub(channel)
        self.sessions: Any = session_pb2_grpc.SessionServiceStub(channel)
        self.replay: Any = replay_pb2_grpc.ReplayServiceStub(channel)
        self.corpus: Any = corpus_pb2_grpc.CorpusServiceStub(channel)
        self.answer: Any = answer_pb2_grpc.AnswerServiceStub(channel)
