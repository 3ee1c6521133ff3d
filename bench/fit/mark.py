"""Fit which quoted unit is marked as the answer: `python -m bench.fit mark QUESTIONS... [--labels FILE]`.

QUESTIONS, and `--data FOLDER`, are those of `bench.fit rank`. Each question is asked in its conversation and alone, and
its answer quoted. A unit is right if it holds the question's facts; of an answer in FILE (JSON lines: `question`,
`answer`, and `answers`, its words that answer), if it holds some of these. Prints weights for `marking.json`, and what
each threshold gives on corpora that the weights were not fitted on.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from bench.fit.conversations import AskedTurn, Documents
from bench.fit.rank import UNFITTED, Sets, ingest
from bench.fit.softmax import Floats
from cli.view.output import tell, tell_table
from evaluation.documents.questions import DocumentQuestion, conversations
from evaluation.documents.scoring import normal_form, share_of_facts
from libs.contracts.evidence import Reference
from libs.contracts.options import Length
from services.answer.answer_language import question_language
from services.answer.quoting.marking import FEATURES, features
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.unit_selection import PASSAGES, WORDS, choose_units, score_units
from services.answer.quoting.units import Unit, read_units

L2: Final = 5.0
"""Penalty of the weights, times their features' deviations (1 to 20: the same)."""
MANY: Final = 3
"""From this many facts on, a third of them is an answer (taste)."""
THRESHOLDS: Final = (0.5, 0.55, 0.6, 0.65, 0.7)

Labels = Mapping[str, tuple[str, Sequence[str]]]
"""The answer and its words that answer, by question."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer's units; arrays are aligned."""

    corpus: str
    features: Floats
    """Shape (units, features)."""
    right: Floats
    """1 or 0."""


async def quote_all(documents: Documents, sets: Sets, labels: Labels) -> list[Quoted]:
    """Ask every conversation, and every question alone."""
    alone = [(replace(question, question=question.standalone, turn=1),) for question in sets.questions]
    groups = [*map(tuple, conversations(sets.questions)), *alone]
    turns = [turn for group in groups async for turn in documents.ask(group, group[0].corpus, UNFITTED)]
    return [quoted for turn in turns if not turn.shortened for quoted in _quoted(turn, labels)]


def _quoted(turn: AskedTurn, labels: Labels) -> Iterator[Quoted]:
    language = question_language(turn.question.question, turn.found)
    query = QuotingQuery(turn.question.question, language, turn.result.terms)
    terms = frozenset(term.term for term in query.terms)
    references = [Reference(number, each) for number, each in enumerate(turn.result.evidence[:PASSAGES], start=1)]
    scored_units = score_units(query, [read_units(reference, terms) for reference in references])
    candidates = features(query, scored_units, choose_units(scored_units, WORDS[Length.MEDIUM]))
    if candidates:
        right = [float(is_right(unit, turn.question, labels)) for unit, _ in candidates]
        rows = [[unit_features[name] for name in FEATURES] for _, unit_features in candidates]
        yield Quoted(turn.question.corpus, np.array(rows), np.array(right))


def is_right(unit: Unit, question: DocumentQuestion, labels: Labels) -> bool:
    """Whether a unit answers."""
    text = normal_form(unit.text)
    answer, answers = labels.get(question.standalone, ("", ()))
    if text in normal_form(answer):
        return any(normal_form(words) in text for words in answers)
    share = share_of_facts(question, text) if question.answerable else 0.0
    return share >= (1 if len(question.facts) < MANY else 1 / MANY)


def fit(quoted: Sequence[Quoted]) -> Floats:
    """The weights, the bias last, by penalized logistic regression (Newton's method)."""
    rows = np.concatenate([each.features for each in quoted])
    right = np.concatenate([each.right for each in quoted])
    scale = rows.std(axis=0) + 1e-9
    table = np.c_[rows / scale, np.ones(len(rows))]
    penalty = np.diag([L2] * len(scale) + [0.0])
    weights = np.zeros(len(penalty))
    for _ in range(30):
        chance = 1 / (1 + np.exp(-table @ weights))
        curvature = (table * (chance * (1 - chance))[:, None]).T @ table + penalty
        weights -= np.linalg.solve(curvature, table.T @ (chance - right) + penalty @ weights)
    fitted: Floats = weights / np.r_[scale, 1.0]
    return fitted


def left_out(quoted: Sequence[Quoted]) -> Iterator[tuple[float, bool]]:
    """The probability of each answer's best unit, fitted without its corpus, and whether it is right."""
    for corpus in sorted({each.corpus for each in quoted}):
        weights = fit([each for each in quoted if each.corpus != corpus])
        for each in quoted:
            if each.corpus == corpus:
                logits = np.c_[each.features, np.ones(len(each.features))] @ weights
                yield float(1 / (1 + np.exp(-logits.max()))), bool(each.right[logits.argmax()])


async def fit_mark(files: Sequence[Path], data: Path, labels: Labels) -> None:
    """Fit, and print weights and figures."""
    sets = Sets.read(files)
    ingest(sets, data)
    async with Documents.open(data) as documents:
        quoted = await quote_all(documents, sets, labels)
    weights = zip((*FEATURES, "bias"), fit(quoted), strict=True)
    tell_table(("feature", "weight"), ((name, f"{weight:.3f}") for name, weight in weights))
    best, answerable = list(left_out(quoted)), sum(bool(each.right.any()) for each in quoted)
    rows = ((threshold, [right for chance, right in best if chance >= threshold]) for threshold in THRESHOLDS)
    figures = ((f"{at}", f"{len(each)}", f"{sum(each)}", f"{answerable}") for at, each in rows)
    tell_table(("threshold", "marked", "right", "answers with a right unit"), figures)


def main(arguments: Sequence[str]) -> int:
    """Fit and print; without the files of questions it says so and does nothing."""
    parser = argparse.ArgumentParser(prog="bench.fit mark", description="Fit which quoted unit is marked.")
    parser.add_argument("questions", type=Path, nargs="*")
    parser.add_argument("--labels", type=Path, help="answers with their words that answer")
    parser.add_argument("--data", type=Path, help="a suite's folder, kept for the next fit")
    options = parser.parse_args(arguments)
    missing = [str(file) for file in options.questions if not file.is_file()]
    if missing or not options.questions:
        tell(f"Skipped: there is no {', '.join(missing) or 'file of questions'}.")
        return 0
    lines = options.labels.read_text(encoding="utf-8").splitlines() if options.labels else ()
    labels = {each["question"]: (each["answer"], each["answers"]) for each in map(json.loads, lines)}
    with tempfile.TemporaryDirectory(prefix="parley-fit-") as folder:
        asyncio.run(fit_mark(options.questions, options.data or Path(folder) / "data", labels))
    return 0
