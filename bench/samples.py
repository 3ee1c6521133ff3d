"""Speed, memory and start-up over the samples: `python -m bench.samples` (`make bench`).

Conversations of the samples, rules engine, warm: time from the request to the event `condensed`, to the first piece of
text, and to `completed`, at one caller; then 16 callers side by side; memory of the six
processes; time from `parley up` to all SERVING with the model's graph cached. Rounds, callers and turns: taste; targets
are goals.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from rich.console import Console
from rich.table import Table

from bench.peers.load import quantile
from bench.suite import ROOT, RunningSuite, running_suite
from bench.turns import SECONDS, Stub, gateway_at
from parley.gateway.v1 import gateway_pb2

SAMPLES = ROOT / "samples"
ROUNDS = 4
CALLERS = 16
TURNS_A_CALLER = 10


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds from the request."""

    condensed: float
    first_text: float
    whole: float


def conversations() -> list[list[str]]:
    """The scripted conversations' questions."""
    files = sorted((SAMPLES / "conversations").glob("*.jsonl"))
    return [[json.loads(line)["question"] for line in file.read_text().splitlines()] for file in files]


def ask(stub: Stub, question: str, session: str) -> Times:
    """One turn, timed."""
    request = gateway_pb2.AskRequest(question=question, session_id=session)
    start = time.perf_counter()
    first_times: dict[str, float] = {}
    for response in stub.Ask(request, timeout=SECONDS):
        kind = str(response.event.WhichOneof("event"))
        first_times.setdefault(kind, (time.perf_counter() - start) * 1000)
    return Times(first_times["condensed"], first_times["text"], first_times["completed"])


def converse(address: str, name: str, rounds: int) -> list[Times]:
    """All conversations, `rounds` times, each in a session of its own."""
    times = []
    with gateway_at(address) as stub:
        for turn in range(rounds):
            for number, questions in enumerate(conversations()):
                times += [ask(stub, question, f"{name}-{turn}-{number}") for question in questions]
    return times


def side_by_side(address: str, name: str = "caller") -> tuple[float, int, list[Times]]:
    """Seconds, errors and times of 16 callers, whose sessions begin with `name`."""

    def call(caller: int) -> list[Times] | None:
        try:
            return converse(address, f"{name}-{caller}", 1)[:TURNS_A_CALLER]
        except grpc.RpcError:
            return None

    start = time.perf_counter()
    with ThreadPoolExecutor(CALLERS) as pool:
        by_caller = list(pool.map(call, range(CALLERS)))
    seconds = time.perf_counter() - start
    return seconds, by_caller.count(None), [times for each in by_caller if each for times in each]


@contextmanager
def suite_over_samples(environment: dict[str, str] | None = None) -> Iterator[RunningSuite]:
    """A suite with the samples in it, gone at the end; `environment` is added to this process's own."""
    with (
        tempfile.TemporaryDirectory(prefix="parley-bench-") as folder,
        running_suite(Path(folder) / "data", environment) as suite,
    ):
        ingest(suite)
        yield suite


def ingest(suite: RunningSuite) -> None:
    """The samples into the suite."""
    suite.parley("ingest", str(SAMPLES / "corpus"))


def report(
    title: str,
    rows: Iterable[Sequence[str]],
    columns: Sequence[str] = ("figure", "measured", "target"),
    width: int | None = None,
) -> None:
    """Print a table, of so many characters if it is not the terminal's width."""
    table = Table(*columns, title=title, title_justify="left")
    for row in rows:
        table.add_row(*row)
    Console(width=width).print(table)


def spread(values: Sequence[float]) -> str:
    """Median and 95th percentile."""
    return f"p50 {quantile(values, 50):.1f} ms, p95 {quantile(values, 95):.1f} ms"


def main() -> int:
    """Measure and print; 1 when a caller saw an error."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        data = Path(folder) / "data"
        with running_suite(data) as suite:
            ingest(suite)
            first = suite.start_seconds
        with running_suite(data) as suite:
            converse(suite.address, "warm", 1)
            times = converse(suite.address, "one", ROUNDS)
            seconds, errors, many = side_by_side(suite.address)
            memory = suite.resident_megabytes()
    rows = [
        ("condensed", spread([t.condensed for t in times]), "p50 <= 20 ms"),
        ("first answer text", spread([t.first_text for t in times]), "p50 <= 100 ms"),
        ("whole turn", spread([t.whole for t in times]), "p50 <= 250 ms"),
        ("errors at 16 callers", str(errors), "0"),
        ("turns a second at 16 callers", f"{len(many) / seconds:.1f}", ""),
        ("whole turn at 16 callers", spread([t.whole for t in many]), ""),
        ("resident memory", f"{sum(memory.values()):.0f} MB", "<= 900 MB"),
        *((f"  {name}", f"{size:.0f} MB", "") for name, size in sorted(memory.items())),
        ("start to all SERVING, graph cached", f"{suite.start_seconds:.1f} s", "<= 8 s"),
        ("start to all SERVING, first time", f"{first:.1f} s", ""),
    ]
    report(f"Samples, rules engine, {len(times)} turns", rows)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
