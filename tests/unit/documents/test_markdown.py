"""Markdown as sections and blocks, each with its place in the source."""

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.structure import Block, BlockKind, Structure
from libs.documents.markdown import parse_markdown, plain_heading
from libs.documents.structure import check_structure


def kinds(text: str) -> list[tuple[BlockKind, str]]:
    """Each block's kind and words."""
    return [(block.kind, block.span.of(text)) for block in parse_markdown(text).blocks]


def only(text: str) -> Block:
    (block,) = parse_markdown(text).blocks
    return block


def parts(text: str) -> list[tuple[str, int]]:
    """Of the only block: what its parts say, and how deep they lie."""
    return [(part.span.of(text), part.depth) for part in only(text).parts]


def paths(structure: Structure) -> list[tuple[str, ...]]:
    return [structure.headings(number) for number in range(len(structure.sections))]


def test_sections_lie_within_those_of_higher_headings() -> None:
    structure = parse_markdown("# Guide\n\n## Start\n\n#### Deep\n\n## End\n\nOther\n=====\n")
    assert paths(structure) == [
        (),
        ("Guide",),
        ("Guide", "Start"),
        ("Guide", "Start", "Deep"),
        ("Guide", "End"),
        ("Other",),
    ]


def test_blocks_belong_to_the_heading_above_them() -> None:
    text = "Before.\n\n# A\n\nOne.\n\n# B\n\nTwo.\n\nThree."
    structure = parse_markdown(text)
    blocks = [(structure.headings(block.section), block.span.of(text)) for block in structure.blocks]
    assert blocks == [((), "Before."), (("A",), "One."), (("B",), "Two."), (("B",), "Three.")]


def test_a_comment_in_code_is_no_heading() -> None:
    text = "```sh\n# install it\nmake\n```\n\n# Guide"
    assert paths(parse_markdown(text)) == [(), ("Guide",)]
    assert kinds(text) == [(BlockKind.CODE, "```sh\n# install it\nmake\n```")]


def test_a_heading_is_told_in_plain_words() -> None:
    assert plain_heading("Teleport {#teleport}") == "Teleport"
    assert plain_heading("Notes {: .no_toc }") == "Notes"
    assert plain_heading("The `run` *command* of [the tool](https://example.org)") == "The run command of the tool"
    assert plain_heading("![logo](a.png) Parley") == "Parley"
    assert plain_heading("Sets {1, 2}") == "Sets {1, 2}"


def test_a_heading_with_an_anchor_is_found_by_its_words_alone() -> None:
    structure = parse_markdown("# Space {#space}\n\n## Teleport {#teleport}\n\nAt once.\n\nPort {: #port }\n----")
    assert paths(structure)[1:] == [("Space",), ("Space", "Teleport"), ("Space", "Port")]


def test_a_heading_begins_where_its_marks_do() -> None:
    text = "One.\n\n## Two {#two}\n\nThree."
    (section,) = parse_markdown(text).sections[1:]
    assert (section.heading, section.level, text[section.start :].startswith("## Two")) == ("Two", 2, True)


def test_each_kind_of_block_is_told() -> None:
    blocks = [
        (BlockKind.PARAGRAPH, "Words\nover two lines."),
        (BlockKind.LIST, "- one\n- two"),
        (BlockKind.QUOTATION, "> said"),
        (BlockKind.TABLE, "| A | B |\n| - | - |\n| 1 | 2 |"),
        (BlockKind.CODE, "~~~\ncode\n~~~"),
        (BlockKind.DEFINITION, "Term\n: What it means."),
        (BlockKind.CAPTION, "![The probe](probe.png)"),
        (BlockKind.PARAGRAPH, "<div>Some words</div>"),
    ]
    assert kinds("\n\n".join(text for _, text in blocks)) == blocks


def test_an_item_ends_where_a_deeper_one_begins() -> None:
    text = "- fruit\n  - apple\n  - pear\n\n    of any kind\n- bread"
    assert parts(text) == [
        ("- fruit", 0),
        ("  - apple", 1),
        ("  - pear\n\n    of any kind", 1),
        ("- bread", 0),
    ]


def test_the_header_of_a_table_is_none_of_its_rows() -> None:
    text = "| Probe | Mass |\n| --- | ---: |\n| Aquila | 640 |\n| Corvus | 12 |"
    block = only(text)
    assert block.header is not None
    assert block.header.of(text) == "| Probe | Mass |\n| --- | ---: |"
    assert parts(text) == [("| Aquila | 640 |", 0), ("| Corvus | 12 |", 0)]


def test_a_definition_list_has_a_part_for_each_term() -> None:
    assert parts("Orbit\n: A way round.\n\nTide\n: A wave.\n: A soap.") == [
        ("Orbit\n: A way round.", 0),
        ("Tide\n: A wave.\n: A soap.", 0),
    ]


def test_a_footnote_is_a_block_where_it_stands() -> None:
    text = "# A\n\nOne[^1].\n\n[^1]: First.\n\n    Still first.\n\n[^2]: Nobody points here.\n\n# B\n\nTwo."
    structure = parse_markdown(text)
    assert [(structure.headings(block.section)[0], block.span.of(text)) for block in structure.blocks] == [
        ("A", "One[^1]."),
        ("A", "[^1]: First.\n\n    Still first."),
        ("A", "[^2]: Nobody points here."),
        ("B", "Two."),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- [Start](#start)\n- [End](#end)", BlockKind.FURNITURE),
        ("1. [Start](#start)\n   - [`End`](#end), [Far end](#far)\n", BlockKind.FURNITURE),
        ("- [Start](#start) with this\n- [End](#end)", BlockKind.LIST),
        ("- [Start](start.md#start)\n- [End](#end)", BlockKind.LIST),
    ],
)
def test_links_within_the_page_are_furniture(text: str, kind: BlockKind) -> None:
    assert only(text).kind is kind


WORDS = st.integers(0, 999).map("word{}".format)
PIECES = st.one_of(
    st.tuples(st.integers(1, 6), WORDS).map(lambda heading: f"{'#' * heading[0]} {heading[1]}"),
    WORDS,
    st.lists(WORDS, min_size=1, max_size=4).map(lambda words: "\n".join(f"- {word}" for word in words)),
    st.lists(WORDS, min_size=1, max_size=3).map("\n  * ".join).map("* {}".format),
    st.lists(WORDS, max_size=3).map(lambda words: "\n".join(["| a |", "| - |", *(f"| {word} |" for word in words)])),
    WORDS.map("```\n# {}\n\n```".format),
    WORDS.map("    code of {}".format),
    WORDS.map("> {}".format),
    st.tuples(WORDS, WORDS).map(": ".join),
    st.tuples(WORDS, WORDS).map("\n: ".join),
    WORDS.map("[^1]: {}".format),
    WORDS.map("see[^1] {}".format),
    st.sampled_from(["---", "***", "<br>", "- ", "|", "```"]),
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\n\n", "\n\n\n"])), max_size=12).map(
    lambda pieces: "".join(piece + gap for piece, gap in pieces)
)


@given(TEXTS)
def test_every_word_is_in_one_block_or_in_a_heading(text: str) -> None:
    structure = parse_markdown(text)
    check_structure(structure, len(text))
    heading = " ".join([block.span.of(text) for block in structure.blocks] + [s.heading for s in structure.sections])
    assert sorted(re.findall(r"word\d+", heading)) == sorted(re.findall(r"word\d+", text))


@given(st.text(alphabet="ab #*-_>|`~:[]()!1.\n\t{}^<&\\", max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    check_structure(parse_markdown(text), len(text))


@pytest.mark.parametrize("text", ["|a|b|\n|-|-|\n" + "|1|2|\n" * 10_000, "# a\n" * 10_000, "a\n\n" * 10_000])
def test_reading_takes_two_hundred_times_the_memory_of_a_text_at_most(text: str) -> None:
    parse_markdown("# A")
    tracemalloc.start()
    try:
        parse_markdown(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200 * len(text)
