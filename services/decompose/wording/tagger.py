"""A small transformer that says which words of the history a turn needs. Its weights are data: `bench.fit.wording`.

The words of the turn and of the history attend to each other, in layers; those of the history not to one another, since
the embedding model has read each message as a whole. A run takes about a millisecond of a core.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.calibration import calibrated
from services.decompose.wording.inputs import AGES, Inputs

Floats = NDArray[np.float32]
MODEL: Final = "all-MiniLM-L6-v2"
"""The embedding model whose words it takes."""
STATE_LAYERS: Final = (4, 6)
"""Layers of the embedding model whose states `Tagger.project` takes."""
CALIBRATION = "calibration"
"""The part of the weights that `calibrated` takes; the others are networks."""
_HEADS = 4
_LIMIT = 4
"""Of a standardised feature."""
_NOWHERE = -1e4


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities from which on something is done. Fitted by `bench.fit.wording`, with the weights."""

    need: float
    """Of the need of anything, below which nothing is taken."""
    word: float
    """Of a word, above which it is taken."""
    other_topic: float
    """Of another topic, above which nothing is taken."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What a turn needs of its history. Probabilities are calibrated."""

    probabilities: Mapping[str, float]
    """By stem."""
    need: float
    """Probability that it needs anything."""
    other_topic: float
    """Probability that it is about something else than the history."""
    thresholds: Thresholds
    """Those for a history with, or without, answers."""

    @property
    def leaves_topic(self) -> bool:
        """Whether it is about something else, so that the history should not be searched for."""
        return self.other_topic > self.thresholds.other_topic


def read_needed(inputs: Inputs, scores: Floats, need: float, calibration: Mapping[str, Floats]) -> Needed:
    """Of the networks' log-odds of each stem, and of the need of anything."""
    thresholds = Thresholds(*calibration["thresholds"][int((inputs.ages >= AGES).any())].tolist())
    if not inputs.stems:
        return Needed({}, 0.0, 0.0, thresholds)
    probabilities, of_need, of_other_topic = calibrated(inputs, scores, need, calibration)
    return Needed(dict(zip(inputs.stems, probabilities.tolist(), strict=True)), of_need, of_other_topic, thresholds)


class Tagger:
    """The mean of several networks' log-odds. Loaded once; without state, so that calls may be concurrent."""

    def __init__(self, weights: Mapping[str, Mapping[str, Floats]]) -> None:
        """`weights` as `read_weights` returns them."""
        self._networks = [_Network(arrays) for name, arrays in weights.items() if name != CALIBRATION]
        self._calibration = weights[CALIBRATION]

    def project(self, states: Floats) -> Floats:
        """The vectors of words for `Message`, of their states (words, layers, width): once per message."""
        return np.concatenate([network.project(states) for network in self._networks], axis=1)

    def __call__(self, inputs: Inputs) -> Needed:
        """Run the networks."""
        if not inputs.stems:
            return read_needed(inputs, np.zeros(0, np.float32), _NOWHERE, self._calibration)
        count = len(self._networks)
        turns, words = np.split(inputs.turn, count, axis=1), np.split(inputs.words, count, axis=1)
        outputs = [
            network.scores(replace(inputs, turn=turn, words=word))
            for network, turn, word in zip(self._networks, turns, words, strict=True)
        ]
        need = sum(need for _, need in outputs) / count
        scores = np.mean([scores for scores, _ in outputs], axis=0)
        return read_needed(inputs, scores, need, self._calibration)


class _Network:
    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self._layers = int(weights["layers"])

    def project(self, states: Floats) -> Floats:
        side_by_side = _normalized(states).reshape(len(states), states.shape[1] * states.shape[2])
        return self._linear("proj", side_by_side)

    def scores(self, inputs: Inputs) -> tuple[Floats, float]:
        """Log-odds of each stem, and of needing anything."""
        weights = self._weights
        features = np.clip((inputs.features - weights["mean"]) / weights["deviation"], -_LIMIT, _LIMIT)
        turn = inputs.turn + weights["kind.weight"][inputs.kinds] + weights["tpos.weight"][: len(inputs.turn)]
        turn = np.vstack([weights["cls"], turn])
        words = inputs.words + weights["age.weight"][inputs.ages] + weights["pos.weight"][inputs.places]
        words = words + self._linear("feat", features)[inputs.stem_of]
        for layer in range(self._layers):
            turn, words = self._layer(f"blocks.{layer}", turn, words)
        scores = np.full(len(inputs.stems), _NOWHERE, np.float32)
        np.maximum.at(scores, inputs.stem_of, self._linear("word", self._norm("fin", words))[:, 0])
        scores += self._linear("lin", features)[:, 0]
        return scores, float(self._linear("need", self._norm("fin", turn[:1]))[0, 0])

    def _layer(self, name: str, turn: Floats, words: Floats) -> tuple[Floats, Floats]:
        own, others = self._norm(f"{name}.n1", turn), self._norm(f"{name}.n1", words)
        turn = turn + self._attention(name, own, np.vstack([own, others]))
        words = words + self._attention(name, others, own)
        return turn + self._feed_forward(name, turn), words + self._feed_forward(name, words)

    def _attention(self, name: str, queries: Floats, keys: Floats) -> Floats:
        query, key, value = (
            self._by_head(f"{name}.{part}", x) for part, x in (("q", queries), ("k", keys), ("v", keys))
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        return self._linear(f"{name}.o", (shares @ value).transpose(1, 0, 2).reshape(len(queries), -1))

    def _by_head(self, name: str, x: Floats) -> Floats:
        return self._linear(name, x).reshape(len(x), _HEADS, -1).transpose(1, 0, 2)

    def _feed_forward(self, name: str, x: Floats) -> Floats:
        return self._linear(f"{name}.f.3", _gelu(self._linear(f"{name}.f.0", self._norm(f"{name}.n2", x))))

    def _norm(self, name: str, x: Floats) -> Floats:
        return _normalized(x) * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _linear(self, name: str, x: Floats) -> Floats:
        result: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result


def _normalized(x: Floats) -> Floats:
    centred = x - x.mean(-1, keepdims=True)
    result: Floats = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
    return result


def _gelu(x: Floats) -> Floats:
    result: Floats = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x)))
    return result


_SCALE = ".scale"
_MAX_CODE = 127
_SMALL = 2000
_EXACT = ("layers", "mean", "deviation", "weight", "bias", "turn_weight", "turn_bias", "thresholds")


def read_weights(path: Path) -> dict[str, dict[str, Floats]]:
    """The arrays of each network, and of the calibration, in a file that `write_weights` wrote, as float32."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name].astype(np.float32) for name in file.files}
    scales = {name: arrays.pop(name) for name in list(arrays) if name.endswith(_SCALE)}
    parts: dict[str, dict[str, Floats]] = {}
    for name, array in arrays.items():
        part, own_name = name.split(":")
        scale = scales.get(name + _SCALE)
        parts.setdefault(part, {})[own_name] = array if scale is None else array * scale[:, None]
    return parts


def write_weights(path: Path, parts: Mapping[str, Mapping[str, Floats]]) -> None:
    """Write weights: large matrices with eight bits a value and a scale per row, other arrays with sixteen or more."""
    content: dict[str, Any] = {}
    for part, arrays in parts.items():
        for own_name, array in arrays.items():
            name = f"{part}:{own_name}"
            if array.ndim == 2 and array.size > _SMALL:
                scales = np.maximum(np.abs(array).max(1), 1e-8) / _MAX_CODE
                content[name] = np.rint(array / scales[:, None]).astype(np.int8)
                content[name + _SCALE] = scales.astype(np.float32)
            else:
                content[name] = array.astype(np.float32 if own_name in _EXACT else np.float16)
    np.savez_compressed(path, **content)
