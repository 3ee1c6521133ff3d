"""A small transformer that says which words of the history a turn needs. Its weights are data: `bench.fit.wording`.

The words of the turn and of the history attend to each other, in layers; those of the history not to one another, since
the embedding model has read each message as a whole. A run takes about a millisecond of a core.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.calibration import probability, terms, turn_terms
from services.decompose.wording.inputs import AGES, Inputs

Floats = NDArray[np.float32]
MODEL: Final = "all-MiniLM-L6-v2"
"""The embedding model whose words it takes."""
STATE_LAYERS: Final = (4, 6)
"""Layers of the embedding model whose states `Tagger.project` takes."""
CALIBRATION = "calibration"
"""The part of the weights that `read_needed` takes; the others are networks."""
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
    odds = terms(inputs, scores, need) @ calibration["weight"] + calibration["bias"]
    of_turn = calibration["turn_weight"] @ turn_terms(inputs, odds, need) + calibration["turn_bias"]
    by_stem = dict(zip(inputs.stems, probability(odds).tolist(), strict=True))
    of_need, of_other_topic = probability(of_turn).tolist()
    return Needed(by_stem, of_need, of_other_topic, thresholds)


class Tagger:
    """The mean of several networks' log-odds. Loaded once; without state, so that calls may be concurrent."""

    def __init__(self, weights: Mapping[str, Mapping[str, Floats]]) -> None:
        """`weights` as `read_weights` returns them; the networks are of one shape."""
        self._networks = _Networks([arrays for name, arrays in weights.items() if name != CALIBRATION])
        self._calibration = weights[CALIBRATION]

    def project(self, states: Floats) -> Floats:
        """The vectors of words for `Message`, of their states (words, layers, width): once per message."""
        return self._networks.project(states)

    def __call__(self, inputs: Inputs) -> Needed:
        """Run the networks."""
        scores, needs = self._networks.scores(inputs)
        return read_needed(inputs, scores.mean(axis=0), float(needs.mean()), self._calibration)


class _Networks:
    """Runs all networks at once: arrays are small, and a call of numpy takes as long as some thousand products.

    The first axis of an array is that of the networks. The words of a conversation are rows: the turn's come first.
    """

    def __init__(self, networks: Sequence[Mapping[str, Floats]]) -> None:
        self._layers = int(networks[0]["layers"])
        self._weights = {name: np.array([_as_factor(name, each) for each in networks]) for name in networks[0]}

    def project(self, states: Floats) -> Floats:
        """A row per word, the networks' vectors side by side."""
        side_by_side = _normalized(states).reshape(len(states), states.shape[1] * states.shape[2])
        return np.concatenate(self._linear("proj", side_by_side), axis=1)

    def scores(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Log-odds of each stem, shape (networks, stems), and of needing anything, shape (networks, 1, 1)."""
        features = (inputs.features - self._weights["mean"]) / self._weights["deviation"]
        features = np.clip(features, -_LIMIT, _LIMIT)
        x, length = self._embedded(inputs, features), 1 + len(inputs.turn)
        for layer in range(self._layers):
            x = self._layer(f"blocks.{layer}", x, length)
        x = self._norm("fin", x)
        scores = np.full((len(x), len(inputs.stems)), _NOWHERE, np.float32)
        for of_stems, of_words in zip(scores, self._linear("word", x[:, length:])[..., 0], strict=True):
            np.maximum.at(of_stems, inputs.stem_of, of_words)
        return scores + self._linear("lin", features)[..., 0], self._linear("need", x[:, :1])

    def _embedded(self, inputs: Inputs, features: Floats) -> Floats:
        """The vectors of the whole turn, of its words and of the history's, with what is known of each."""
        weights = self._weights
        turn = weights["kind.weight"][:, inputs.kinds] + weights["tpos.weight"][:, : len(inputs.turn)]
        words = weights["age.weight"][:, inputs.ages] + weights["pos.weight"][:, inputs.places]
        words += self._linear("feat", features)[:, inputs.stem_of]
        return np.concatenate([weights["cls"], turn + self._apart(inputs.turn), words + self._apart(inputs.words)], 1)

    def _apart(self, vectors: Floats) -> Floats:
        """The vectors of each network, of those that stand side by side."""
        networks, _, width = self._weights["cls"].shape
        return vectors.reshape(len(vectors), networks, width).swapaxes(0, 1)

    def _layer(self, name: str, x: Floats, length: int) -> Floats:
        x = x + self._linear(f"{name}.o", self._attention(name, self._norm(f"{name}.n1", x), length))
        return x + self._linear(f"{name}.f.3", _gelu(self._linear(f"{name}.f.0", self._norm(f"{name}.n2", x))))

    def _attention(self, name: str, x: Floats, length: int) -> Floats:
        """The first `length` words attend to all, the others to these."""
        query, key, value = (
            self._linear(f"{name}.{part}", x).reshape(*x.shape[:2], _HEADS, -1).swapaxes(1, 2) for part in "qkv"
        )
        of_turn = _attended(query[..., :length, :], key, value)
        of_words = _attended(query[..., length:, :], key[..., :length, :], value[..., :length, :])
        return np.concatenate([of_turn, of_words], axis=2).swapaxes(1, 2).reshape(x.shape)

    def _norm(self, name: str, x: Floats) -> Floats:
        result: Floats = _normalized(x) * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result

    def _linear(self, name: str, x: Floats) -> Floats:
        result: Floats = x @ self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


def _as_factor(name: str, weights: Mapping[str, Floats]) -> Floats:
    """An array as rows of words are multiplied by it: a matrix of a linear layer transposed, a vector as a row."""
    is_linear = name.endswith(".weight") and name.replace(".weight", ".bias") in weights
    array = np.atleast_2d(weights[name])
    return array.T if is_linear and weights[name].ndim == 2 else array


def _attended(query: Floats, key: Floats, value: Floats) -> Floats:
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    result: Floats = shares / shares.sum(-1, keepdims=True) @ value
    return result


def _normalized(x: Floats) -> Floats:
    centred = x - np.add.reduce(x, -1, keepdims=True) / x.shape[-1]
    variance = np.einsum("...i,...i->...", centred, centred)[..., None] / x.shape[-1]
    result: Floats = centred / np.sqrt(variance + 1e-5)
    return result


def _gelu(x: Floats) -> Floats:
    result: Floats = x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))) / 2
    return result


_SCALE = ".scale"
_MAX_CODE = 127
_SMALL = 2000


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
    """Write weights: large matrices with eight bits a value and a scale per row."""
    content: dict[str, Any] = {}
    for part, arrays in parts.items():
        for own_name, array in arrays.items():
            name = f"{part}:{own_name}"
            if array.ndim == 2 and array.size > _SMALL:
                scales = np.maximum(np.abs(array).max(1), 1e-8) / _MAX_CODE
                content[name] = np.rint(array / scales[:, None]).astype(np.int8)
                content[name + _SCALE] = scales.astype(np.float32)
            else:
                content[name] = array.astype(np.float32)
    np.savez_compressed(path, **content)
