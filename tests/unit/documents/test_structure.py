"""A structure fits its text; a part of the text has the part of the structure that lies in it."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Part, Section, Structure
from libs.documents.markdown import parse_markdown
from libs.documents.structure import check_structure, sections_of, slice_structure

TEXT = "# A\n\nOne.\n\n- two\n- three\n\n| B |\n| - |\n| 4 |\n\n## C\n\nFive."
STRUCTURE = parse_markdown(TEXT)
PARAGRAPH = Block(BlockKind.PARAGRAPH, Span(5, 9))


def test_a_structure_that_was_read_fits_its_text() -> None:
    check_structure(STRUCTURE, len(TEXT))


@pytest.mark.parametrize(
    ("structure", "place"),
    [
        (Structure(()), "sections"),
        (Structure((Section(parent=0),)), r"sections\[0\]\.parent"),
        (Structure((Section(), Section("A", 1, 1))), r"sections\[1\]\.parent"),
        (Structure((Section(), Section("A", 1, -1))), r"sections\[1\]\.parent"),
        (Structure((Section(), Section("A", 1, 0, start=21))), r"sections\[1\]\.start"),
        (Structure(blocks=(replace(PARAGRAPH, span=Span(15, 21)),)), r"blocks\[0\]\.span"),
        (Structure(blocks=(replace(PARAGRAPH, span=Span(5, 5)),)), r"blocks\[0\]\.span"),
        (Structure(blocks=(PARAGRAPH, replace(PARAGRAPH, span=Span(8, 12)))), r"blocks\[1\]\.span"),
        (Structure(blocks=(replace(PARAGRAPH, section=1),)), r"blocks\[0\]\.section"),
        (Structure(blocks=(replace(PARAGRAPH, header=Span(4, 6)),)), r"blocks\[0\]\.header"),
        (
            Structure(blocks=(replace(PARAGRAPH, header=Span(5, 7), parts=(Part(Span(6, 8)),)),)),
            r"blocks\[0\]\.parts\[0\]\.span",
        ),
        (
            Structure(blocks=(replace(PARAGRAPH, parts=(Part(Span(5, 7)), Part(Span(6, 8)))),)),
            r"blocks\[0\]\.parts\[1\]\.span",
        ),
    ],
)
def test_what_does_not_fit_is_named(structure: Structure, place: str) -> None:
    with pytest.raises(ValueError, match=f"^{place}: "):
        check_structure(structure, 20)


@pytest.mark.parametrize(("letters", "most"), [(1, 100), (1000, 8), (4096, 2)])
def test_neither_depth_nor_headings_of_sections_in_each_other_grow_without_a_bound(letters: int, most: int) -> None:
    sections = [Section(), *(Section("a" * letters, level, level - 1) for level in range(1, most + 2))]
    check_structure(Structure(tuple(sections[:-1])), 0)
    with pytest.raises(ValueError, match=rf"^sections\[{most + 1}\]\.parent: at most 100 sections"):
        check_structure(Structure(tuple(sections)), 0)


@given(st.lists(st.tuples(st.integers(1, 200), st.integers(1, 10_000)), max_size=150))
def test_sections_that_are_read_stay_within_the_bounds(headings: list[tuple[int, int]]) -> None:
    deeper = [(level, 10) for level in range(1, 150)]
    sections = sections_of([Section("a" * length, level) for level, length in (*deeper, *headings)])
    check_structure(Structure(sections), 0)
    assert all(len(section.heading) <= 4096 for section in sections)


@pytest.mark.parametrize(
    ("levels", "parents"),
    [([], []), ([1, 2, 2, 3, 1], [0, 1, 1, 3, 0]), ([3, 2, 1], [0, 0, 0]), ([1, 4, 2], [0, 1, 1])],
)
def test_a_heading_lies_in_the_nearest_higher_one_before_it(levels: list[int], parents: list[int]) -> None:
    sections = sections_of([Section("A heading", level) for level in levels])
    assert [section.parent for section in sections] == [-1, *parents]


def test_the_path_of_a_section_leads_from_the_outermost_heading_to_its_own() -> None:
    assert STRUCTURE.headings(2) == ("A", "C")
    assert STRUCTURE.headings(0) == ()


def test_a_part_has_of_a_block_what_lies_in_it() -> None:
    first, last = TEXT.index("- two") + 6, TEXT.index("| - |") + 6
    part = TEXT[first:last]
    structure = slice_structure(STRUCTURE, Span(first, last))
    (items, table) = structure.blocks
    assert (items.span.of(part), [each.span.of(part) for each in items.parts]) == ("- three", ["- three"])
    assert table.header is not None
    assert (table.header.of(part), table.parts) == ("| B |\n| - |", ())
    assert structure.headings(items.section) == ("A",)


@given(st.lists(st.integers(0, len(TEXT)), max_size=5))
def test_parts_lose_nothing_and_fit_their_texts(cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(TEXT)})
    words = ""
    for first, last in pairwise(places):
        structure = slice_structure(STRUCTURE, Span(first, last))
        check_structure(structure, last - first)
        words += "".join(block.span.of(TEXT[first:last]) for block in structure.blocks)
    assert words == "".join(block.span.of(TEXT) for block in STRUCTURE.blocks)
