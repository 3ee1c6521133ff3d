"""The network computes what its weights say, and its weights survive being written."""

from pathlib import Path

import numpy as np
import pytest

from services.decompose.wording.calibration import TERMS, TURN_TERMS, terms, turn_terms
from services.decompose.wording.inputs import AGES, FEATURES, PLACES, TURN_WORDS, read_inputs
from services.decompose.wording.tagger import CALIBRATION, Tagger, read_weights, write_weights
from tests.unit.decompose.wording.messages import message

WIDTH, STATES = 8, 6
Weights = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"]


def network(seed: int) -> Weights:
    chance = np.random.default_rng(seed)
    matrices = {"proj": (WIDTH, 2 * STATES), "feat": (WIDTH, FEATURES), "lin": (1, FEATURES)}
    matrices |= {"word": (1, WIDTH), "need": (1, WIDTH)}
    matrices |= {f"blocks.0.{part}": (WIDTH, WIDTH) for part in "qkvo"}
    matrices |= {"blocks.0.f.0": (2 * WIDTH, WIDTH), "blocks.0.f.3": (WIDTH, 2 * WIDTH)}
    tables = {"kind": 3, "age": 2 * AGES, "pos": PLACES, "tpos": TURN_WORDS}
    weights: Weights = {"layers": np.array(1, np.float32), "cls": np.zeros(WIDTH, np.float32)}
    weights |= {"mean": np.zeros(FEATURES, np.float32), "deviation": np.ones(FEATURES, np.float32)}
    for name, (rows, columns) in matrices.items():
        weights[f"{name}.weight"] = chance.normal(0, 0.5, (rows, columns)).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(rows, np.float32)
    for name, rows in tables.items():
        weights[f"{name}.weight"] = chance.normal(0, 0.5, (rows, WIDTH)).astype(np.float32)
    for name in ("blocks.0.n1", "blocks.0.n2", "fin"):
        weights |= {f"{name}.weight": np.ones(WIDTH, np.float32), f"{name}.bias": np.zeros(WIDTH, np.float32)}
    return weights


def unchanged() -> Weights:
    """A calibration that leaves scores as they are."""
    weight, turn_weight = np.zeros(TERMS, np.float32), np.zeros((2, TURN_TERMS), np.float32)
    weight[0] = turn_weight[0, 0] = 1
    thresholds = np.array([[0.5, 0.25, 0.75], [0.25, 0.125, 0.75]], np.float32)
    turn_bias = np.array([0, -2], np.float32)
    bias = np.array(0, np.float32)
    return {
        "weight": weight,
        "bias": bias,
        "turn_weight": turn_weight,
        "turn_bias": turn_bias,
        "thresholds": thresholds,
    }


HISTORY = [
    message("What is throat cancer?", width=WIDTH),
    message("A tumour of the throat.", is_users=False, width=WIDTH),
]
INPUTS = read_inputs(message("Is it treatable?", width=WIDTH), HISTORY)


def test_each_stem_has_a_probability() -> None:
    needed = Tagger({"0": network(1), CALIBRATION: unchanged()})(INPUTS)
    assert set(needed.probabilities) == {"throat", "cancer", "tumour"}
    assert all(0 < probability < 1 for probability in needed.probabilities.values())


def test_networks_are_averaged() -> None:
    alone = [Tagger({"0": network(seed), CALIBRATION: unchanged()})(INPUTS) for seed in (1, 2)]
    inputs = read_inputs(
        message("Is it treatable?", width=2 * WIDTH),
        [message(m.text, is_users=m.is_users, width=2 * WIDTH) for m in HISTORY],
    )
    both = Tagger({"0": network(1), "1": network(2), CALIBRATION: unchanged()})(inputs)
    odds = [[np.log(p / (1 - p)) for p in (n.probabilities["cancer"], n.need)] for n in (*alone, both)]
    assert odds[2] == pytest.approx(np.mean(odds[:2], axis=0), abs=1e-4)


def test_nothing_is_needed_where_there_is_nothing() -> None:
    needed = Tagger({"0": network(1), CALIBRATION: unchanged()})(read_inputs(message("Why?", width=WIDTH), []))
    assert (needed.probabilities, needed.need, needed.other_topic) == ({}, 0, 0)
    assert not needed.leaves_topic


def test_a_turn_without_words_has_its_needs_told_as_any_other() -> None:
    needed = Tagger({"0": network(1), CALIBRATION: unchanged()})(read_inputs(message("…?", width=WIDTH), HISTORY))
    assert set(needed.probabilities) == {"throat", "cancer", "tumour"}


def test_thresholds_are_those_of_histories_with_or_without_answers() -> None:
    tagger = Tagger({"0": network(1), CALIBRATION: unchanged()})
    without = tagger(read_inputs(message("Is it treatable?", width=WIDTH), HISTORY[:1]))
    assert (without.thresholds.need, without.thresholds.word) == (0.5, 0.25)
    assert (tagger(INPUTS).thresholds.need, tagger(INPUTS).thresholds.word) == (0.25, 0.125)


def test_another_topic_is_told_by_its_threshold() -> None:
    likely = unchanged() | {"turn_bias": np.array([0, 2], np.float32)}
    assert Tagger({"0": network(1), CALIBRATION: likely})(INPUTS).other_topic == pytest.approx(0.881, abs=0.001)
    assert Tagger({"0": network(1), CALIBRATION: likely})(INPUTS).leaves_topic
    assert not Tagger({"0": network(1), CALIBRATION: unchanged()})(INPUTS).leaves_topic


def test_states_are_projected_by_word_whatever_their_scale() -> None:
    tagger = Tagger({"0": network(1), CALIBRATION: unchanged()})
    states = np.random.default_rng(3).normal(size=(4, 2, STATES)).astype(np.float32)
    assert tagger.project(states).shape == (4, WIDTH)
    assert tagger.project(states[:0]).shape == (0, WIDTH)
    assert np.allclose(tagger.project(states), tagger.project(states * 7 + 2), atol=1e-3)


def test_weights_are_read_as_written_but_for_rounding(tmp_path: Path) -> None:
    weights = network(1)
    weights["large"] = np.random.default_rng(4).normal(size=(60, 50)).astype(np.float32)
    write_weights(tmp_path / "weights.npz", {"0": weights, CALIBRATION: unchanged()})
    read = read_weights(tmp_path / "weights.npz")
    assert read.keys() == {"0", CALIBRATION}
    assert all(np.allclose(read["0"][name], array, atol=0.02) for name, array in weights.items())


def test_calibration_sees_rank_and_the_kind_of_turn() -> None:
    scores = np.array([1, -1, 0], np.float32)
    rows = terms(INPUTS, scores, 0.5)
    assert rows.shape == (3, TERMS)
    assert rows[:, 2].tolist() == [0, 2, 1]
    assert rows[:, 1].tolist() == [0, -2, -1]
    assert rows[0, 6] == 1  # there is an answer


def test_the_turn_is_judged_by_what_it_says_itself() -> None:
    inputs = read_inputs(message("Does throat pain help?", width=WIDTH), HISTORY)
    of_turn = turn_terms(inputs, np.array([0, 1], np.float32), 0.5)
    assert of_turn.shape == (TURN_TERMS,)
    assert of_turn[:2].tolist() == [0.5, 1]
    assert of_turn[2] == pytest.approx(np.log(1 / (0.5 * 0.269) - 1), abs=0.01)  # any: 1 - (1 - p) (1 - q)
    assert of_turn[-3:].tolist() == pytest.approx([1, 1 / 3, 2])  # said, share of said, new
