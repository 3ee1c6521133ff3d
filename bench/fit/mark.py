"""Fit which quoted unit is marked as the answer: `python -m bench.fit mark QUESTIONS... [--data FOLDER]`.

QUESTIONS and FOLDER are those of `bench.fit rank`. Each question is asked in its conversation and alone, and its answer
quoted. Answers count of which somebody who saw no code has judged every unit (`bench/data/bold`): facts are stricter
than a reader. Prints weights for `marking.json`, and what each threshold gives on corpora that the weights were not
fitted on.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, product
from pathlib import Path
from typing import Final

import numpy as np

from bench.fit.conversations import AskedTurn, Documents
from bench.fit.rank import Sets, ingest, run_fit
from bench.fit.softmax import Floats
from bench.suite import ROOT
from cli.view.output import tell_table
from evaluation.documents.questions import conversations
from libs.contracts.evidence import Reference
from libs.contracts.options import Length
from services.answer.answer_language import question_language
from services.answer.quoting.doubt import doubt_of
from services.answer.quoting.marking import FEATURES, features
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.unit_selection import PASSAGES, WORDS, choose_units, score_units
from services.answer.quoting.units import Unit, read_units
from services.retrieve.search.follow_ups import FittedOrder

L2: Final = 5.0
"""Penalty of the weights, times their features' deviations (1 to 20: the same)."""
THRESHOLDS: Final = (0.6, 0.65, 0.68, 0.7)
ALONE, FOLLOWING = "alone", "in conversations"
JUDGED: Final = ROOT / "bench" / "data" / "bold" / "judged.jsonl"
"""By question, the digests of the units that were judged, and of those among them that answer."""
_WORD: Final = re.compile(r"[^\W_]+")

Known = Mapping[str, bool]
"""Whether a unit answers, by its digest."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer's units; arrays are aligned."""

    corpus: str
    kind: str
    """How it was asked."""
    features: Floats
    """Shape (units, features)."""
    right: Floats
    """1 or 0."""


def read_judged() -> Mapping[str, Known]:
    """What was judged, by the id of its question."""
    lines = map(json.loads, JUDGED.read_text(encoding="utf-8").splitlines())
    return {each["id"]: {digest: digest in each["answering"] for digest in each["units"]} for each in lines}


async def quote_all(documents: Documents, sets: Sets) -> list[Quoted]:
    """Ask every conversation, and every question alone."""
    judged, order = read_judged(), FittedOrder.load()
    alone = [(replace(question, question=question.standalone, turn=1),) for question in sets.questions]
    groups = [*((ALONE, group) for group in alone), *((FOLLOWING, group) for group in conversations(sets.questions))]
    return [
        quoted
        for kind, group in groups
        async for turn in documents.ask(group, group[0].corpus, order)
        if not turn.shortened
        and turn.found
        and (quoted := _quoted(turn, kind, judged.get(turn.question.id, {}))) is not None
    ]


def _quoted(turn: AskedTurn, kind: str, known: Known) -> Quoted | None:
    question, evidence = turn.question, turn.result.evidence
    query = QuotingQuery(question.question, question_language(question.question, turn.found), turn.result.terms)
    passages = [read_units(Reference(number, each)) for number, each in enumerate(evidence[:PASSAGES], start=1)]
    scored_units = score_units(query, passages)
    doubt = doubt_of(query, evidence[0].scores, list(chain.from_iterable(passages)))
    candidates = features(query, scored_units, choose_units(scored_units, WORDS[Length.MEDIUM]), doubt)
    digests = [digest_of(unit) for unit, _ in candidates]
    if not digests or not known.keys() >= set(digests):
        return None
    rows = [[unit_features[name] for name in FEATURES] for _, unit_features in candidates]
    return Quoted(question.corpus, kind, np.array(rows), np.array([float(known[digest]) for digest in digests]))


def digest_of(unit: Unit) -> str:
    """A short digest of a unit's words."""
    return sha256(" ".join(_WORD.findall(unit.text.casefold())).encode()).hexdigest()[:12]


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


def left_out(quoted: Sequence[Quoted]) -> Iterator[tuple[Quoted, float, bool]]:
    """The probability of each answer's best unit, fitted without its corpus, and whether it is right."""
    for corpus in sorted({each.corpus for each in quoted}):
        weights = fit([each for each in quoted if each.corpus != corpus])
        for each in quoted:
            if each.corpus == corpus:
                logits = np.c_[each.features, np.ones(len(each.features))] @ weights
                yield each, float(1 / (1 + np.exp(-logits.max()))), bool(each.right[logits.argmax()])


def figures(quoted: Sequence[Quoted]) -> Iterator[tuple[str, ...]]:
    """At each threshold how many answers are marked, and rightly, of how many that have a right unit."""
    best = list(left_out(quoted))
    for at, kind in product(THRESHOLDS, (ALONE, FOLLOWING)):
        marked = [is_right for each, chance, is_right in best if each.kind == kind and chance >= at]
        possible = sum(each.right.any() for each, _, _ in best if each.kind == kind)
        yield f"{at}", kind, f"{len(marked)}", f"{sum(marked)}", f"{possible}"


async def fit_mark(files: Sequence[Path], data: Path) -> None:
    """Fit, and print weights and figures."""
    sets = Sets.read(files)
    ingest(sets, data)
    async with Documents.open(data) as documents:
        quoted = await quote_all(documents, sets)
    weights = zip((*FEATURES, "bias"), fit(quoted), strict=True)
    tell_table(("feature", "weight"), ((name, f"{weight:.3f}") for name, weight in weights))
    tell_table(("threshold", "answers", "marked", "right", "with a right unit"), figures(quoted))


def main(arguments: Sequence[str]) -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(prog="bench.fit mark", description="Fit which quoted unit is marked.")
    return run_fit(parser, arguments, lambda options, data: fit_mark(options.questions, data))
