"""A suite that gets several times what it can do: `python -m bench.overload [--seconds 60] [--times 4]`.

A suite over the samples with default settings, the rules, new conversations. First one caller, turn by turn; then 16
callers, whose turns a second are what the suite can do. Then 40 principals together send `times` as many, at random
moments, half of them three times as often as the others. Nobody tries again. All of it runs on one machine, this
program included. Numbers that name no source are chosen by hand; targets are goals.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bench.peers.load import quantile
from bench.samples import conversations, report, spread, suite_over_samples
from bench.suite import RunningSuite
from bench.turns import SECONDS, Stub
from gateway.access.principals import PRINCIPAL_KEY
from parley.gateway.v1 import gateway_pb2

PRINCIPALS: Final = 40
UNLOADED_TURNS: Final = 120
CALLERS: Final = 16
CAPACITY_SECONDS: Final = 15.0
WARM_UP_SECONDS: Final = 10.0
QUEUE_MILLISECONDS: Final = 1000.0
"""The gateway's `QUEUE_SECONDS`."""


@dataclass
class Outcomes:
    """How turns ended; milliseconds."""

    accepted: list[float] = field(default_factory=list)
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

    async def ask(self, principal: str = "") -> None:
        """One turn of a principal."""
        request = gateway_pb2.AskRequest(question=random.choice(self._questions))
        metadata = ((PRINCIPAL_KEY, principal),) if principal else ()
        start = time.perf_counter()
        try:
            async for _ in self._stub.Ask(request, timeout=SECONDS, metadata=metadata):
                pass
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                self.outcomes.refused.append((time.perf_counter() - start) * 1000)
            else:
                self.outcomes.failures[error.code().name] += 1
            return
        self.outcomes.accepted.append((time.perf_counter() - start) * 1000)
        self.outcomes.turns[principal] += 1


def shares(turns: Counter[str]) -> tuple[float, float]:
    """The least and the most that a principal got, as a multiple of the mean."""
    counts = [turns[str(number)] * PRINCIPALS / turns.total() for number in range(PRINCIPALS)]
    return min(counts), max(counts)


async def unloaded(channel: grpc.aio.Channel) -> Outcomes:
    """One caller, turn by turn."""
    caller = Caller(channel)
    for _ in range(UNLOADED_TURNS):
        await caller.ask()
    return caller.outcomes


async def busy(channel: grpc.aio.Channel, seconds: float) -> float:
    """Turns a second of several callers, each turn by turn."""
    caller, end = Caller(channel), time.perf_counter() + seconds

    async def ask_until_end() -> None:
        while time.perf_counter() < end:
            await caller.ask()

    start = time.perf_counter()
    await asyncio.gather(*(ask_until_end() for _ in range(CALLERS)))
    return len(caller.outcomes.accepted) / (time.perf_counter() - start)


async def overloaded(channel: grpc.aio.Channel, rate: float, seconds: float) -> tuple[Outcomes, list[float]]:
    """Turns of all principals, `rate` a second together, and the milliseconds of health checks meanwhile."""
    caller, health, end = Caller(channel), list[float](), time.perf_counter() + seconds
    rates = [rate / PRINCIPALS * (0.5 if number % 2 else 1.5) for number in range(PRINCIPALS)]

    async def send(principal: str, own_rate: float) -> None:
        async with asyncio.TaskGroup() as turns:
            while time.perf_counter() < end:
                await asyncio.sleep(random.expovariate(own_rate))
                turns.create_task(caller.ask(principal))

    async def watch_health() -> None:
        stub = health_pb2_grpc.HealthStub(channel)
        while time.perf_counter() < end:
            start = time.perf_counter()
            await stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
            health.append((time.perf_counter() - start) * 1000)
            await asyncio.sleep(0.1)

    await asyncio.gather(watch_health(), *(send(str(number), own) for number, own in enumerate(rates)))
    return caller.outcomes, health


async def measure(suite: RunningSuite, seconds: float, times: float) -> list[tuple[str, str, str]]:
    """Rows of the report."""
    async with grpc.aio.insecure_channel(suite.address) as channel:
        await unloaded(channel)
        idle = await unloaded(channel)
        capacity = await busy(channel, CAPACITY_SECONDS)
        await overloaded(channel, times * capacity, WARM_UP_SECONDS)
        outcomes, health = await overloaded(channel, times * capacity, seconds)
    least, most = shares(outcomes.turns)
    limit = 1.5 * quantile(idle.accepted, 95) + QUEUE_MILLISECONDS
    return [
        ("one caller, whole turn", spread(idle.accepted), ""),
        (f"{CALLERS} callers", f"{capacity:.1f} turns/s", ""),
        (f"offered, {times:g} times as many", f"{times * capacity:.0f} turns/s", ""),
        ("accepted", f"{len(outcomes.accepted) / seconds:.1f} turns/s", ""),
        ("accepted, whole turn", spread(outcomes.accepted), f"p95 <= {limit:.0f} ms"),
        ("refused", f"{len(outcomes.refused)}: {spread(outcomes.refused)}", "< 20 ms"),
        ("share of a principal, least and most", f"{least:.2f}, {most:.2f}", ".80, 1.20"),
        ("health check", spread(health), ""),
        ("other statuses", str(dict(outcomes.failures)), "{}"),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--times", type=float, default=4.0)
    options = parser.parse_args(arguments)
    random.seed(1)
    with suite_over_samples() as suite:
        report("Overload", asyncio.run(measure(suite, options.seconds, options.times)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
