"""Speed, memory and start-up by two commits at once: `python -m bench.commit_speed COMMIT`.

Both suites run over the same samples and are asked in turns, conversation by conversation, so that whatever else the
machine does hits both alike: one after the other, the same code differs by a third on a shared machine.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.samples import Times, converse, ingest, report, side_by_side
from bench.suite import RunningSuite, running_suite, tree_of

ROUNDS = 8
BURSTS = 4
"""Of 16 callers side by side; both numbers are taste."""


@dataclass(slots=True)
class Side:
    """A suite and what was seen of it."""

    name: str
    suite: RunningSuite
    times: list[Times] = field(default_factory=list)
    processor_seconds: float = 0.0
    rates: list[float] = field(default_factory=list)
    """Turns a second of each burst."""
    refused: int = 0
    """Callers of the bursts that got an error, such as RESOURCE_EXHAUSTED, and asked no more."""
    resident_megabytes: float = 0.0
    """Of all processes together, after the bursts."""

    def one_caller(self, number: int) -> None:
        """All conversations, one after the other."""
        before = self.suite.processor_seconds()
        self.times += converse(self.suite.address, f"{self.name}-{number}", 1)
        self.processor_seconds += self.suite.processor_seconds() - before

    def many_callers(self, number: int) -> None:
        """A burst."""
        seconds, errors, times = side_by_side(self.suite.address, f"burst-{number}")
        self.refused += errors
        self.rates.append(len(times) / seconds)

    @property
    def figures(self) -> dict[str, float]:
        """By name; milliseconds are medians over turns, but the processor's, which is a mean."""
        return {
            "condensed, ms": statistics.median(times.condensed for times in self.times),
            "first answer text, ms": statistics.median(times.first_text for times in self.times),
            "whole turn, ms": statistics.median(times.whole for times in self.times),
            "processor a turn, ms": 1000 * self.processor_seconds / len(self.times),
            "turns a second at 16 callers": statistics.median(self.rates),
            "callers refused": self.refused,
            "resident memory, MB": self.resident_megabytes,
            "start to all SERVING, s": self.suite.start_seconds,
        }


def measure(sides: Sequence[Side]) -> None:
    """Ask all sides in turns."""
    for side in sides:
        ingest(side.suite)
        converse(side.suite.address, "warm", 1)
    for number in range(ROUNDS):
        for side in sides if number % 2 else sides[::-1]:
            side.one_caller(number)
    for number in range(BURSTS):
        for side in sides if number % 2 else sides[::-1]:
            side.many_callers(number)
    for side in sides:
        side.resident_megabytes = sum(side.suite.resident_megabytes().values())


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed, memory and start-up by two commits at once.")
    parser.add_argument("commit", help="an earlier commit")
    parser.add_argument("--processes", type=int, default=2, help="of each suite (default 2)")
    arguments = parser.parse_args()
    processes = arguments.processes
    with ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-bench-")))
        tree = stack.enter_context(tree_of(arguments.commit))
        before = Side("before", stack.enter_context(running_suite(work / "before", processes=processes, tree=tree)))
        now = Side("now", stack.enter_context(running_suite(work / "now", processes=processes)))
        measure([before, now])
        title = f"Samples, rules engine, {processes} processes, {len(now.times)} turns each"
        rows = [
            (name, f"{earlier:.1f}", f"{value:.1f}", f"{value / earlier - 1:+.0%}" if earlier else "")
            for (name, value), earlier in zip(now.figures.items(), before.figures.values(), strict=True)
        ]
        report(title, rows, ("figure", arguments.commit, "now", "change"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
