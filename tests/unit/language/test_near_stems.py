"""Stems near in meaning to those of a question: what the table gives, and for which words."""

import numpy as np

from bench.fit.near import rows, stems_by_word
from libs.language.near_stems import near_stems


def test_a_word_has_the_stems_that_are_near_to_its_own() -> None:
    assert "email" in near_stems("may I mail it", "en")["mail"]


def test_a_name_has_none_because_another_name_is_another_thing() -> None:
    assert near_stems("Oslo", "en") == {}


def test_a_language_without_a_table_has_none() -> None:
    assert near_stems("schreib eine mail", "de") == {}


def test_the_vocabulary_of_the_table_is_whole_words_that_are_searched() -> None:
    assert stems_by_word(["mail", "mails", "##ing", "the", "a1", "[CLS]"], "en") == {"mail": "mail", "mails": "mail"}


def test_a_row_lists_other_stems_by_their_nearest_words() -> None:
    angles = np.radians([0.0, 1.0, 20.0, 30.0, 90.0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    table = dict(rows(["mail", "mail", "letter", "email", "cow"], vectors))
    assert table == {"mail": ["letter", "email"], "letter": ["email", "mail"], "email": ["letter", "mail"]}
