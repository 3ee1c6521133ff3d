"""Code between fences is read as a whole, everything else as sentences, however the text is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.writing.pieces import Kind, Piece, SentenceBegins, SentenceEnds, Sign
from services.answer.writing.text_reader import TextReader

TEXT = "Run this:\n\n```sh\npip install parley\nparley up\n```\n\nIt starts at once. `parley` stops with Ctrl-C."
CODE = "```sh\npip install parley\nparley up\n```"


def signs_of(*pieces: str) -> list[Sign]:
    reader = TextReader(language="en")
    return [sign for piece in pieces for sign in reader.read(piece)] + list(reader.finish())


def ends(signs: list[Sign]) -> list[tuple[str, bool]]:
    return [(sign.text, sign.kind is Kind.CODE) for sign in signs if isinstance(sign, SentenceEnds)]


EXPECTED = [
    ("Run this:", False), (CODE, True), ("It starts at once.", False), ("`parley` stops with Ctrl-C.", False),
]  # fmt: skip


def test_code_is_one_unit_between_sentences() -> None:
    assert ends(signs_of(TEXT)) == EXPECTED


@given(st.lists(st.integers(0, len(TEXT)), max_size=8))
def test_it_does_not_matter_how_the_text_is_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(TEXT)]
    assert ends(signs_of(*(TEXT[a:b] for a, b in pairwise(places)))) == EXPECTED


def test_what_was_shown_is_what_ends() -> None:
    output = "".join(sign.text for sign in signs_of(*TEXT) if isinstance(sign, Piece))
    assert CODE in output


@pytest.mark.parametrize("text", ["```\nparley up", "~~~\nparley up\n"])
def test_code_that_is_not_closed_ends_with_the_text(text: str) -> None:
    fence = text[:3]
    assert ends(signs_of(text)) == [(f"{fence}\nparley up\n{fence}", True)]


def test_backticks_within_a_line_are_no_fence() -> None:
    assert ends(signs_of("Use `parley up` to start.")) == [("Use `parley up` to start.", False)]


def test_the_other_kind_of_fence_is_a_line_of_the_code() -> None:
    assert ends(signs_of("```\n~~~\nparley up\n```\n")) == [("```\n~~~\nparley up\n```", True)]


TABLE = "Both:\n\n| Pump | Weight |\n|---|---|\n| AX-200 | 41 kg [1] |\n| BX-200 | 52 kg [2] |\n\nThat is all. [1]"
ROWS = [
    ("Both:", (), "\n\n"),
    ("| Pump | Weight", (), "\n\n"),
    ("|---|---", (), "\n"),
    ("| AX-200 | 41 kg", (1,), "\n"),
    ("| BX-200 | 52 kg", (2,), "\n"),
    ("That is all.", (1,), "\n\n"),
]


@given(st.lists(st.integers(0, len(TABLE)), max_size=8))
def test_the_rows_of_a_table_follow_one_another_however_the_text_is_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(TABLE)]
    signs = signs_of(*(TABLE[a:b] for a, b in pairwise(places)))
    sentences = [sign for sign in signs if isinstance(sign, SentenceEnds)]
    gaps = [sign.gap for sign in signs if isinstance(sign, SentenceBegins)]
    assert [(each.text, each.numbers, gap) for each, gap in zip(sentences, gaps, strict=True)] == ROWS
    assert [each.kind is Kind.HEAD for each in sentences] == [False, True, True, False, False, False]


def test_no_space_follows_a_stop_of_a_script_without_spaces() -> None:
    gaps = [sign.gap for sign in signs_of("它建于1902年。 它很长。\n") if isinstance(sign, SentenceBegins)]
    assert gaps == ["\n\n", ""]
