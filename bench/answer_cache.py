"""What the answer cache saves: `python -m bench.answer_cache [--processes N]`.

The questions of the samples, each in a session of its own, asked again and again:
without the cache, with it and made anew (`no_cache`: what looking up and storing costs), and with it. Prints time to
the first text, time of the whole turn, and processor time of all processes of the suite a turn.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
from rich.console import Console
from rich.table import Table

from bench.samples import conversations, ingest, quantile
from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

ROUNDS = 10
CACHE = {"PARLEY_GATEWAY_ANSWER_CACHE_BYTES": str(64 * 1024 * 1024)}
TASK = "cached answer"


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Of the turns of one kind, in milliseconds."""

    name: str
    turns: int
    hits: int
    first_texts: Sequence[float]
    wholes: Sequence[float]
    processor: float
    """A turn's."""


def sample_questions() -> list[str]:
    """The questions of all conversations."""
    return list(dict.fromkeys(question for questions in conversations() for question in questions))


def cost(name: str, suite: RunningSuite, questions: Sequence[str], rounds: int, no_cache: bool = False) -> TurnCost:
    """Ask all questions, round by round."""
    options = gateway_pb2.RequestOptions(no_cache=no_cache)
    first_texts, wholes, hits = [], [], 0
    before = _processor_seconds(suite)
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        for question in [*questions] * rounds:
            start, first_text = time.perf_counter(), 0.0
            for response in stub.Ask(gateway_pb2.AskRequest(question=question, options=options), timeout=60):
                event = response.event
                if event.HasField("text") and not first_text:
                    first_text = time.perf_counter() - start
                hits += event.HasField("usage") and TASK in [task.task for task in event.usage.tasks]
            wholes.append((time.perf_counter() - start) * 1000)
            first_texts.append(first_text * 1000)
    processor = (_processor_seconds(suite) - before) / len(wholes) * 1000
    return TurnCost(name, len(wholes), hits, first_texts, wholes, processor)


def _processor_seconds(suite: RunningSuite) -> float:
    processes = psutil.Process(suite.supervisor.pid).children(recursive=True)
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def measure(processes: int, rounds: int) -> list[TurnCost]:
    """All three kinds, over one corpus."""
    questions = sample_questions()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        data = Path(folder) / "data"
        with running_suite(data, processes=processes) as suite:
            ingest(suite)
            cost("warm", suite, questions, 1)
            costs = [cost("without the cache", suite, questions, rounds)]
        with running_suite(data, CACHE, processes=processes) as suite:
            cost("warm", suite, questions, 1, no_cache=True)
            costs.append(cost("with it, made anew", suite, questions, rounds, no_cache=True))
            costs.append(cost("with it", suite, questions, rounds))
    return costs


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    table = Table(title=f"Answer cache, samples, rules engine, {arguments.processes} processes", title_justify="left")
    for column in ("turns", "number", "hits", "first text p50", "p95", "whole turn p50", "processor a turn"):
        table.add_column(column)
    for each in measure(arguments.processes, arguments.rounds):
        table.add_row(
            each.name,
            str(each.turns),
            str(each.hits),
            f"{quantile(each.first_texts, 0.5):.1f} ms",
            f"{quantile(each.first_texts, 0.95):.1f} ms",
            f"{quantile(each.wholes, 0.5):.1f} ms",
            f"{each.processor:.1f} ms",
        )
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
