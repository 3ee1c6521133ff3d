"""Who asks the scripted gateway: a question, and models of the caller's own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from parley.client.evaluation import Completion, Message
from parley.gateway.v1 import gateway_pb2
from tests.unit.client.scripted_gateway import ScriptedGateway

QUESTION = "When did Phoenix land?"


@dataclass
class Model:
    """Says what it was given, in turn; each answer takes 10 tokens to read and 2 to write."""

    answers: list[str]
    provider: str = "mine"
    model_id: str = "mine-1"
    cost: float | None = 0.5
    asked: list[str] = field(default_factory=list)

    def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append("\n".join(message["content"] for message in messages))
        return Completion(self.answers.pop(0), 10, 2, self.cost)


def rewriter() -> Model:
    return Model(['"When did the lander Phoenix land on Mars?"', "\nWhen did Phoenix touch down?\nSure!", " "])


def asked_of(scripted: ScriptedGateway) -> gateway_pb2.RequestOptions:
    (request,) = scripted.asked
    return request.options
