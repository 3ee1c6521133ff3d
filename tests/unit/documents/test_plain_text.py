"""Plain text as sections and blocks, by its own signs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.structure import BlockKind, Structure
from libs.documents.furniture import without_page_furniture
from libs.documents.plain import parse_plain
from libs.documents.reading import structure_of
from libs.documents.structure import check_structure
from tests.unit.documents.printed import RFC

PROSE = "It was late when he came, and nobody was there\nwho could have opened the door for him at all."


def kinds(text: str) -> list[tuple[BlockKind, str]]:
    """Each block's kind and words."""
    return [(block.kind, block.span.of(text)) for block in parse_plain(text).blocks]


def headings(text: str) -> list[tuple[str, ...]]:
    structure = parse_plain(text)
    return [structure.headings(number) for number in range(1, len(structure.sections))]


def under(structure: Structure, heading: str, text: str) -> list[tuple[BlockKind, str]]:
    """The blocks of a section with their words on one line."""
    return [
        (block.kind, " ".join(block.span.of(text).split()))
        for block in structure.blocks
        if structure.headings(block.section)[-1:] == (heading,)
    ]


def test_an_rfc_has_the_sections_that_its_numbers_tell() -> None:
    assert headings(without_page_furniture(RFC)) == [
        ("Abstract",),
        ("Table of Contents",),
        ("1. Introduction",),
        ("2. Watering",),
        ("2. Watering", "2.1. Amounts"),
        ("3. References",),
        ("Appendix A. Changes from RFC 9990",),
    ]


def test_an_rfc_has_lists_tables_and_examples() -> None:
    text = without_page_furniture(RFC)
    structure = parse_plain(text)
    assert under(structure, "2. Watering", text) == [
        (BlockKind.PARAGRAPH, "A client sends the following fields:"),
        (
            BlockKind.LIST,
            "o plant: the name of the plant, as its owner calls it o amount: millilitres, a number from 1 to 500",
        ),
        (BlockKind.PARAGRAPH, "The server answers within two seconds."),
    ]
    assert [kind for kind, _ in under(structure, "2.1. Amounts", text)] == [
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
        BlockKind.PARAGRAPH,
        BlockKind.CODE,
        BlockKind.PARAGRAPH,
    ]


def test_contents_and_references_of_an_rfc_are_furniture_and_its_appendix_is_not() -> None:
    text = without_page_furniture(RFC)
    structure = parse_plain(text)
    assert {kind for kind, _ in under(structure, "Table of Contents", text)} == {BlockKind.FURNITURE}
    assert {kind for kind, _ in under(structure, "3. References", text)} == {BlockKind.FURNITURE}
    assert under(structure, "Appendix A. Changes from RFC 9990", text) == [
        (BlockKind.PARAGRAPH, "Flowers are plants too.")
    ]


def test_an_example_with_a_blank_line_in_it_is_one_block() -> None:
    text = without_page_furniture(RFC)
    (code,) = [block for block in parse_plain(text).blocks if block.kind is BlockKind.CODE]
    assert code.span.of(text).split() == (
        ["GARD/1.0", "WATER", "plant=fern;", "amount=200;", "GARD/1.0", "END", "plant=fern;", "amount=0;"]
    )


@pytest.mark.parametrize(
    ("text", "heading_paths"),
    [
        (f"CHAPTER I\n\nTHE ARRIVAL\n\n{PROSE}", [("CHAPTER I: THE ARRIVAL",)]),
        (f"{PROSE}\n\n\nThe second day\n\n{PROSE}", [("The second day",)]),
        (f"{PROSE}\n\n\n_The second day_\n\n{PROSE}", [("The second day",)]),
        (f"Chapter 3. The end\n\n{PROSE}", [("Chapter 3. The end",)]),
        (f"Kapitel 3\n\n{PROSE}", [("Kapitel 3",)]),
        (f"Глава II\n\n{PROSE}", [("Глава II",)]),
        (f"第一章 起点\n\n{PROSE}", [("第一章 起点",)]),
        (f"A. Tools\n\n{PROSE}\n\nA.1. Spades\n\n{PROSE}", [("A. Tools",), ("A. Tools", "A.1. Spades")]),
    ],
)
def test_a_heading_is_told_by_number_name_capitals_or_place(text: str, heading_paths: list[tuple[str, ...]]) -> None:
    assert headings(text) == heading_paths


RULED = f"""\
=========
The Guide
=========

{PROSE}

Install
-------
Run it. It takes a while.

Under Windows
~~~~~~~~~~~~~

{PROSE}

Remove
------

Delete it.
"""


def test_a_rule_below_a_line_makes_it_a_heading_whose_level_its_sign_tells() -> None:
    assert headings(RULED) == [
        ("The Guide",),
        ("The Guide", "Install"),
        ("The Guide", "Install", "Under Windows"),
        ("The Guide", "Remove"),
    ]
    assert under(parse_plain(RULED), "Install", RULED) == [(BlockKind.PARAGRAPH, "Run it. It takes a while.")]


@pytest.mark.parametrize(
    "text",
    [
        "\nA short sentence that stands alone.",
        "\nand so on, in small letters",
        "\nAuthor: Ann Lee",
        "\n- A point",
        "\n[3] A footnote",
        "\nIntroduction ............ 3",
        "Plant     Most\n---------------\nCactus      20\nFern       300",
        "Yours, Ann\n------------------------------------------------------------",
        "------\nCactus\n======",
        "---------\n---------",
        f"{PROSE}\n--------------",
    ],
)
def test_what_only_stands_alone_or_beside_a_rule_that_parts_something_is_no_heading(text: str) -> None:
    assert headings(f"{PROSE}\n\n{text}\n\n{PROSE}") == []
    assert headings(f"{PROSE}\n\n\nYours, Ann") == [], "the last line is no heading"


def test_a_list_has_an_item_for_each_bullet_and_those_below_lie_deeper() -> None:
    text = "- a spade\n- a bucket,\n  not too small\n  - with water\n- time"
    (block,) = parse_plain(text).blocks
    assert [(part.span.of(text), part.depth) for part in block.parts] == [
        ("- a spade", 0),
        ("- a bucket,\n  not too small", 0),
        ("  - with water", 1),
        ("- time", 0),
    ]


def test_one_line_with_a_number_is_a_sentence() -> None:
    assert kinds("1984. That was the year.") == [(BlockKind.PARAGRAPH, "1984. That was the year.")]


def test_a_table_of_numbers_is_a_table_with_a_row_a_line() -> None:
    text = "Plant       Least   Most\nCactus      1       20\nFern        50      300"
    (block,) = parse_plain(text).blocks
    assert block.kind is BlockKind.TABLE
    assert [part.span.of(text) for part in block.parts] == text.split("\n")


def test_indented_signs_are_code_and_indented_words_a_quotation() -> None:
    code, quotation = "    open(3);\n    wait(5);", "    So be it,\n    and no more of it."
    assert kinds(f"{PROSE}\n\n{code}\n\n{PROSE}\n\n{quotation}") == [
        (BlockKind.PARAGRAPH, PROSE),
        (BlockKind.CODE, code),
        (BlockKind.PARAGRAPH, PROSE),
        (BlockKind.QUOTATION, quotation),
    ]


@pytest.mark.parametrize(
    "line",
    ["$ pip install parley", "ann@host:~/docs# make all", ">>> import this", "C:\\docs> dir", "PS C:\\docs> dir /s"],
)
def test_what_is_typed_at_a_console_is_code_and_no_heading(line: str) -> None:
    text = f"{PROSE}\n\n\n{line}\n\n\n{PROSE}"
    assert kinds(text) == [(BlockKind.PARAGRAPH, PROSE), (BlockKind.CODE, line), (BlockKind.PARAGRAPH, PROSE)]
    assert headings(text) == []


@pytest.mark.parametrize(
    "line", ["$40 is the price of it.", "A: no. B: yes > no.", "5% of them were late.", "> Shall we?"]
)
def test_a_sum_or_a_share_is_no_console(line: str) -> None:
    assert kinds(f"{PROSE}\n\n{line}\n\n{PROSE}")[1][0] is not BlockKind.CODE


def test_a_text_of_unknown_kind_is_markdown_where_it_has_such_marks() -> None:
    assert structure_of("# Moon\n\nIt circles.").sections[1].heading == "Moon"
    assert structure_of("See **this**.\n\n- one\n- two").blocks[1].kind is BlockKind.LIST
    code = "\n".join(f"    line {number}\n    # comment" for number in range(9))
    assert len(structure_of(code).sections) == 1
    assert headings(f"MOON\n\n{PROSE}") == [("MOON",)]


LINES = st.one_of(
    st.tuples(st.sampled_from(["", "   ", "      "]), st.integers(0, 99)).map("{0[0]}word{0[1]} goes on".format),
    st.integers(0, 99).map("1.{0}.  Word{0}".format),
    st.integers(0, 99).map("  - word{}".format),
    st.integers(0, 99).map("word{}    3    4".format),
    st.integers(0, 99).map("    x = word{};".format),
    st.sampled_from(["", "", "\t", "CHAPTER I", "+----+", "end."]),
)


@given(st.lists(LINES, max_size=25).map("\n".join))
def test_every_word_is_in_one_block_or_in_a_heading(text: str) -> None:
    structure = parse_plain(text)
    check_structure(structure, len(text))
    words = " ".join([block.span.of(text) for block in structure.blocks] + [s.heading for s in structure.sections])
    assert sorted(re.findall(r"[Ww]ord\d+", words)) == sorted(re.findall(r"[Ww]ord\d+", text))


@given(st.text(alphabet="abC1.,:;=- \n\t|+o*•[]_", max_size=150))
def test_no_text_breaks_it(text: str) -> None:
    check_structure(parse_plain(text), len(text))
