"""What a turn gives by its deadline: `python -m bench.deadlines [--turns 5] [--pace 0.1]`.

A suite over the samples whose answers a scripted model writes, a word every `pace` seconds. After turns with time
enough, from which the gateway learns what each step takes, turns with ever shorter deadlines: how many were answered,
how long they took, and what they left out. Numbers are chosen by hand.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain, cycle, islice
from typing import Final

import grpc

from bench.peers.load import quantile
from bench.samples import conversations, report, suite_over_samples
from bench.suite import RunningSuite
from bench.turns import Stub, gateway_at, outcome_of
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from tests.fakes.scripted_llm import LlmRequest, in_a_thread

LEARNING_TURNS: Final = 12
DEADLINES: Final = (60.0, 10.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.5)
SENTENCES: Final = "The evidence says so in its first passage. [1] It says more in another one. [2] " * 2
RULES: Final = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
}


def ask(stub: Stub, question: str, seconds: float) -> tuple[str, list[str], float]:
    """How a turn ended, what it left out, and its seconds."""
    request, events, start = gateway_pb2.AskRequest(question=question), list[event_pb2.Event](), time.perf_counter()
    request.options.pro = True
    try:
        events += [response.event for response in stub.Ask(request, timeout=seconds)]
    except grpc.RpcError as error:
        return error.code().name, [], time.perf_counter() - start
    degraded = [event.degraded for event in events if event.HasField("degraded")]
    stages = [usage_pb2.Stage.Name(each.stage).removeprefix("STAGE_").lower() for each in degraded]
    reports = [f"{stage} {each.reason}" for stage, each in zip(stages, degraded, strict=True)]
    return outcome_of(events[-1].completed), reports, time.perf_counter() - start


def measure(suite: RunningSuite, turns: int) -> list[tuple[str, str, str]]:
    """Rows of the report."""
    questions = cycle(chain.from_iterable(conversations()))
    rows: list[tuple[str, str, str]] = []
    with gateway_at(suite.address) as stub:
        for question in islice(questions, LEARNING_TURNS):
            ask(stub, question, 60.0)
        for deadline in DEADLINES:
            endings = [ask(stub, question, deadline) for question in islice(questions, turns)]
            outcomes = Counter(outcome for outcome, _, _ in endings)
            reports = Counter(chain.from_iterable(reports for _, reports, _ in endings))
            slow = quantile([seconds for _, _, seconds in endings], 95)
            value = f"{_counts(outcomes)}; longest {slow:.1f} s"
            rows.append((f"{deadline:g} s", value, _counts(reports)))
    return rows


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the last column is what was left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--pace", type=float, default=0.1)
    options = parser.parse_args(arguments)

    def answer(request: LlmRequest) -> str:
        return SENTENCES if request.writes else "{}"

    with in_a_thread() as llm:
        llm.answer_with(answer, delay=options.pace)
        with suite_over_samples({**RULES, "PARLEY_LLM_BASE_URL": llm.base_url}) as suite:
            report("Turns by deadline", measure(suite, options.turns), width=200)
    return 0


if __name__ == "__main__":
    sys.exit(main())
