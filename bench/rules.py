"""What each family of English rules gives: `python -m bench.rules DOCS MTRAG TIMESET [--family NAME ...] [...]`.

The families are in `bench/data/rule_families.toml`. A suite over the last commit's code is filled once. Then, family
by family, the suite is started over the same documents with the family's files of `libs/language/data/en` emptied, and
asked all sets (`bench.rule_figures`): a language may lack any file, so the rules that read it do nothing. A line per
family says what was lost without it, and how many outputs of the public sets changed at all.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bench.labelled import DATA, read_toml
from bench.rule_figures import RuleFigures
from bench.samples import ingest
from bench.suite import RunningSuite, environment_of, running_suite, tree_of
from cli.view.output import tell_table
from evaluation.articles import read_articles
from evaluation.corpora import ensure_collections
from evaluation.documents.asking import PREFIX
from evaluation.documents.questions import CORPORA, read_questions
from evaluation.tasks import read_tasks
from evaluation.timelines import COLLECTION, run_timelines
from libs.language.known import ENGLISH

WORDS = Path("libs/language/data") / ENGLISH
KEPT = frozenset({"language.toml", "time_words.toml", "domains/maternal_health.toml"})
"""Files of no family: what every rule or every date stands on, and an example that is not read by default."""
EMPTY_DOMAIN = b"""
name = "general"
connectives = []
case_connective = ""
facets = []
rule_subjects = []
classes = []
described = []
more_verbs = []
relations = []
unique_roles = []
adjectives = {}
comparing = {}
timeline = {phases = []}
rewriting = {matter = "", language = "English", synonyms = {}, focus = []}
"""
"""A domain has to have all its lists."""
CORPUS = "corpus.db"
PROCESSES = 2  # taste
ALL_RULES = ""


def families() -> dict[str, tuple[str, ...]]:
    """The files of each family, relative to the language's folder."""
    table = read_toml(DATA / "rule_families.toml")
    return {name: tuple(family["files"]) for name, family in table.items()}


@dataclass(frozen=True, slots=True)
class Material:
    """The folders of the public sets."""

    docs: Path
    mtrag: Path
    timeset: Path
    every: int
    """Every n-th conversation of MTRAG is asked."""

    def fill(self, suite: RunningSuite) -> None:
        """Ingest the samples and everything that is asked about; the articles are put by asking for their timelines."""
        ingest(suite)
        for corpus in dict.fromkeys(question.corpus for question in read_questions(self.docs, ())):
            suite.parley("ingest", str(self.docs / CORPORA / corpus), "--collection", f"{PREFIX}{corpus}")
        with grpc.insecure_channel(suite.address) as channel:
            ensure_collections(channel, dict.fromkeys(task.domain for task in read_tasks(self.mtrag)), self.mtrag)
            for path in self.timeset.glob("*.jsonl"):
                deque(run_timelines(channel, read_articles(path), COLLECTION), maxlen=0)

    def measure(self, tree: Path, data: Path) -> RuleFigures:
        """Ask a suite over the code of `tree` everything."""
        for file in data.glob("sessions.db*"):
            file.unlink()
        with running_suite(data, tree=tree, processes=PROCESSES) as suite:
            arguments = (suite.address, str(self.docs), str(self.mtrag), str(self.timeset), "--every", str(self.every))
            command = (sys.executable, "-m", "bench.rule_figures", *arguments)
            output = subprocess.run(
                command, cwd=tree, env=environment_of(tree), check=True, stdout=subprocess.PIPE
            ).stdout
        return RuleFigures(**json.loads(output.splitlines()[-1]))


def measure_without(
    material: Material, emptied: Mapping[str, Sequence[str]], data: Path
) -> Iterator[tuple[str, RuleFigures]]:
    """Yield the figures with all rules, named "", then those without each of the named groups of files."""
    with tree_of("HEAD") as tree:
        if not (data / CORPUS).exists():
            with running_suite(data, tree=tree, processes=PROCESSES) as suite:
                material.fill(suite)
        yield ALL_RULES, material.measure(tree, data)
        for name, files in emptied.items():
            with _emptied(tree / WORDS / file for file in files):
                yield name, material.measure(tree, data)


@contextmanager
def _emptied(files: Iterable[Path]) -> Iterator[None]:
    """These files without content, for a while.

    Raises:
        OSError: there is no such file.
    """
    contents = {file: file.read_bytes() for file in files}
    try:
        for file in contents:
            file.write_bytes(EMPTY_DOMAIN if file.parent.name == "domains" else b"")
        yield
    finally:
        for file, content in contents.items():
            file.write_bytes(content)


@dataclass(frozen=True, slots=True)
class Loss:
    """What changes without some rules."""

    ndcg: float
    counts: dict[str, int]
    """Figures that differ, with the difference."""
    outputs: dict[str, int]
    """Outputs that differ, by set."""

    @classmethod
    def between(cls, whole: RuleFigures, without: RuleFigures) -> "Loss":
        """The difference of the second to the first."""
        names = sorted(whole.counts.keys() | without.counts.keys())
        changes = {name: without.counts.get(name, 0) - whole.counts.get(name, 0) for name in names}
        outputs: dict[str, int] = {}
        for key, digest in whole.outputs.items():
            name = key.partition(":")[0]
            outputs[name] = outputs.get(name, 0) + (without.outputs.get(key) != digest)
        return cls(without.ndcg - whole.ndcg, {name: n for name, n in changes.items() if n}, outputs)

    def row(self, name: str) -> tuple[str, ...]:
        """A line of the table."""
        outputs = ", ".join(f"{count} {key}" for key, count in self.outputs.items() if count)
        return name, f"{self.ndcg:+.4f}", ", ".join(f"{key} {n:+d}" for key, n in self.counts.items()), outputs


def groups(family_names: Sequence[str], files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The files to empty, by a name: the families asked for and single files; all families if neither is given."""
    known = families()
    chosen = known if not family_names and not files else {name: known[name] for name in family_names}
    return {**chosen, **{file: (file,) for file in files}}


def main() -> int:
    """Measure and print; `--out` gets a line of JSON per family as soon as it is measured."""
    parser = argparse.ArgumentParser(description="What each family of English rules gives.")
    for name in ("docs", "mtrag", "timeset"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--family", action="append", default=[], help="only this one; repeat it for several")
    parser.add_argument("--file", action="append", default=[], help="a single file; repeat it for several")
    parser.add_argument("--every", type=int, default=1, help="ask every n-th conversation of MTRAG only")
    parser.add_argument("--data", type=Path, help="a folder for the suite's data, kept for the next time")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    docs, mtrag, timeset = (folder.resolve() for folder in (arguments.docs, arguments.mtrag, arguments.timeset))
    material = Material(docs, mtrag, timeset, arguments.every)
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory(prefix="parley-rules-") as folder:
        data = (arguments.data or Path(folder) / "data").resolve()
        measurements = measure_without(material, groups(arguments.family, arguments.file), data)
        whole = next(measurements)[1]
        _note(arguments.out, {"with": "all", "ndcg": whole.ndcg, "counts": whole.counts})
        for name, figures in measurements:
            loss = Loss.between(whole, figures)
            rows.append(loss.row(name))
            _note(arguments.out, {"without": name, "ndcg": loss.ndcg, "counts": loss.counts, "outputs": loss.outputs})
    tell_table(("without", "nDCG@10", "cases", "other outputs"), rows)
    return 0


def _note(path: Path | None, line: Mapping[str, object]) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main())
