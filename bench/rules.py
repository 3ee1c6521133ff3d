"""What each file of a language's rules gives: `python -m bench.rules DOCS MTRAG [--file NAME ...] [--out FILE]`.

A suite over the last commit's code ingests the corpora of DOCS (`parley eval docs`) and the passages of MTRAG
(`parley eval turns`) once. Then, file by file, it is asked everything again with that file of
`libs/language/data/en` emptied, over a copy of the data: a language may lack any file, so the rules that read it
do nothing. The labelled sets of `bench.quality` are measured as well. A line per file says what was lost without it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.suite import environment_of, running_suite, tree_of
from cli.output import tell_table
from evaluation.documents.questions import read_questions
from evaluation.documents.runs import read_question_runs
from evaluation.documents.scoring import score_question
from evaluation.runs import read_runs
from evaluation.scoring import decision_rows, retrieval_rows
from evaluation.tasks import read_tasks
from libs.language.known import ENGLISH

WORDS = Path("libs/language/data") / ENGLISH
KEPT = frozenset({"language.toml"})
"""Emptied, the language would have no stop words or stems at all: the lists that every rule stands on."""
LABELLED_COMMAND = (
    "import json; from bench.quality import figures;"
    " print(json.dumps({f'{figure.set}: {figure.name}': figure.count for figure in figures()}))"
)


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What one suite made of everything."""

    ndcg: float
    """nDCG@10 over the judged turns of MTRAG."""
    counts: dict[str, int]
    """Cases by set and figure, of all sets."""

    def lost(self, other: "RuleFigures") -> dict[str, int]:
        """Figures of another that differ from this one's, with the difference."""
        names = sorted(self.counts.keys() | other.counts.keys())
        changes = {name: other.counts.get(name, 0) - self.counts.get(name, 0) for name in names}
        return {name: change for name, change in changes.items() if change}


@dataclass(frozen=True, slots=True)
class Material:
    """The folders of the public sets."""

    docs: Path
    mtrag: Path

    def measure(self, tree: Path, data: Path, out: Path) -> RuleFigures:
        """Ask a suite over the code of `tree` everything; the runs are written to the new folder `out`."""
        out.mkdir()
        docs_run, turns_run = out / "docs.jsonl", out / "turns.jsonl"
        with running_suite(data, tree=tree) as suite:
            suite.parley("eval", "docs", str(self.docs), "--out", str(docs_run))
            folders = ("--passages", str(self.mtrag), "--tasks", str(self.mtrag))
            suite.parley("eval", "turns", *folders, "--out", str(turns_run))
        ndcg, decisions = self._turns(turns_run)
        return RuleFigures(ndcg, {**self._questions(docs_run), **decisions, **_labelled(tree)})

    def _questions(self, file: Path) -> dict[str, int]:
        runs = read_question_runs(file)
        scores = [score_question(question, runs.get(question.id)) for question in read_questions(self.docs, [])]
        return {
            f"docs: {name}": sum(getattr(score, name) or 0 for score in scores) for name in ("full", "hits", "held")
        }

    def _turns(self, file: Path) -> tuple[float, dict[str, int]]:
        tasks, runs = read_tasks(self.mtrag, ""), read_runs(file)
        counts = {
            f"mtrag {row.answerability}: {name}": getattr(row, name)
            for row in decision_rows(tasks, runs)
            for name in ("asked_back", "rejected", "abstained")
        }
        return retrieval_rows(tasks, runs)[-1].quality.ndcg[-1], counts


def _labelled(tree: Path) -> dict[str, int]:
    command = (sys.executable, "-c", LABELLED_COMMAND)
    output = subprocess.run(command, cwd=tree, env=environment_of(tree), check=True, stdout=subprocess.PIPE).stdout
    counts: dict[str, int] = json.loads(output.splitlines()[-1])
    return counts


def measure_files(material: Material, names: Sequence[str], work: Path) -> Iterator[tuple[str, RuleFigures]]:
    """Yield the figures with every file, named "", then without each."""
    with tree_of("HEAD") as tree:
        yield "", material.measure(tree, work / "data", work / "all")
        for name in names or sorted(file.name for file in (tree / WORDS).iterdir() if file.is_file()):
            if name not in KEPT:
                yield name, _without(tree, name, material, work)


def _without(tree: Path, name: str, material: Material, work: Path) -> RuleFigures:
    file, data = tree / WORDS / name, work / f"data-{name}"
    content = file.read_bytes()
    file.write_bytes(b"")
    shutil.copytree(work / "data", data)
    try:
        return material.measure(tree, data, work / name)
    finally:
        file.write_bytes(content)
        shutil.rmtree(data)


def main() -> int:
    """Measure and print; `--out` gets a line of JSON per file as soon as it is measured."""
    parser = argparse.ArgumentParser(description="What each file of a language's rules gives.")
    parser.add_argument("docs", type=Path)
    parser.add_argument("mtrag", type=Path)
    parser.add_argument("--file", action="append", default=[], help="only this one; repeat it for several")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    material = Material(arguments.docs.resolve(), arguments.mtrag.resolve())
    rows: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory(prefix="parley-rules-") as folder:
        measurements = measure_files(material, arguments.file, Path(folder))
        whole = next(measurements)[1]
        for name, figures in measurements:
            line = {"file": name, "ndcg": figures.ndcg - whole.ndcg, **whole.lost(figures)}
            rows.append(
                (name, f"{line['ndcg']:+.4f}", ", ".join(f"{key} {n:+d}" for key, n in whole.lost(figures).items()))
            )
            if arguments.out:
                with arguments.out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(line) + "\n")
    tell_table(("without", "nDCG@10", "cases"), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
