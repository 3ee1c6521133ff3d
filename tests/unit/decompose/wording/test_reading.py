"""Words get the mean state of their tokens."""

import numpy as np
import pytest

from libs.inference.tokens import Tokens
from services.decompose.wording.reading import RAREST, read_message
from services.decompose.wording.words import split_words


def test_words_have_stems_and_names_have_capitals_within_a_sentence() -> None:
    words = split_words("Who is Ada's friend? Nobody knows Charles.")
    assert [word.lower for word in words if word.is_name] == ["ada's", "charles"]
    assert [word.stem for word in words][:4] == ["", "", "ada", "friend"]


def test_a_word_is_the_mean_of_its_pieces() -> None:
    states = np.arange(5, dtype=np.float32).reshape(5, 1, 1)
    tokens = Tokens([101, 500, 30000, 900, 102], [(0, 0), (0, 3), (3, 7), (8, 13), (0, 0)], states)
    message = read_message("Voyager flies", True, tokens, lambda x: x[:, 0])
    assert message.vectors.tolist() == [[1.5], [3.0]]
    assert message.pieces.tolist() == [2, 1]
    assert message.rarity.tolist() == pytest.approx([np.log(30001), np.log(901)], abs=1e-4)
    assert message.rarity.max() <= RAREST


def test_words_past_the_models_limit_are_left_out() -> None:
    tokens = Tokens([101, 500, 102], [(0, 0), (0, 7), (0, 0)], np.zeros((3, 1, 2), np.float32))
    message = read_message("Voyager flies", False, tokens, lambda x: x[:, 0])
    assert [word.lower for word in message.words] == ["voyager"]
    assert not message.is_users


def test_a_text_without_words_has_none() -> None:
    tokens = Tokens([101, 29, 102], [(0, 0), (0, 1), (0, 0)], np.zeros((3, 2, 4), np.float32))
    message = read_message("?", True, tokens, lambda x: x.reshape(len(x), 8))
    assert message.words == ()
    assert message.vectors.shape == (0, 8)
