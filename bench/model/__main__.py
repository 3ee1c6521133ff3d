"""Runs both on the same turns, which blocks, and prints one table; see the package. Sizes are chosen by hand."""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path

from bench.model.parley_side import Observation, observe, quality
from bench.peers.__main__ import measure_rival, serve
from bench.peers.base import Base, Turn, all_turns, prepare
from bench.peers.load import Load, ask_stub, quantile
from bench.peers.stub import last_question
from bench.samples import report
from cli.suite.processes import LAYOUTS

RIVAL = "txtai"
SECONDS_A_TURN = 6  # greatest, of the rival (taste)
COLUMNS = (
    *("", "turns", "first text p50 / p95", "by the model", "calls a turn", "tokens a turn"),
    *("in vain", "nDCG@10", "R@10"),
)


def arguments() -> argparse.Namespace:
    """Of the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.model", description="Turns with a model that takes time.")
    parser.add_argument("mtrag", type=Path, help="the benchmark's folder")
    parser.add_argument("--rivals-env", type=Path, help="txtai's environment; without it Parley alone is measured")
    parser.add_argument("--processes", type=int, nargs="*", default=[2, 6], choices=LAYOUTS, help="Parley's")
    parser.add_argument("--turns", type=int, help="only so many, drawn by chance")
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--base", type=Path, help="folder that keeps passages and what Parley made of them")
    parser.add_argument("--out", type=Path, default=Path("build/model"), help="folder of what was seen")
    return parser.parse_args()


@contextmanager
def slow_model(turns: Sequence[Turn], folder: Path) -> Iterator[str]:
    """The model's address, for as long as it runs."""
    rewrites = {last_question(turn.question): turn.rewrite for turn in turns if turn.rewrite}
    file = folder / "rewrites.json"
    file.write_text(json.dumps(rewrites), encoding="utf-8")
    with serve("bench.model.slow_model", str(file)) as address:
        yield address


def parley_row(
    name: str, turns: Sequence[Turn], observations: Sequence[Observation], calls_by_kind: dict[str, int]
) -> list[str]:
    """What is printed of Parley."""
    times = [observation.first_text for observation in observations if observation.counts]
    tokens = [observation.tokens for observation in observations]
    calls = sum(calls_by_kind.get(kind, 0) for kind in ("form", "rewrite", "answer"))
    ranking_quality = quality(turns, observations)
    return [
        name,
        str(len(turns)),
        f"{quantile(times, 50):.0f} / {quantile(times, 95):.0f} ms",
        f"{len(times) / len(turns):.3f}",
        f"{calls / len(turns):.2f}",
        f"{statistics.fmean(tokens):.0f}",
        f"{sum(observation.discarded for observation in observations) / sum(tokens):.3f}",
        f"{ranking_quality.ndcg[-1]:.3f}",
        f"{ranking_quality.recall[-1]:.3f}",
    ]


def rival_row(base: Base, environment: Path, model: str) -> list[str]:
    """What is printed of txtai."""
    count = len(base.turns())
    figures = measure_rival(RIVAL, environment, base, model, Load(count, 1, 0), SECONDS_A_TURN * count)
    times = f"{figures.first_p50:.0f} / {figures.first_p95:.0f} ms"
    return [RIVAL, str(count), times, "", f"{figures.rewrites + figures.answers:.2f}", "", "", "", ""]


def run(options: argparse.Namespace, folder: Path) -> Iterator[list[str]]:
    """A row an engine."""
    base = Base(folder / "base")
    if not base.passages.exists():
        base = prepare(options.mtrag, base.folder, options.passages, list(all_turns(options.mtrag)))
    if options.turns:
        selection = [asdict(turn) for turn in base.turns()[: options.turns]]
        (base.folder / "turns.json").write_text(json.dumps(selection), encoding="utf-8")
    turns = base.turns()
    with slow_model(turns, folder) as model:
        environment = {"PARLEY_LLM_BASE_URL": f"{model}/v1", "PARLEY_LLM_MODEL": "slow"}
        reset = partial(ask_stub, model, "reset")
        for processes, speculate in product(options.processes, (None, False)):
            observations = observe(base, folder / "data", turns, environment, processes, speculate, reset)
            name = f"parley, {processes} processes" + ("" if speculate is None else ", no speculation")
            keep(options.out / f"{name}.jsonl", turns, observations)
            yield parley_row(name, turns, observations, ask_stub(model, "stats"))
        if options.rivals_env:
            yield rival_row(base, options.rivals_env, model)


def keep(file: Path, turns: Sequence[Turn], observations: Sequence[Observation]) -> None:
    """What was seen of each turn, a line each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pairs = zip(turns, observations, strict=True)
    lines = [json.dumps({"question": turn.question, **asdict(observation)}) for turn, observation in pairs]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Measure and print."""
    options = arguments()
    rows = []
    with tempfile.TemporaryDirectory(prefix="parley-model-") as folder:
        for row in run(options, options.base or Path(folder)):
            sys.stderr.write(" | ".join(row) + "\n")
            rows.append(row)
    report("One caller, a model that takes its time", rows, COLUMNS, width=160)
    return 0


if __name__ == "__main__":
    sys.exit(main())
