"""Fit the order of what follow-ups find: `python -m bench.fit rank QUESTIONS... [--data FOLDER] [--write]`.

QUESTIONS are files of questions over documents as `parley eval docs` takes them, with their corpora beside them or in a
folder `corpora` there. A suite ingests what FOLDER does not hold yet (by default a temporary folder). Then each
conversation is asked of the suite's own decomposer and retriever, follow-ups also without one of their two rarest words
(they count half): the context must make up for it. A passage is right if no other one of its pool has more of the
question's facts.

The weights correct the weighted search's score, and stay small unless many turns ask for more: of free weights half
went to the turn alone, and MTRAG's conversations lost .02 of nDCG@10. They are fitted in rounds, as each turn's order
is what the next one recalls. In the table each corpus is ordered by weights fitted on the others ("left out") and by
those fitted on all ("fitted"); `--write` stores the latter with the figures in `follow_ups.json`.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from bench.fit.conversations import AskedTurn, Documents
from bench.fit.softmax import Case, fit_corrections
from bench.suite import ROOT, running_suite
from cli.view.output import tell, tell_table
from evaluation.documents.questions import CORPORA, DocumentQuestion, conversations
from evaluation.documents.scoring import SHOWN, share_of_facts
from evaluation.files import read_lines, reader_of
from libs.contracts.evidence import Passage
from services.retrieve.search.follow_ups import FEATURES, WEIGHTS, FittedOrder

TEMPERATURE: Final = 8.0
"""Of the softmax over fused scores (6 to 12: the same)."""
L2: Final = 150.0
"""60 to 400: the same first three passages; 20 and less lose on MTRAG."""
ROUNDS: Final = 3
SHORTENED: Final = 0.5
"""The weight of a turn of which a word was left out (taste)."""
UNFITTED: Final = FittedOrder(np.zeros(len(FEATURES)))

Turns = Sequence[AskedTurn]
Orders = Mapping[str, FittedOrder]
"""The order that each corpus is asked with."""


@dataclass(frozen=True, slots=True)
class Sets:
    """Questions, and where the documents of each corpus are."""

    questions: tuple[DocumentQuestion, ...]
    folders: Mapping[str, Path]

    @classmethod
    def read(cls, files: Sequence[Path]) -> "Sets":
        """Read files of questions.

        Raises:
            CommandError: a file cannot be read, or a line is not a question.
        """
        read = [(file, question) for file in files for question in read_lines(file, _QUESTION, "a question")]
        return cls(tuple(question for _, question in read), {q.corpus: _folder(file, q.corpus) for file, q in read})


_QUESTION = reader_of(DocumentQuestion)


def _folder(file: Path, corpus: str) -> Path:
    beside, below = file.parent / corpus, file.parent / CORPORA / corpus
    return below if below.is_dir() else beside


def ingest(sets: Sets, data: Path) -> None:
    """Ingest the corpora that a suite's folder does not hold yet."""
    done = data / "fitted.txt"
    have = set(done.read_text(encoding="utf-8").split()) if done.exists() else set[str]()
    missing = sorted(sets.folders.keys() - have)
    if not missing:
        return
    with running_suite(data, processes=2) as suite:
        for corpus in missing:
            suite.parley("ingest", str(sets.folders[corpus].resolve()), "--collection", corpus)
            have.add(corpus)
    done.write_text("\n".join(sorted(have)), encoding="utf-8")


async def ask_all(documents: Documents, sets: Sets, orders: Orders) -> list[AskedTurn]:
    """Ask every conversation."""
    return [
        asked
        for turns in conversations(sets.questions)
        async for asked in documents.ask(turns, turns[0].corpus, orders[turns[0].corpus])
    ]


def fit(turns: Iterable[AskedTurn]) -> FittedOrder:
    """Fit weights on turns that were asked."""
    cases = [case for turn in turns if (case := _case(turn)) is not None]
    return FittedOrder(fit_corrections(cases, TEMPERATURE, L2))


def _case(turn: AskedTurn) -> Case | None:
    """The judged pool of a turn; None if it tells nothing."""
    if turn.pool is None or not turn.question.answerable or len(turn.pooled) != len(turn.pool.keys):
        return None
    facts = np.array([share_of_facts(turn.question, shown(passage)) for passage in turn.pooled])
    right = facts == facts.max()
    is_telling = facts.max() > 0 and not right.all()
    weight = SHORTENED if turn.shortened else 1.0
    return Case(turn.pool.features, turn.pool.scores, right, weight) if is_telling else None


def shown(passage: Passage) -> str:
    """A passage with its place, as it is shown."""
    return "\n".join((passage.title, *passage.headings, passage.text))


def left_out(turns: Turns, corpora: Iterable[str]) -> Orders:
    """The order fitted without each corpus."""
    return {corpus: fit(turn for turn in turns if turn.question.corpus != corpus) for corpus in corpora}


async def fit_rounds(documents: Documents, sets: Sets) -> tuple[FittedOrder, Mapping[str, Turns]]:
    """Fit on everything; return the order, and the turns as asked by each kind of order."""
    orders: Orders = dict.fromkeys(sets.folders, UNFITTED)
    turns = unfitted = await ask_all(documents, sets, orders)
    for _ in range(ROUNDS - 1):
        turns = await ask_all(documents, sets, left_out(turns, sets.folders))
    order = fit(turns)
    return order, {
        "unfitted": unfitted,
        "left out": await ask_all(documents, sets, left_out(turns, sets.folders)),
        "fitted": await ask_all(documents, sets, dict.fromkeys(sets.folders, order)),
    }


def first_three(turns: Turns, corpora: Iterable[str], is_shortened: bool) -> float:
    """The share of answerable turns whose first passages together hold every fact."""
    wanted = set(corpora)
    asked = [turn for turn in turns if turn.question.corpus in wanted and turn.shortened is is_shortened]
    hits = [
        share_of_facts(turn.question, "\n".join(map(shown, turn.found[:SHOWN]))) == 1
        for turn in asked
        if turn.question.answerable and turn.question.facts
    ]
    return sum(hits) / max(1, len(hits))


def table(runs: Mapping[str, Turns], files: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """First three passages by corpus and by file of questions, for each order, whole and shortened turns."""
    corpora = [corpus for group in files.values() for corpus in group]
    groups = {corpus: [corpus] for corpus in corpora} | {name: list(group) for name, group in files.items()}
    return {
        name: {
            f"{order}{', shortened' if is_shortened else ''}": round(first_three(turns, group, is_shortened), 3)
            for is_shortened in (False, True)
            for order, turns in runs.items()
        }
        for name, group in groups.items()
    }


async def fit_rank(files: Sequence[Path], data: Path, writes: bool) -> None:
    """Fit, print the figures, and store the weights if asked to."""
    sets = Sets.read(files)
    ingest(sets, data)
    async with Documents.open(data) as documents:
        order, runs = await fit_rounds(documents, sets)
    by_file = {file.stem: sorted({q.corpus for q in Sets.read([file]).questions}) for file in files}
    figures = table(runs, by_file)
    names = list(next(iter(figures.values())))
    tell_table(
        ("first three passages", *names),
        ((name, *(f"{row[column]:.3f}" for column in names)) for name, row in figures.items()),
    )
    weights = {name: round(float(weight), 4) for name, weight in zip(FEATURES, order.weights, strict=True)}
    tell_table(("feature", "weight"), ((name, f"{weight:.4f}") for name, weight in weights.items()))
    if writes:
        fitted = {
            "weights": weights,
            "fitted_by": "python -m bench.fit rank",
            "fitted_on": {name: ", ".join(group) for name, group in by_file.items()},
            "date": datetime.now(UTC).date().isoformat(),
            "first_three_passages": {name: figures[name] for name in by_file},
        }
        path = ROOT / "services" / "retrieve" / "search" / WEIGHTS
        path.write_text(f"{json.dumps(fitted, indent=2)}\n", encoding="utf-8")


def run_fit(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    fit_of: Callable[[argparse.Namespace, Path], Coroutine[None, None, None]],
) -> int:
    """Fit over files of questions and a suite's folder; without the files it says so and does nothing."""
    parser.add_argument("questions", type=Path, nargs="*")
    parser.add_argument("--data", type=Path, help="a suite's folder, kept for the next fit")
    options = parser.parse_args(arguments)
    missing = [str(file) for file in options.questions if not file.is_file()]
    if missing or not options.questions:
        tell(f"Skipped: there is no {', '.join(missing) or 'file of questions'}.")
        return 0
    with tempfile.TemporaryDirectory(prefix="parley-fit-") as folder:
        asyncio.run(fit_of(options, options.data or Path(folder) / "data"))
    return 0


def main(arguments: Sequence[str]) -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="bench.fit rank", description="Fit the order of what follow-ups find.")
    parser.add_argument("--write", action="store_true", help="store the weights in the package")
    return run_fit(parser, arguments, lambda options, data: fit_rank(options.questions, data, options.write))
