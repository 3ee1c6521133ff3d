"""Whether two commits give the same answers: `python -m bench.commit_comparison REVISION [--sets samples,docsqa]`.

A suite of REVISION and one of the working tree ingest the same documents and are asked the same questions, by rules,
at one fixed moment; every event of every turn is compared but for times, ids, usage and progress. Prints a line a set,
then the fields that differ, and ends with 1 if any does.

`--turns N` asks about N turns of each set. Sets whose data are not in `--data` are passed over, which is said.
What REVISION answers is kept in `--cache` (build/comparison) under its commit and asked only once; name the cache of
another checkout to share it, also read-only. What the working tree answers stands in `now/` below build/comparison.
Speed, memory and start-up by two commits: `python -m bench.commit_speed REVISION`.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import samples
from bench.comparison import asker
from bench.comparison.events import comparable, differences
from bench.comparison.sets import SETS, QuestionSet, question_sets
from bench.suite import ROOT, RunningSuite, environment_of, running_suite, tree_of

CACHE = ROOT / "build" / "comparison"
DATA = ROOT.parent / "shared" / "data"
SHOWN = 20
"""Differing turns of a set that are printed, and a tenth of a value's characters (taste; also five fields a turn)."""
_INDEX = re.compile(r"\[\d+\]")
Answers = Mapping[str, Mapping[str, Any]]
"""The asker's lines by turn."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of a set."""

    name: str
    turns: int
    different: Mapping[str, Sequence[tuple[str, Any, Any]]]
    """Places with both values, by turn and its question."""


def commit_of(revision: str) -> str:
    """The commit's name in full.

    Raises:
        subprocess.CalledProcessError: there is no such revision.
    """
    command = ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def answer(tree: Path, sets: Sequence[QuestionSet], out: Path, processes: int) -> None:
    """Ask a suite of a checkout all sets; a file a set appears in `out` once all its turns are asked."""
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="parley-comparison-") as folder,
        running_suite(Path(folder) / "data", processes=processes, tree=tree) as suite,
    ):
        ingested = set[Sequence[str]]()
        for each in sets:
            start = time.monotonic()
            for source in each.sources:
                if source not in ingested:
                    suite.parley("ingest", *source)
                    ingested.add(source)
            middle = time.monotonic()
            _ask(suite, tree, each, Path(folder), out)
            seconds = f"{middle - start:.0f} s, {len(each.turns)} turns in {time.monotonic() - middle:.0f} s"
            sys.stdout.write(f"{out.name[:12]} {each.name}: ingested in {seconds}\n")


def _ask(suite: RunningSuite, tree: Path, questions: QuestionSet, folder: Path, out: Path) -> None:
    """Ask a set by the contracts of the suite's own checkout."""
    asked, part = folder / f"{questions.name}.jsonl", out / f"{questions.name}.part"
    asked.write_text("".join(json.dumps(asdict(turn)) + "\n" for turn in questions.turns))
    command = [sys.executable, asker.__file__, suite.address, str(asked), str(part)]
    subprocess.run(command, check=True, cwd=tree, env=environment_of(tree))
    part.replace(out / f"{questions.name}.jsonl")


def read_answers(path: Path) -> Answers:
    """The lines of a file by turn; none if there is no file."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as file:
        return {line["turn"]: line for line in map(json.loads, file)}


def lacks(answers: Answers, questions: QuestionSet) -> bool:
    """Whether a set's questions are not all answered, as they are asked now."""
    return any(answers.get(turn.turn, {}).get("request") != turn.request for turn in questions.turns)


def compare(questions: QuestionSet, before: Answers, now: Answers) -> Comparison:
    """The turns of a set whose events differ."""
    different = {}
    for turn in questions.turns:
        earlier, later = (comparable(answers[turn.turn]["events"]) for answers in (before, now))
        if places := list(differences(earlier, later)):
            different[f"{turn.turn}: {turn.request['question']}"] = places
    return Comparison(questions.name, len(questions.turns), different)


def report(comparisons: Sequence[Comparison]) -> None:
    """The table, then how often each field differs and the first differing turns."""
    counts = [(each.name, each.turns, len(each.different)) for each in comparisons]
    rows = [(name, str(turns), str(turns - count), str(count)) for name, turns, count in counts]
    samples.report("Answers of both commits", rows, ("set", "turns", "identical", "different"))
    sys.stdout.writelines(f"{line}\n" for each in comparisons for line in _details(each))


def _details(comparison: Comparison) -> Iterator[str]:
    fields = Counter[str]()
    for places in comparison.different.values():
        fields.update({_INDEX.sub("", place) for place, _, _ in places})
    for field, count in fields.most_common():
        yield f"{comparison.name}: {field} differs in {count} turns"
    for turn, places in list(comparison.different.items())[:SHOWN]:
        yield f"{comparison.name} {turn}"
        for place, before, now in places[:5]:
            yield f"    {place}\n      - {_short(before)}\n      + {_short(now)}"


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[: 10 * SHOWN]


def main() -> int:
    """Ask what has to be asked, compare and print; 1 if anything differs."""
    parser = argparse.ArgumentParser(description="Whether two commits give the same answers.")
    parser.add_argument("revision", help="an earlier commit")
    parser.add_argument("--sets", default=",".join(SETS), help="of %(default)s")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of docsqa, mtrag and timeset")
    parser.add_argument("--turns", type=int, default=0, help="about so many of each set; 0 for all")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the answers of earlier commits are kept")
    parser.add_argument("--processes", type=int, default=2, help="of each suite (default 2)")
    arguments = parser.parse_args()
    commit = commit_of(arguments.revision)
    with tempfile.TemporaryDirectory(prefix="parley-questions-") as folder:
        sets = list[QuestionSet]()
        for each in question_sets(arguments.sets.split(","), arguments.data.resolve(), Path(folder)):
            if isinstance(each, str):
                sys.stdout.write(f"{each} is passed over: there is no {arguments.data / each}\n")
            else:
                sets.append(each.limited(arguments.turns))
        cache = arguments.cache / commit
        missing = [each for each in sets if lacks(read_answers(cache / f"{each.name}.jsonl"), each)]
        if missing:
            with tree_of(commit) as tree:
                answer(tree, missing, cache, arguments.processes)
        answer(ROOT, sets, CACHE / "now", arguments.processes)
    comparisons = [
        compare(each, read_answers(cache / f"{each.name}.jsonl"), read_answers(CACHE / "now" / f"{each.name}.jsonl"))
        for each in sets
    ]
    report(comparisons)
    return 1 if any(each.different for each in comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())
