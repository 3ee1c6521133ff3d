"""How long understanding a turn takes in a long conversation: `python -m bench.understanding`.

Condense and Understand over gRPC, rules engine, one caller, no embedding and no probe; 50 turns of history (questions
of the samples with the suite's answers), in the view that the gateway gives the stages. Twice: a conversation that goes
on, of which each turn was seen before but the newest, and histories that the processes never saw. Processor time is
told beside it: on a busy machine it is the only figure that means something.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import grpc
import psutil
from rich.console import Console

from bench.samples import conversations, report, spread, suite_over_samples
from bench.suite import RunningSuite
from gateway.session.conversation import view_of
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.session import SessionContext
from libs.contracts.wire.codec import to_message
from parley.context.v1 import conversation_pb2
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.intent.v1 import intent_pb2, intent_pb2_grpc

TURNS = 50
"""Of history."""
MEASURED, WARMING = 200, 20
"""Requests that count, and requests before them that don't."""
TARGET = "p95 <= 15 ms"
INTENT, DECOMPOSE = 1, 2
"""Ports after the gateway's."""

Exchange = tuple[str, str]
History = Callable[[int], Sequence[Exchange]]
"""The turns before the n-th request."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of the two calls."""

    condense: float
    understand: float


@dataclass(frozen=True, slots=True)
class RequestTimes:
    """Times of the requests, and the mean processor time of one, in milliseconds over both processes."""

    times: Sequence[Times]
    processor: float


def exchanges(address: str) -> list[Exchange]:
    """The samples' questions with the suite's answers."""
    pairs = []
    with grpc.insecure_channel(address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        for number, questions in enumerate(conversations()):
            for question in questions:
                request = gateway_pb2.AskRequest(question=question, session_id=f"source-{number}")
                events = [response.event for response in stub.Ask(request, timeout=60)]
                texts = [event.text_end.text for event in events if event.HasField("text_end")]
                pairs.append((question, texts[0] if texts else ""))
    return pairs


def seen_by_stages(turns: Sequence[Exchange]) -> conversation_pb2.ConversationView:
    """The turns as the gateway shows them to the stages."""
    speakers = (Speaker.USER, Speaker.AGENT)
    messages = [
        HistoryMessage(speaker, text) for turn in turns for speaker, text in zip(speakers, turn, strict=True) if text
    ]
    return to_message(view_of(SessionContext(prior=tuple(messages))), conversation_pb2.ConversationView)


def measure(suite: RunningSuite, questions: Sequence[str], history: History) -> RequestTimes:
    """One request after another."""
    processes = [suite.processes()[name] for name in ("decompose", "intent")]
    with (
        grpc.insecure_channel(f"127.0.0.1:{suite.port + DECOMPOSE}") as to_decompose,
        grpc.insecure_channel(f"127.0.0.1:{suite.port + INTENT}") as to_intent,
    ):
        decompose = decompose_pb2_grpc.DecomposeServiceStub(to_decompose)
        intent = intent_pb2_grpc.IntentServiceStub(to_intent)
        seconds = _processor_seconds(processes)
        times = [
            _understand(decompose, intent, questions[number % len(questions)], seen_by_stages(history(number)))
            for number in range(WARMING + MEASURED)
        ]
        seconds = _processor_seconds(processes) - seconds
    return RequestTimes(times[WARMING:], 1000 * seconds / len(times))


def _processor_seconds(processes: Sequence[psutil.Process]) -> float:
    return sum(process.cpu_times().user + process.cpu_times().system for process in processes)


def _understand(
    decompose: decompose_pb2_grpc.DecomposeServiceStub,
    intent: intent_pb2_grpc.IntentServiceStub,
    question: str,
    view: conversation_pb2.ConversationView,
) -> Times:
    start = time.perf_counter()
    response = decompose.Condense(decompose_pb2.CondenseRequest(question=question, view=view), timeout=10)
    middle = time.perf_counter()
    request = intent_pb2.UnderstandRequest(question=question, record=response.record, view=view)
    steps = list(intent.Understand(request, timeout=10))
    if not steps[-1].HasField("result"):
        raise RuntimeError("Understand gave no result")
    return Times((middle - start) * 1000, (time.perf_counter() - middle) * 1000)


def rows(name: str, request_times: RequestTimes) -> list[tuple[str, str, str]]:
    """Figures of one way."""
    times = request_times.times
    return [
        (f"{name}: condense", spread([t.condense for t in times]), ""),
        (f"{name}: understand", spread([t.understand for t in times]), ""),
        (f"{name}: both", spread([t.condense + t.understand for t in times]), TARGET),
        (f"{name}: processor time of both", f"mean {request_times.processor:.1f} ms", ""),
    ]


def main() -> int:
    """Measure and print."""
    console = Console()
    with suite_over_samples() as suite:
        sample_exchanges = exchanges(suite.address)

        def going_on(number: int) -> list[Exchange]:
            return [sample_exchanges[(number + place) % len(sample_exchanges)] for place in range(TURNS)]

        def unseen(number: int) -> list[Exchange]:
            return [(f"{q} {number}.{place}", f"{a} {number}.{place}") for place, (q, a) in enumerate(going_on(number))]

        questions = [
            sample_exchanges[(number + TURNS) % len(sample_exchanges)][0] for number in range(len(sample_exchanges))
        ]
        steady = measure(suite, questions, going_on)
        cold = measure(suite, questions, unseen)
    report(console, f"Understanding a turn after {TURNS} others, {MEASURED} turns each", [
        *rows("going on", steady), *rows("unseen", cold),
    ])  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
