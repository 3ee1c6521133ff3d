"""What a query costs as a collection grows: `python -m bench.collection_size [--sizes N ...] [--out FILE.svg]`.

For each size a folder of made-up passages is filled, and the retrieve stage is asked over gRPC by one caller, at full
depth, no question twice. Draws time and processor time over the number of passages, both on logarithmic scales,
beside what a cost in proportion would be. A million passages take a quarter of an hour and about 5 GB of memory.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console

from bench.retrieval import one_caller
from bench.samples import quantile
from bench.stage import running_stage
from bench.synthetic import World, make_questions
from bench.synthetic_corpus import fill, world_of

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUESTIONS = 120
WIDTH, HEIGHT, MARGIN = 640, 400, 60


@dataclass(frozen=True, slots=True)
class RetrievalCost:
    """Of a retrieval, in milliseconds."""

    passages: int
    median: float
    processor: float


def cost(data: Path, passages: int, world: World) -> RetrievalCost:
    """Fill and ask."""
    fill(data, passages, world)
    with running_stage("retrieve", data) as stage:
        one_caller(stage, make_questions(world, 30, seed=5))
        process = psutil.Process(stage.pid)
        start = sum(process.cpu_times()[:2])
        times = one_caller(stage, make_questions(world, QUESTIONS, seed=6))
        processor_seconds = sum(process.cpu_times()[:2]) - start
    return RetrievalCost(passages, quantile(times, 0.5), processor_seconds / QUESTIONS * 1000)


def draw(costs: Sequence[RetrievalCost]) -> str:
    """An SVG of both lines and of proportion, which starts where the processor's line does."""
    proportional = [costs[0].processor * each.passages / costs[0].passages for each in costs]
    top = 10 ** math.ceil(math.log10(max(*proportional, *(each.median for each in costs))))
    lines = {
        "time, median": ([each.median for each in costs], "#1f6feb", ""),
        "processor time": ([each.processor for each in costs], "#d1242f", ""),
        "in proportion to the passages": (proportional, "#8c959f", "6 4"),
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12"><title>Cost of a retrieval over the number of passages</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *(_line(costs, values, top, colour, dashes) for values, colour, dashes in lines.values()),
        *(_legend(row, name, lines[name][1]) for row, name in enumerate(lines)),
        *(_text(_across(each.passages, costs), HEIGHT - MARGIN + 20, f"{each.passages:,}") for each in costs),
        *(
            _text(MARGIN - 24, _up(10.0**power, top) + 4, f"{10**power:,} ms")
            for power in range(int(math.log10(top)) + 1)
        ),
        "</svg>",
    ]
    return "\n".join(parts)


def _line(costs: Sequence[RetrievalCost], values: Sequence[float], top: float, colour: str, dashes: str) -> str:
    points = " ".join(
        f"{_across(each.passages, costs):.1f},{_up(value, top):.1f}" for each, value in zip(costs, values, strict=True)
    )
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'


def _legend(row: int, name: str, colour: str) -> str:
    place = MARGIN + 18 * row
    return f'<text x="{MARGIN + 16}" y="{place}" fill="{colour}">{name}</text>'


def _text(x: float, y: float, content: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{content}</text>'


def _across(passages: int, costs: Sequence[RetrievalCost]) -> float:
    first, last = math.log(costs[0].passages), math.log(costs[-1].passages)
    share = (math.log(passages) - first) / (last - first) if last > first else 0.5
    return MARGIN + share * (WIDTH - 2 * MARGIN)


def _up(value: float, top: float) -> float:
    """From 1 ms at the bottom to `top`."""
    return HEIGHT - MARGIN - math.log(max(value, 1.0)) / math.log(top) * (HEIGHT - 2 * MARGIN)


def main() -> int:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description="What a query costs as a collection grows.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--folder", type=Path, help="where filled folders are kept")
    parser.add_argument("--out", type=Path, default=Path("growth.svg"))
    arguments, console = parser.parse_args(), Console()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        world, costs = world_of(folder), []
        for size in sorted(arguments.sizes):
            costs.append(cost(folder / str(size), size, world))
            median, processor = costs[-1].median, costs[-1].processor
            console.print(f"{size:,} passages: median {median:.1f} ms, processor {processor:.1f} ms")
    arguments.out.write_text(draw(costs), encoding="utf-8")
    growth, cost_growth = costs[-1].passages / costs[0].passages, costs[-1].processor / costs[0].processor
    console.print(f"{growth:,.0f} times the passages cost {cost_growth:.1f} times the processor time; {arguments.out}")
    return 0 if cost_growth < growth else 1


if __name__ == "__main__":
    sys.exit(main())
