"""Runs everybody on the same work, which blocks, and prints one table; see the package, also for the numbers."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.peers.base import Base, judged_turns, prepare
from bench.peers.load import Figures, Load, median_of
from bench.peers.suite_side import PARLEY, is_rewritten_once, measure_parley
from bench.samples import report
from bench.suite import ROOT, free_ports
from cli.suite.processes import LAYOUTS

RIVALS = ("txtai", "llamaindex", "langchain", "haystack")
RIVAL_SECONDS = 300  # timeout of one of them (taste)
COLUMNS = (
    *("", "first text p50 / p95", "whole p50", "CPU a question", "questions/s", "first text p50 / p95, all callers"),
    *("CPU a question, all callers", "memory (shared once)", "errors", "calls to rewrite + answer", "hits"),
)
BY_PROCESS = ("process", "CPU a question", "CPU a question, all callers", "memory")


def arguments() -> argparse.Namespace:
    """Of the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="Parley beside other engines.")
    parser.add_argument("mtrag", type=Path, help="the benchmark's folder")
    parser.add_argument("--rivals-env", type=Path, help="their environment; without it Parley alone is measured")
    parser.add_argument("--rivals", nargs="*", default=RIVALS, choices=RIVALS)
    parser.add_argument("--processes", type=int, nargs="*", default=[6, 2], choices=LAYOUTS, help="Parley's")
    parser.add_argument("--rounds", type=int, default=1, help="everybody in turn so often; medians are told")
    parser.add_argument("--out", type=Path, default=Path("build/peers"), help="folder of the figures")
    parser.add_argument("--base", type=Path, help="folder that keeps passages and what Parley made of them")
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=60, help="of one caller")
    parser.add_argument("--callers", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=20, help="of all callers together")
    return parser.parse_args()


@contextmanager
def serve(module: str, *arguments: str) -> Iterator[str]:
    """The address of a stub of a model in a process of its own, for as long as it runs."""
    port = free_ports(1)
    process = subprocess.Popen([sys.executable, "-m", module, str(port), *arguments], cwd=ROOT)
    time.sleep(0.5)  # until it listens (taste)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def measure_rival(
    name: str, environment: Path, base: Base, model: str, load: Load, seconds: float = RIVAL_SECONDS
) -> Figures:
    """One of the others, in a process of its environment.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    numbers = [str(load.questions), str(load.callers), str(int(load.seconds))]
    command = [str(environment / "bin" / "python"), "-m", "bench.peers.rivals", name, str(base.folder), model, *numbers]
    answer = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=seconds,
    )
    return Figures(**json.loads(answer.stdout.splitlines()[-1]))


def row(figures: Figures) -> list[str]:
    """As people read it."""
    return [
        figures.name,
        f"{figures.first_p50:.1f} / {figures.first_p95:.1f} ms",
        f"{figures.whole_p50:.1f} ms",
        f"{sum(figures.cpu.values()):.1f} ms",
        f"{figures.rate:.1f}",
        f"{figures.many_first_p50:.0f} / {figures.many_first_p95:.0f} ms",
        f"{sum(figures.many_cpu.values()):.1f} ms",
        f"{sum(figures.resident.values()):.0f} ({figures.proportional:.0f}) MB",
        str(figures.errors),
        f"{figures.rewrites:.2f} + {figures.answers:.2f}",
        f"{figures.hits:.2f}",
    ]


def rows_by_process(figures: Figures) -> Iterator[tuple[str, ...]]:
    """Where Parley's CPU and memory go."""
    for name, milliseconds in figures.cpu.items():
        many = figures.many_cpu[name]
        yield name, f"{milliseconds:.1f} ms", f"{many:.1f} ms", f"{figures.resident[name]:.0f} MB"


def run(options: argparse.Namespace, folder: Path) -> list[Figures]:
    """Everybody's figures, Parley's first; of several rounds, by which a machine's moods fall on all alike, medians."""
    base = Base(folder / "base")
    if not base.passages.exists():
        base = prepare(options.mtrag, base.folder, options.passages, judged_turns(options.mtrag, is_rewritten_once))
    rounds: dict[str, list[Figures]] = {}
    with serve("bench.peers.stub") as model:
        for _ in range(options.rounds):
            for figures in one_round(options, base, folder / "data", model):
                rounds.setdefault(figures.name, []).append(figures)
    return [median_of(several) for several in rounds.values()]


def one_round(options: argparse.Namespace, base: Base, data: Path, model: str) -> Iterator[Figures]:
    """Everybody's, one after the other."""
    load = Load(options.questions, options.callers, options.seconds)
    for processes in options.processes:
        figures = measure_parley(base, data, model, load, processes)
        report(f"{figures.name} by process", rows_by_process(figures), BY_PROCESS)
        yield figures
    for name in options.rivals if options.rivals_env else ():
        try:
            yield measure_rival(name, options.rivals_env, base, model, load)
        except (subprocess.SubprocessError, ValueError, IndexError) as error:
            sys.stdout.write(f"{name} failed: {error}\n")


def main() -> int:
    """Measure, print, keep; 1 when there was an error of Parley's."""
    options = arguments()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="parley-peers-") as folder:
        all_figures = run(options, options.base or Path(folder))
    report("The same questions, passages and model", map(row, all_figures), COLUMNS, width=200)
    options.out.mkdir(parents=True, exist_ok=True)
    seen = {"load_before": load_before, "figures": [json.loads(each.as_json()) for each in all_figures]}
    (options.out / "peers.json").write_text(json.dumps(seen, indent=1), encoding="utf-8")
    return 1 if any(figures.errors for figures in all_figures if figures.name.startswith(PARLEY)) else 0


if __name__ == "__main__":
    sys.exit(main())
