"""How long a timeline takes, and whether memory stays flat: `python -m bench.timeline [--passages 500] [--runs 100]`.

The samples are cut into passages as they are ingested and repeated as further documents with other names and years
until there are enough, so that dates, duplicates and near-alike events come in natural shares. In process, by rules,
without embeddings and without the wire. Ends with 1 when a median of more than a second or growing memory is measured.
"""

import argparse
import asyncio
import gc
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import psutil
from rich.console import Console

from bench.passage_cutting import passages_of
from bench.samples import SAMPLES
from libs.contracts.evidence import Evidence, Passage
from libs.contracts.stages.timeline import Built
from libs.contracts.timeline import Timeline
from services.timeline.build import TimelineBounds, TimelineBuilder

QUESTION = "What is the history of the exploration of the planets and the Moon?"
MOST_SECONDS = 1.0
WARM_UP = 10
MOST_GROWTH = 4.0
"""MiB over all runs after the warm-up; the allocator itself moves by one or two."""
FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)
YEAR = re.compile(r"\b(1[89]|20)(\d\d)\b")


def passages() -> Iterator[Passage]:
    """The samples' passages, again and again; each round tells its events of other years under other names."""
    files = sorted((SAMPLES / "corpus").glob("*.md"))
    for round_number in count():
        for file in files:
            yield from _of_file(file, round_number)


def _of_file(file: Path, round_number: int) -> Iterator[Passage]:
    match = FRONT_MATTER.match(file.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{file}: has no front matter")
    head = dict(line.split(": ", 1) for line in match[1].splitlines() if ": " in line)
    text = YEAR.sub(lambda year: str(int(year[0]) - 7 * round_number), match[2]) if round_number else match[2]
    name = f"{file.stem}-{round_number}"
    yield from passages_of(name, text, head["title"], head["date"])


def build_timeline(evidence: Sequence[Evidence]) -> Timeline:
    """One timeline, as the stage builds it."""

    async def build() -> Timeline:
        steps = [step async for step in TimelineBuilder(TimelineBounds()).build(QUESTION, evidence)]
        last = steps[-1]
        if not isinstance(last, Built):
            raise TypeError("building ended without its result")
        return last.timeline

    return asyncio.run(build())


def resident() -> float:
    """This process's memory in MiB."""
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 2**20


def run(evidence: Sequence[Evidence]) -> tuple[float, Timeline]:
    """Seconds, and the timeline."""
    start = time.perf_counter()
    timeline = build_timeline([replace(item) for item in evidence])
    return time.perf_counter() - start, timeline


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long a timeline takes, and whether memory stays flat.")
    parser.add_argument("--passages", type=int, default=500)
    parser.add_argument("--runs", type=int, default=100)
    arguments, console = parser.parse_args(), Console()
    evidence = [Evidence(passage, rank=rank) for rank, passage in enumerate(islice(passages(), arguments.passages), 1)]
    first, timeline = run(evidence)
    for _ in range(WARM_UP):
        run(evidence)
    before = resident()
    times = sorted(run(evidence)[0] for _ in range(arguments.runs))
    growth, median = resident() - before, statistics.median(times)
    console.print(
        f"{len(evidence):,} passages of {len({item.passage.document_id for item in evidence})} documents -> "
        f"{len(timeline.events)} events, {len(timeline.conflicts)} conflicts"
    )
    console.print(f"seconds: first {first:.2f}, median {median:.2f}, slowest {times[-1]:.2f} of {arguments.runs}")
    console.print(f"memory: {before:.1f} MiB after {WARM_UP + 1} runs, {growth:+.1f} MiB after {arguments.runs} more")
    return 0 if median <= MOST_SECONDS and growth <= MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
