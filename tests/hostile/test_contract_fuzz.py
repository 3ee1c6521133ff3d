"""Every method of every service gets thousands of hostile messages, and ends each call in time with a clear status."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
import psutil
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bench.suite import RunningSuite
from cli.suite.processes import port_of
from tests.hostile.calls import Call, calls
from tests.hostile.conftest import HostileSuite
from tests.hostile.outcomes import Outcome, outcome_of

SECONDS: Final = 5.0
"""Deadline of each call."""
BATCH: Final = 10
"""Calls at the same time."""
OUR_FAULT: Final = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
FUZZ: Final = settings(
    deadline=None, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck], print_blob=False
)

pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.timeout(600)]


def is_clear(outcome: Outcome) -> bool:
    """Whether a call ended in time, and its status blames nobody but the caller, with one reason."""
    if outcome.seconds > SECONDS + 1 or outcome.code in OUR_FAULT:
        return False
    is_at_deadline = outcome.code is grpc.StatusCode.DEADLINE_EXCEEDED and outcome.seconds > SECONDS - 0.1
    return outcome.code is grpc.StatusCode.OK or len(outcome.reasons) == 1 or is_at_deadline


@dataclass
class Fuzzing:
    """Makes calls and keeps what went wrong."""

    gateway: grpc.aio.Channel
    answer: grpc.aio.Channel
    codes: Counter[str] = field(default_factory=Counter)
    failures: dict[tuple[str, str], str] = field(default_factory=dict)
    """One call by method and status."""

    async def make(self, batch: list[Call]) -> None:
        """Make calls at the same time."""
        for call, outcome in zip(batch, await asyncio.gather(*map(self._outcome, batch)), strict=True):
            self.codes[outcome.code.name] += 1
            if not is_clear(outcome):
                status = f"{outcome.code.name} {outcome.reasons} {outcome.message}"
                self.failures.setdefault((call.method, status), f"{outcome.seconds:.1f} s: {call.text[:2000]}")

    async def _outcome(self, call: Call) -> Outcome:
        channel = self.answer if "AnswerService" in call.method else self.gateway
        return await outcome_of(channel, call.method, call.messages, SECONDS)


@contextmanager
def fuzzing(suite: RunningSuite, runner: asyncio.Runner) -> Iterator[Fuzzing]:
    """Channels to the processes of a suite."""

    async def channel(port: int) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(f"127.0.0.1:{port}")

    gateway, answer = (runner.run(channel(port)) for port in (suite.port, port_of(("answer",), suite.port)))
    try:
        yield Fuzzing(gateway, answer)
    finally:
        for opened in (gateway, answer):
            runner.run(opened.close())


def fuzz(suite: RunningSuite, count: int) -> Fuzzing:
    """Make this many calls."""
    with asyncio.Runner() as runner, fuzzing(suite, runner) as result:

        @settings(FUZZ, max_examples=count // BATCH)
        @given(st.lists(calls(), min_size=BATCH, max_size=BATCH))
        def make(batch: list[Call]) -> None:
            runner.run(result.make(batch))

        make()
        return result


def tracebacks(folder: Path) -> str:
    """The first one in the log of each of the suite's processes, with what was logged just before it."""
    texts = [file.read_text() for file in folder.glob("*.log")]
    return "\n\n".join(
        text[max(place - 500, 0) : place + 8000] for text in texts if (place := text.find("Traceback")) >= 0
    )


def test_some_hundred_hostile_messages_end_with_a_clear_status(hostile_suite: HostileSuite) -> None:
    result = fuzz(hostile_suite.running, 400)
    assert not (found := tracebacks(hostile_suite.logs)), found  # first: they tell the cause of a failure
    assert not result.failures
    assert result.codes["OK"] > 20
    assert result.codes["INVALID_ARGUMENT"] > 100


@pytest.mark.slow
def test_twenty_thousand_hostile_messages_end_with_a_clear_status(hostile_suite: HostileSuite) -> None:
    fuzz(hostile_suite.running, 4_000)  # fills what is cached
    before = resident_bytes(hostile_suite.running)
    result = fuzz(hostile_suite.running, 16_000)
    assert not (found := tracebacks(hostile_suite.logs)), found
    assert not result.failures
    assert resident_bytes(hostile_suite.running) < before * 1.15


def resident_bytes(suite: RunningSuite) -> int:
    """Memory of the suite's processes."""
    return sum(process.memory_info().rss for process in psutil.Process(suite.supervisor.pid).children())
