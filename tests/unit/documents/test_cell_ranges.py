"""Cells of a sheet as spreadsheets write them, and those that a span of a text is from."""

from dataclasses import replace

import pytest

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, CellRange, Part, Structure, cells_at
from libs.documents.building import DocumentBuilder
from libs.documents.structure import slice_structure
from services.retrieve.corpus.structures import blocks_from, blocks_text, structure_bytes, structure_from
from services.retrieve.indexing.passages import cut_passages


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        (CellRange("Prices", 1, 5, 4, 5), "Prices!A5:D5"),
        (CellRange("Old prices", 26, 1, 27, 9), "'Old prices'!Z1:AA9"),
        (CellRange("Ann's", 703, 2, 703, 2), "'Ann''s'!AAA2"),
        (CellRange("", 1, 5, 4, 5), "A5:D5"),
    ],
)
def test_a_range_is_written_as_spreadsheets_write_it(cells: CellRange, written: str) -> None:
    assert str(cells) == written


def sheet() -> tuple[str, Structure]:
    """A title in row 1; a table from row 3, of which row 5 is hidden; a text of no sheet."""
    builder = DocumentBuilder()
    builder.section("Prices")
    builder.paragraph("As of May")
    builder.locate("Prices", [1], [1])
    builder.table([("Plant", "Price"), ("Fern", "4"), ("Oak", "90"), ("Ivy", "7")])
    builder.locate("Prices", [2, 3], [3, 4, 6, 7])
    builder.paragraph("A comment")
    return builder.build()


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        ("As of May", "Prices!A1"),
        ("Oak", "Prices!B6:C6"),
        ("| Fern | 4 |\n| Oak | 90 |", "Prices!B4:C6"),
        ("Plant", "Prices!B3:C3"),
        ("| --- | --- |\n| Fern | 4 |\n| Oak | 90 |\n| Ivy | 7 |", "Prices!B3:C7"),
        ("May\n\n| Plant", "Prices!A1:C3"),
        ("A comment", ""),
        ("## Prices", ""),
    ],
)
def test_words_are_from_the_rows_that_they_are_in(words: str, cells: str) -> None:
    text, structure = sheet()
    start = text.index(words)
    assert cells_at(structure.blocks, Span(start, start + len(words))) == cells


def test_a_block_whose_rows_have_no_numbers_is_cited_whole() -> None:
    block = Block(BlockKind.TABLE, Span(0, 9), parts=(Part(Span(0, 9)),), cells=CellRange("S", 1, 2, 3, 9))
    assert cells_at([block], Span(3, 4)) == "S!A2:C9"


def test_a_passage_of_a_part_of_a_table_has_the_cells_of_that_part() -> None:
    builder = DocumentBuilder()
    builder.table([("Plant", "Price"), *((f"Plant {number} of the garden", "4") for number in range(2, 30))])
    builder.locate("S", [1, 2], range(1, 30))
    text, structure = builder.build()
    cuts = cut_passages(text, structure, 400, language="en")
    ranges = [cells_at(cut.blocks, Span(0, len(cut.of(text)))) for cut in cuts]
    numbers = [range_.removeprefix("S!A").split(":B") for range_ in ranges]
    assert (numbers[0][0], numbers[-1][1]) == ("1", "29")
    assert [int(last) + 1 for _, last in numbers[:-1]] == [int(first) for first, _ in numbers[1:]]


def test_a_citation_has_the_cells_of_its_words() -> None:
    text, structure = sheet()
    passage = Passage("a#0", "a", text, blocks=structure.blocks)
    start = text.index("Ivy")
    assert CitedSpan.of(2, passage, Span(start, start + 3)) == CitedSpan(
        2, "a#0", Span(start, start + 3), "Ivy", "Prices!B7:C7"
    )


def test_a_part_of_a_text_keeps_the_cells() -> None:
    text, structure = sheet()
    start = text.index("| Oak")
    part = slice_structure(structure, Span(start, len(text)))
    assert cells_at(part.blocks, Span(0, 3)) == "Prices!B6:C6"


def test_cells_are_stored_and_what_has_none_is_stored_as_before() -> None:
    _, structure = sheet()
    assert structure_from(structure_bytes(structure)) == structure
    stored = tuple(replace(block, section=0) for block in structure.blocks)
    assert blocks_from(blocks_text(stored)) == stored
    block = Block(BlockKind.LIST, Span(0, 6), parts=(Part(Span(0, 6), 1),))
    assert blocks_text([block]) == "[[1,0,6,0,[[0,6,1]]]]"
    assert blocks_from("[[1,0,6,0,[[0,6,1]]]]") == (block,)
    partial = tuple(replace(each, partial=True) for each in (block, *stored))
    assert blocks_from(blocks_text(partial)) == partial
