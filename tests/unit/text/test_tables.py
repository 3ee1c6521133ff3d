"""Rows of tables tell the names of their columns."""

from hypothesis import given
from hypothesis import strategies as st

from libs.text.sentences import split_sentences
from libs.text.tables import rows_in_words

ROWS = [["Mission", "Landed"], ["", ""], ["Phoenix", "25 May 2008"], ["Viking 1", "", "1976"]]


def test_each_row_names_its_columns() -> None:
    assert list(rows_in_words(ROWS)) == ["- Mission: Phoenix; Landed: 25 May 2008.", "- Mission: Viking 1; 1976."]


def test_one_row_is_told_as_it_is() -> None:
    assert list(rows_in_words([["Phoenix", "2008"]])) == ["- Phoenix; 2008."]


def test_each_row_is_a_sentence() -> None:
    assert len(split_sentences("\n".join(rows_in_words(ROWS)), language="en")) == 2


@given(st.lists(st.lists(st.text(max_size=8), max_size=4), max_size=6))
def test_every_cell_below_the_names_is_told(rows: list[list[str]]) -> None:
    text = "\n".join(rows_in_words(rows))
    below = [row for row in rows if any(cell.strip() for cell in row)][1:]
    assert all(" ".join(cell.split()) in text for row in below for cell in row)
