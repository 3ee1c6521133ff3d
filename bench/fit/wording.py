"""Fits the tagger of the stand-alone wording: `python -m bench.fit wording ROWS [--more FILES] [--out WEIGHTS]`.

ROWS are follow-ups that people rewrote (see `wording_rows.read_rows`), `--more` others, which count half and set no
thresholds but by the changes of topic made of them. Each conversation's wordings come from networks, calibration and
thresholds that were fitted to other conversations; they are judged by the words that had to be carried. `--out` then
fits to all. Needs torch, and about 20 minutes of a core for two networks.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bench.fit.wording_calibration import Scored, fit_calibration
from bench.fit.wording_judging import judged, judged_topics
from bench.fit.wording_network import LAYERS, Example, Network, fit
from bench.fit.wording_rows import OTHER_TOPIC, REWRITE, Row, folds, made_rows, read_rows
from bench.packaged_reader import GraphReader
from services.decompose.wording.choosing import choose
from services.decompose.wording.inputs import Inputs, read_inputs
from services.decompose.wording.reading import read_message
from services.decompose.wording.spans import stand_alone
from services.decompose.wording.tagger import CALIBRATION, Needed, write_weights
from services.decompose.wording.words import Message

Floats = NDArray[np.float32]
FOLDS = 5
WEIGHT_OF_MORE = 0.5
_CLIP = 4.0


class Reader:
    """Reads texts by the packaged embedding model, each once; vectors are indices into a table of states."""

    def __init__(self, reader: GraphReader) -> None:
        self._reader = reader
        self._rows: list[Floats] = []
        self._count = 0
        self._read: dict[str, Message] = {}

    def message(self, text: str, is_users: bool) -> Message:
        """The text with indices in place of vectors."""
        if text not in self._read:
            self._read[text] = read_message(text, is_users, self._reader.tokens(text), self._filed)
        return replace(self._read[text], is_users=is_users)

    def vector(self, text: str) -> Floats:
        """Of a text: the mean of its tokens, of length one."""
        mean: Floats = self._reader.tokens(text).states[:, -1].mean(0)
        return mean / np.linalg.norm(mean)

    def table(self) -> torch.Tensor:
        """The states of all words read, normalised by layer, side by side."""
        states = torch.from_numpy(np.concatenate(self._rows)).float()
        return torch.nn.functional.layer_norm(states, states.shape[-1:]).flatten(1)

    def _filed(self, states: Floats) -> Floats:
        self._rows.append(states)
        self._count += len(states)
        return np.arange(self._count - len(states), self._count, dtype=np.float32)[:, None]


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and deviation of the features of the rows fitted to."""

    mean: Floats
    deviation: Floats

    def applied(self, inputs: Inputs) -> Inputs:
        """With standardised features."""
        return replace(inputs, features=np.clip((inputs.features - self.mean) / self.deviation, -_CLIP, _CLIP))


def scale_of(inputs: Iterable[Inputs]) -> Scale:
    """That of all stems."""
    features = np.concatenate([i.features for i in inputs])
    return Scale(features.mean(0), features.std(0) + 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A row as it is read."""

    row: Row
    history: tuple[Message, ...]
    inputs: Inputs

    def example(self, scale: Scale) -> Example:
        """For fitting."""
        gold = self.row.gold
        wanted = torch.tensor([float(stem in gold) for stem in self.inputs.stems])
        return Example(scale.applied(self.inputs), wanted, bool(gold), self.row.weight)


def read_cases(reader: Reader, rows: Sequence[Row]) -> list[Case]:
    """Each row's turn and history, read."""
    histories = [tuple(reader.message(text, is_users) for is_users, text in row.history) for row in rows]
    return [
        Case(row, history, read_inputs(reader.message(row.turn, True), history))
        for row, history in zip(rows, histories, strict=True)
    ]


def score(networks: Sequence[tuple[Network, Scale]], states: torch.Tensor, case: Case) -> Scored:
    """By the mean of the networks' log-odds."""
    with torch.no_grad():
        outputs = [network(states, [scale.applied(case.inputs)]) for network, scale in networks]
    scores = torch.stack([of_stems[0] for of_stems, _ in outputs]).mean(0)[: len(case.inputs.stems)]
    need = sum(float(of_turn[0]) for _, of_turn in outputs) / len(outputs)
    return Scored(case.row, case.inputs, scores.numpy(), need)


def fitted(
    states: torch.Tensor, cases: Sequence[Case], made: Sequence[Case], seeds: Sequence[int]
) -> list[tuple[Network, Scale]]:
    """A network per seed."""
    scale = scale_of(case.inputs for case in cases)
    own, others = [case.example(scale) for case in cases], [case.example(scale) for case in made]
    return [(fit(states, own, others, seed), scale) for seed in seeds]


def left_out(
    states: torch.Tensor, cases: Sequence[Case], made: Sequence[Case], seeds: Sequence[int]
) -> tuple[list[Scored], list[Scored]]:
    """For each case, by networks that saw no text of its conversation but those that conversations share.

    Then the same for the made ones that need nothing.
    """
    fold = folds((case.row for case in cases), FOLDS, seed=7)
    whole = [case for case in made if case.row.kind in (REWRITE, OTHER_TOPIC)]
    scored: dict[Case, Scored] = {}
    for held in range(FOLDS):
        rest = [case for case in cases if fold[case.row.group] != held]
        allowed = [c for c in made if all(fold[group] != held for group in {c.row.group, *c.row.others})]
        networks = fitted(states, rest, allowed, [seed + 10 * held for seed in seeds])
        scored |= {c: score(networks, states, c) for c in (*cases, *whole) if fold[c.row.group] == held}
        sys.stderr.write(f"fold {held + 1} of {FOLDS}\n")
    return [scored[case] for case in cases], [scored[case] for case in whole]


def tagged(own: Sequence[Scored], made: Sequence[Scored]) -> tuple[list[Needed], list[Needed]]:
    """Both, calibrated on other conversations."""
    fold = folds((case.row for case in own), FOLDS, seed=7)
    by_fold = [
        fit_calibration(*([case for case in part if fold[case.row.group] != held] for part in (own, made)))
        for held in range(FOLDS)
    ]
    first, second = ([case.needed(by_fold[fold[case.row.group]]) for case in part] for part in (own, made))
    return first, second


def worded(case: Case, needed: Needed) -> str:
    """The stand-alone wording of a case."""
    return stand_alone(case.row.turn, case.history, choose(needed, case.history))


def weights_of(network: Network, scale: Scale) -> dict[str, Floats]:
    """By name, as `Tagger` takes them."""
    arrays = {name: value.numpy() for name, value in network.state_dict().items()}
    return arrays | {"layers": np.float32(LAYERS), "mean": scale.mean, "deviation": scale.deviation}


def report(cases: Sequence[Case], needs: Sequence[Needed]) -> None:
    """What is judged, of all, by whether the history has answers, and by source."""
    texts = [(case.row, worded(case, needed)) for case, needed in zip(cases, needs, strict=True)]
    main = [(row, text) for row, text in texts if row.weight == 1]
    parts = {"all": main, "more": [pair for pair in texts if pair[0].weight != 1]}
    parts["with answers"] = [pair for pair in main if pair[0].has_answers]
    parts["without"] = [pair for pair in main if not pair[0].has_answers]
    parts |= {source: [p for p in texts if p[0].source == source] for source in sorted({c.row.source for c in cases})}
    for name, part in parts.items():
        if part:
            sys.stdout.write(f"{name}: {judged(part)}\n")
    sys.stdout.write(f"own turns: {judged_topics(needs, texts)}\n")


def report_made(cases: Sequence[Case], needs: Sequence[Needed]) -> None:
    """What becomes of turns that need nothing."""
    for kind, weight in sorted({(case.row.kind, case.row.weight) for case in cases}):
        part = [p for p in zip(cases, needs, strict=True) if (p[0].row.kind, p[0].row.weight) == (kind, weight)]
        texts = [(case.row, worded(case, needed)) for case, needed in part]
        sys.stdout.write(f"{kind}, weight {weight:.2f}: {judged_topics([needed for _, needed in part], texts)}\n")


def main(arguments: Sequence[str]) -> int:
    """Fit and judge; see the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", type=Path)
    parser.add_argument("--more", type=Path, nargs="+", default=[], help="further rows, which count half")
    parser.add_argument("--graph", type=Path, required=True, help="the embedding model, as the suite converted it")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--networks", type=int, default=2, help="their log-odds are averaged")
    parser.add_argument("--seed", type=int, default=1, help="of the first network; the others have the next ones")
    parser.add_argument("--out", type=Path, help="file for the weights of networks fitted to all rows")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    reader, rows = Reader(GraphReader(options.graph, options.tokenizer.parent)), read_rows(options.rows)
    rows += [row for path in options.more for row in read_rows(path, WEIGHT_OF_MORE)]
    made = made_rows(rows, reader.vector, seed=5)
    cases, extra = read_cases(reader, rows), read_cases(reader, made)
    states, seeds = reader.table(), range(options.seed, options.seed + options.networks)
    own, whole = left_out(states, cases, extra, seeds)
    of_own, of_whole = tagged(own, whole)
    report(cases, of_own)
    report_made([case for case in extra if case.row.kind in (REWRITE, OTHER_TOPIC)], of_whole)
    if options.out:
        networks = fitted(states, cases, extra, seeds)
        parts = {str(place): weights_of(network, scale) for place, (network, scale) in enumerate(networks)}
        write_weights(options.out, parts | {CALIBRATION: fit_calibration(own, whole)})
    return 0
