"""Readers of files state headings and blocks; text and structure come out together."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.structure import BlockKind, Structure
from libs.documents.building import DocumentBuilder
from libs.documents.markdown import parse_markdown
from libs.documents.structure import check_structure


def built(builder: DocumentBuilder) -> tuple[str, Structure]:
    text, structure = builder.build()
    check_structure(structure, len(text))
    return text, structure


def test_headings_and_paragraphs_become_commonmark_with_their_places() -> None:
    builder = DocumentBuilder()
    builder.heading("  Orbits \n and tides ", 1, page=2)
    builder.paragraph(" It circles. ", page=2)
    builder.heading("Tides", 3, page=3)
    builder.paragraph("They rise.")
    text, structure = built(builder)
    assert text == "# Orbits and tides\n\nIt circles.\n\n### Tides\n\nThey rise."
    assert [structure.headings(block.section) for block in structure.blocks] == [
        ("Orbits and tides",),
        ("Orbits and tides", "Tides"),
    ]
    assert [(block.span.of(text), block.page) for block in structure.blocks] == [("It circles.", 2), ("They rise.", 0)]
    assert [(section.start, section.page) for section in structure.sections] == [(0, 0), (0, 2), (33, 3)]


def test_what_is_empty_is_passed_over() -> None:
    builder = DocumentBuilder()
    builder.heading(" ", 1)
    builder.paragraph("\n")
    builder.code("\n \n")
    builder.items([("", 0), (" ", 1)])
    builder.table([["", " "], []])
    builder.records(["", ""])
    assert (built(builder), len(builder)) == (("", Structure()), 0)


def test_items_are_indented_by_their_depth() -> None:
    builder = DocumentBuilder()
    builder.items([("fruit", 0), ("a pear\nor two", 1), ("bread", 0)])
    text, structure = built(builder)
    assert text == "- fruit\n  - a pear or two\n- bread"
    assert [(part.span.of(text), part.depth) for part in structure.blocks[0].parts] == [
        ("- fruit", 0),
        ("  - a pear or two", 1),
        ("- bread", 0),
    ]


def test_items_and_lines_of_code_that_follow_each_other_are_one_block() -> None:
    builder = DocumentBuilder()
    for marker, text, depth in (("1.", "Open", 0), ("a)", "the valve", 1), ("2.", "Wait", 0)):
        builder.item(marker, text, depth)
    builder.code_line("if wet:")
    builder.code_line("    stop()")
    builder.paragraph("So it is.")
    builder.item("-", "last", 0)
    text, structure = built(builder)
    assert text == "1. Open\n  a) the valve\n2. Wait\n\n```\nif wet:\n    stop()\n```\n\nSo it is.\n\n- last"
    assert [block.kind.value for block in structure.blocks] == ["LIST", "CODE", "PARAGRAPH", "LIST"]


def test_a_table_has_a_header_and_rows_of_one_width() -> None:
    builder = DocumentBuilder()
    builder.table([["Probe", "Mass"], ["Aquila"], ["", ""], ["Corvus", "12 | 13 kg", "new"]])
    text, structure = built(builder)
    assert text == ("| Probe | Mass |  |\n| --- | --- | --- |\n| Aquila |  |  |\n| Corvus | 12 \\| 13 kg | new |")
    (block,) = structure.blocks
    assert block.header is not None
    assert block.header.of(text) == "| Probe | Mass |  |\n| --- | --- | --- |"
    assert [part.span.of(text) for part in block.parts] == ["| Aquila |  |  |", "| Corvus | 12 \\| 13 kg | new |"]


@pytest.mark.parametrize(
    ("add", "expected", "kind", "parts"),
    [
        (lambda b: b.table([["Probe", "", "Mass"]]), "Probe Mass", BlockKind.PARAGRAPH, 0),
        (lambda b: b.code("  x = 1\n```\ny\n", "python"), "````python\n  x = 1\n```\ny\n````", BlockKind.CODE, 0),
        (lambda b: b.records(["- A: 1.", "", "- A: 2."]), "- A: 1.\n- A: 2.", BlockKind.RECORDS, 2),
    ],
    ids=["a table of one row", "code with a fence in it", "records"],
)
def test_a_block_has_its_kind_and_parts(
    add: Callable[[DocumentBuilder], None], expected: str, kind: BlockKind, parts: int
) -> None:
    builder = DocumentBuilder()
    add(builder)
    text, structure = built(builder)
    (block,) = structure.blocks
    assert (text, block.kind, len(block.parts)) == (expected, kind, parts)


def test_a_chapter_is_appended_with_its_own_structure() -> None:
    chapter = DocumentBuilder()
    chapter.paragraph("Before.")
    chapter.heading("Two", 1)
    chapter.table([["A"], ["1"]])
    book = DocumentBuilder()
    book.heading("One", 1)
    book.append(*chapter.build())
    text, structure = built(book)
    assert text == "# One\n\nBefore.\n\n# Two\n\n| A |\n| --- |\n| 1 |"
    assert [(structure.headings(b.section), b.span.of(text)[:7]) for b in structure.blocks] == [
        (("One",), "Before."),
        (("Two",), "| A |\n|"),
    ]
    assert structure.blocks[1].parts[0].span.of(text) == "| 1 |"


WORDS = st.text(alphabet="ab c", max_size=6)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("heading"), WORDS, st.integers(1, 7)),
        st.tuples(st.just("paragraph"), WORDS),
        st.tuples(st.just("code"), WORDS),
        st.tuples(st.just("items"), st.lists(st.tuples(WORDS, st.integers(0, 3)), max_size=4)),
        st.tuples(st.just("table"), st.lists(st.lists(WORDS, max_size=3), max_size=4)),
        st.tuples(st.just("records"), st.lists(WORDS, max_size=3)),
    ),
    max_size=12,
)


@given(STEPS)
def test_whatever_is_stated_fits_the_text(steps: list[tuple[object, ...]]) -> None:
    builder = DocumentBuilder()
    for name, *arguments in steps:
        getattr(builder, str(name))(*arguments)
    text, structure = built(builder)
    assert len(builder) == len(text)
    assert all(block.span.of(text).strip() for block in structure.blocks)


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=6), min_size=1, max_size=6), st.integers(1, 6))
def test_headings_are_read_from_the_text_as_they_were_stated(words: list[str], level: int) -> None:
    builder = DocumentBuilder()
    for word in words:
        builder.heading(word, level)
        builder.paragraph(word)
    text, structure = built(builder)
    assert parse_markdown(text).sections == structure.sections
