"""Many callers for minutes: `python -m bench.callers [--seconds 300] [--callers 64]`.

A suite over the samples with default settings and the rules. Each caller asks turn by turn, each turn in a new
conversation of a principal of its own; one that is refused waits as long as it is told. Reported are the turns that
failed otherwise, and each process's resident memory after three minutes, in which caches and the allocator's heaps
fill, and at the end. The exit status is 1 if a turn failed, or a process grew by more than a tenth in between.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import grpc

from bench.samples import conversations, report, spread, suite_over_samples
from bench.suite import RunningSuite
from bench.turns import SECONDS, Stub
from gateway.access.principals import PRINCIPAL_KEY
from libs.runtime.errors import Overloaded
from libs.runtime.status import error_from_rpc
from parley.gateway.v1 import gateway_pb2

WARM_UP_SECONDS: Final = 180.0
"""Before memory is read for the first time, and besides the time asked for: the gateway grew by 51 MB in the first
three minutes of a run of ten, by 7 MB in the other seven."""
MOST_GROWTH: Final = 0.1
"""Of a process's memory from then on (taste)."""
UNKNOWN_WAIT: Final = 1.0
"""Seconds before the next turn if a refusal names no time (taste, as are the defaults and timeouts below)."""


@dataclass
class Outcomes:
    """How turns ended; milliseconds."""

    accepted: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    """Until the first text of an accepted turn."""
    refused: list[float] = field(default_factory=list)
    turns: Counter[str] = field(default_factory=Counter)
    """Accepted turns by principal."""
    failures: Counter[str] = field(default_factory=Counter)
    """Statuses other than OK and RESOURCE_EXHAUSTED."""


class Caller:
    """Asks the samples' questions, each in a new conversation."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub: Any = Stub(channel)
        self._questions = list(chain.from_iterable(conversations()))
        self.outcomes = Outcomes()

    async def ask(self, principal: str = "") -> float:
        """One turn of a principal; returns the seconds to wait before the next one."""
        request = gateway_pb2.AskRequest(question=random.choice(self._questions))
        metadata = ((PRINCIPAL_KEY, principal),) if principal else ()
        start, first = time.perf_counter(), 0.0
        try:
            async for response in self._stub.Ask(request, timeout=SECONDS, metadata=metadata):
                if not first and response.event.HasField("text"):
                    first = time.perf_counter() - start
        except grpc.aio.AioRpcError as error:
            typed = error_from_rpc(error)
            if not isinstance(typed, Overloaded):
                self.outcomes.failures[f"{error.code().name} {typed.reason}"] += 1
                return 0.0
            self.outcomes.refused.append((time.perf_counter() - start) * 1000)
            return typed.retry_after or UNKNOWN_WAIT
        self.outcomes.accepted.append((time.perf_counter() - start) * 1000)
        self.outcomes.first.append(first * 1000)
        self.outcomes.turns[principal] += 1
        return 0.0


async def measure(suite: RunningSuite, callers: int, seconds: float) -> tuple[Outcomes, list[dict[str, float]]]:
    """Outcomes of all, and megabytes by process after the warm-up and at the end.

    Args:
        seconds: how long all callers ask, the warm-up included.
    """
    memory, end = list[dict[str, float]](), time.monotonic() + seconds
    async with grpc.aio.insecure_channel(suite.address) as channel:
        caller = Caller(channel)

        async def keep_asking(principal: str) -> None:
            while time.monotonic() < end:
                seconds_to_wait = await caller.ask(principal)
                await asyncio.sleep(seconds_to_wait)

        async def weigh() -> None:
            await asyncio.sleep(WARM_UP_SECONDS)
            memory.append(suite.resident_megabytes())

        await asyncio.gather(weigh(), *(keep_asking(str(number)) for number in range(callers)))
    return caller.outcomes, [*memory, suite.resident_megabytes()]


def grown(before: Mapping[str, float], after: Mapping[str, float]) -> list[str]:
    """The processes that grew by more than they may, or are others than before."""
    return [name for name in before if after.get(name, 0.0) > (1 + MOST_GROWTH) * before[name] or name not in after]


def rows(outcomes: Outcomes, memory: Sequence[Mapping[str, float]], seconds: float) -> list[tuple[str, str, str]]:
    """The report's rows: figure, value, target."""
    before, after = memory
    return [
        ("accepted", f"{len(outcomes.accepted) / seconds:.1f} turns/s: {spread(outcomes.accepted)}", ""),
        ("refused", f"{len(outcomes.refused)}: {spread(outcomes.refused)}" if outcomes.refused else "0", ""),
        ("failed", str(dict(outcomes.failures)), "{}"),
        *(
            (f"memory of {name}", f"{before[name]:.0f} -> {after.get(name, 0):.0f} MB", f"<= {1.1 * before[name]:.0f}")
            for name in before
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--callers", type=int, default=64)
    options = parser.parse_args(arguments)
    random.seed(1)
    with suite_over_samples() as suite:
        seconds = WARM_UP_SECONDS + options.seconds
        outcomes, memory = asyncio.run(measure(suite, options.callers, seconds))
    report(f"{options.callers} callers", rows(outcomes, memory, seconds))
    return 1 if outcomes.failures or grown(*memory) or not outcomes.accepted else 0


if __name__ == "__main__":
    sys.exit(main())
