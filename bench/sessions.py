"""What sessions cost as they grow: `python -m bench.sessions [--turns 1000] [--sessions 500] [--rounds 20]`.

A suite over the samples in one process or more, the rules, plain turns without timeline and follow-ups:

- one long session: median time of its first and last 50 turns, and of turns of a new session in between the last ones;
- many sessions side by side: memory of each process over the second half, bytes of the stores a turn;
- expiry: a restart with a limit on the number of sessions, and what the stores take up then.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Final

import grpc

from bench import turns
from bench.samples import conversations, ingest, report
from bench.suite import RunningSuite, running_suite
from bench.turns import Stub, gateway_at
from cli.suite.processes import LAYOUTS
from parley.gateway.v1 import gateway_pb2, session_pb2, session_pb2_grpc

ENDS: Final = 50
"""Turns at either end of the long session that are compared (taste, as the numbers below; targets are goals)."""
LEFT: Final = 10
"""Sessions that the expiry leaves."""
TARGET_RATIO: Final = 1.5
TARGET_BYTES: Final = 20_000
TARGET_DRIFT: Final = 0.05
SAMPLES_PER_RUN: Final = 40
EXPIRY_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class LongSession:
    """Milliseconds of a whole turn, medians."""

    first: float
    last: float
    beside: float
    """Turns of new sessions that alternate with the last ones."""


@dataclass(frozen=True, slots=True)
class ManySessions:
    """What many sessions took."""

    turns: int
    seconds: float
    memory: dict[str, list[float]] = field(default_factory=dict)
    """10^6 bytes by process, at equal distances over the run."""

    def drift(self, process: str) -> float:
        """Largest deviation from the median over the second half, as a share."""
        half = self.memory[process][len(self.memory[process]) // 2 :]
        median = statistics.median(half)
        return max(abs(sample - median) for sample in half) / median


def questions() -> Iterator[str]:
    """The samples' questions, over and over."""
    return cycle(list(chain.from_iterable(conversations())))


def ask(stub: Stub, session: str, question: str) -> float:
    """A plain turn; its milliseconds."""
    start = time.perf_counter()
    turns.ask(stub, question, session, timeline=gateway_pb2.TIMELINE_USE_OFF, recommendations=0)
    return (time.perf_counter() - start) * 1000


def one_long_session(suite: RunningSuite, count: int) -> LongSession:
    """Ask turn by turn; in between the last turns a new session gets turns of its own."""
    with gateway_at(suite.address) as stub:
        for question in islice(questions(), ENDS):
            ask(stub, "warm", question)
        stream, beside_stream = questions(), questions()
        times = [ask(stub, "long", next(stream)) for _ in range(count - ENDS)]
        last, beside = [], []
        for _ in range(ENDS):
            last.append(ask(stub, "long", next(stream)))
            beside.append(ask(stub, "beside", next(beside_stream)))
    return LongSession(*map(statistics.median, (times[:ENDS], last, beside)))


def many_sessions(suite: RunningSuite, sessions: int, rounds: int, callers: int) -> ManySessions:
    """Give each session a turn, round by round, from several callers."""
    asked = [(f"many-{session}", question) for question in islice(questions(), rounds) for session in range(sessions)]
    memory: dict[str, list[float]] = {}
    start = time.perf_counter()
    with gateway_at(suite.address) as stub, ThreadPoolExecutor(callers) as pool:
        part = max(1, len(asked) // SAMPLES_PER_RUN)
        for first in range(0, len(asked), part):
            list(pool.map(lambda turn: ask(stub, *turn), asked[first : first + part]))
            for name, megabytes in suite.resident_megabytes().items():
                memory.setdefault(name, []).append(megabytes)
    return ManySessions(len(asked), time.perf_counter() - start, memory)


def stored_bytes(data: Path) -> int:
    """Of the gateway's own files."""
    return sum(file.stat().st_size for name in ("sessions.db*", "events.db*") for file in data.glob(name))


def expire(data: Path, processes: int) -> None:
    """Restart with a limit, and wait until only so many sessions are left."""
    settings = {"PARLEY_GATEWAY_KEEP_SESSIONS": str(LEFT)}
    with running_suite(data, settings, processes) as suite, grpc.insecure_channel(suite.address) as channel:
        stub, start = session_pb2_grpc.SessionServiceStub(channel), time.perf_counter()
        while len(stub.ListSessions(session_pb2.ListSessionsRequest(page_size=LEFT + 1)).sessions) > LEFT:
            if time.perf_counter() - start > EXPIRY_SECONDS:
                raise RuntimeError("the sessions did not expire in time")
            time.sleep(0.2)
        time.sleep(3)  # the sweep gives the room back after the last session


def rows_of(long: LongSession, many: ManySessions, bytes_per_turn: float) -> list[tuple[str, str, str]]:
    """The table of both runs."""
    drifts = [
        (f"memory of {name}", f"{samples[-1]:.0f} MB, {many.drift(name):.1%} off its median", f"{TARGET_DRIFT:.0%}")
        for name, samples in many.memory.items()
    ]
    return [
        ("first 50 turns of a session, median", f"{long.first:.0f} ms", ""),
        ("last 50 turns, median", f"{long.last:.0f} ms, {long.last / long.first:.2f} times", f"{TARGET_RATIO} times"),
        ("a new session at the same time", f"{long.beside:.0f} ms", ""),
        ("turns over many sessions", f"{many.turns:,} in {many.seconds:.0f} s", ""),
        *drifts,
        ("stored, a turn", f"{bytes_per_turn:,.0f} bytes", f"{TARGET_BYTES:,}"),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description="What sessions cost as they grow.")
    parser.add_argument("--turns", type=int, default=1000, help="of the long session")
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=20, help="turns of each of many sessions")
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--processes", type=int, choices=sorted(LAYOUTS), default=2)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        data = Path(folder) / "data"
        with running_suite(data, processes=options.processes) as suite:
            ingest(suite)
            long = one_long_session(suite, options.turns)
            many = many_sessions(suite, options.sessions, options.rounds, options.callers)
        size = stored_bytes(data)
        bytes_per_turn = size / (options.turns + 2 * ENDS + many.turns)
        expire(data, options.processes)
        left = stored_bytes(data)
    expiry_row = (f"all but {LEFT} sessions expired", f"{size / 1e6:.1f} MB became {left / 1e6:.1f} MB", "")
    report("Sessions", [*rows_of(long, many, bytes_per_turn), expiry_row])
    drifts = max(many.drift(name) for name in many.memory)
    met = long.last <= TARGET_RATIO * long.first and bytes_per_turn <= TARGET_BYTES and drifts <= TARGET_DRIFT
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
