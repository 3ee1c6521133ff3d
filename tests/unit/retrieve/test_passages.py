"""Documents are cut into passages along their structure."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.structure import BlockKind, Section, Structure
from libs.documents.building import DocumentBuilder
from libs.documents.markdown import parse_markdown
from libs.documents.structure import check_structure
from services.retrieve.indexing.passage import Cut, joined
from services.retrieve.indexing.passages import cut_passages

SENTENCE = "The valve is opened by hand and closed by the clock. "
LONG = (SENTENCE * 30).strip()
BEFORE = (SENTENCE * 14).strip()


def cut(text: str, size: int = 800) -> list[Cut]:
    return cut_passages(text, parse_markdown(text), size, language="en")


def texts(text: str, size: int = 800) -> list[str]:
    return [passage.of(text) for passage in cut(text, size)]


def behind_a_full_passage(introduction: str, what: str) -> list[str]:
    """The passages of a text where the introduction, but not what it introduces, would have room in the first."""
    return texts(f"{BEFORE}\n\n{introduction}\n\n{what}", len(f"{BEFORE}\n\n{introduction}"))


def test_a_short_section_is_one_passage() -> None:
    assert texts("# A\n\nOne.\n\n- two\n- three\n\nFour.") == ["One.\n\n- two\n- three\n\nFour."]


def test_no_passage_crosses_a_section() -> None:
    text = "Before.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n\n# C\n\nThree."
    assert texts(text) == ["Before.", "One.", "Two.", "Three."]
    assert [passage.section for passage in cut(text)] == [0, 1, 2, 3]


def test_paragraphs_share_a_passage_as_long_as_there_is_room() -> None:
    text = "\n\n".join([f"{number} {SENTENCE * 6}".strip() for number in range(5)])
    assert [len(re.findall(r"\d", passage)) for passage in texts(text)] == [2, 2, 1]


def test_a_passage_is_of_blocks_with_their_places_in_it() -> None:
    text = "# A\n\nDo this:\n\n- one\n- two"
    (passage,) = cut(text)
    passage_text = passage.of(text)
    assert [(block.kind, block.span.of(passage_text)) for block in passage.blocks] == [
        (BlockKind.PARAGRAPH, "Do this:"),
        (BlockKind.LIST, "- one\n- two"),
    ]
    assert [part.span.of(passage_text) for part in passage.blocks[1].parts] == ["- one", "- two"]


@pytest.mark.parametrize(
    ("introduction", "what"),
    [
        ("It goes so:", "- one\n- two"),
        ("It goes so:", "| A |\n| - |\n| 1 |"),
        ("It goes so:", "```\ncode\n```"),
        ("It goes so:", "Term\n: Meaning"),
        ("It goes so:", "> It is so."),
        ("There are two.", "- one\n- two"),  # a list stays with any paragraph before it
        ("**Note**", "It leaks."),  # a title in bold stays with what follows
    ],
)
def test_what_is_introduced_stays_with_what_introduces_it(introduction: str, what: str) -> None:
    assert behind_a_full_passage(introduction, what) == [BEFORE, f"{introduction}\n\n{what}"]


def test_a_paragraph_stays_with_no_paragraph() -> None:
    assert behind_a_full_passage("There are two.", "One is here.") == [f"{BEFORE}\n\nThere are two.", "One is here."]


def test_a_caption_stays_with_what_it_names() -> None:
    builder = DocumentBuilder()
    builder.paragraph(BEFORE)
    builder.block(BlockKind.CAPTION, "Table 1")
    builder.table([["A", "B"], ["1", "2"]])
    text, structure = builder.build()
    assert [passage.of(text) for passage in cut_passages(text, structure, len(BEFORE) + 9, language="en")] == [
        BEFORE,
        "Table 1\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
    ]


def test_a_list_that_is_too_long_is_cut_between_items_and_repeats_its_introduction() -> None:
    items = [f"- item {number} {SENTENCE}".strip() for number in range(20)]
    text = "Do this:\n\n" + "\n".join(items)
    passages = texts(text, 300)
    assert len(passages) > 3
    assert all(passage.startswith("Do this:\n\n- item") for passage in passages)
    assert [line for passage in passages for line in passage.split("\n")[2:]] == items
    assert [block.partial for passage in cut(text, 300) for block in passage.blocks] == [False, True] * len(passages)


def test_a_list_that_fits_is_whole() -> None:
    assert [block.partial for passage in cut("Do this:\n\n- Rest.\n- Eat.", 300) for block in passage.blocks] == [
        False
    ] * 2


def test_a_table_that_is_too_long_repeats_its_header_and_its_introduction() -> None:
    rows = [f"| {number} | {SENTENCE.strip()} |" for number in range(20)]
    header = "| A | B |\n| --- | --- |"
    text = "\n".join(["These are known:", "", header, *rows])
    passages = cut(text, 300)
    assert len(passages) > 3
    assert passages[0].of(text).startswith(f"These are known:\n\n{header}\n| 0 |")
    assert all(passage.of(text).startswith(f"These are known:\n\n{header}\n\n| ") for passage in passages[1:])
    assert [passage.repeated(text) for passage in passages[:2]] == ["", f"These are known:\n\n{header}"]
    assert [part.span.of(p.of(text)) for p in passages for b in p.blocks for part in b.parts] == rows


def test_a_header_that_is_longer_than_a_passage_is_not_repeated() -> None:
    header = f"| {' | '.join(f'Column {number}' for number in range(100))} |\n|{' - |' * 100}"
    first, *others = texts("\n".join([header, *(f"| {number} |{' |' * 99}" for number in range(200))]))
    assert first.startswith(header)
    assert others
    assert all("Column" not in passage and len(passage) <= 800 for passage in others)


def test_each_piece_of_a_row_that_is_too_long_stands_under_the_header() -> None:
    header, row = "| A | B |\n| --- | --- |", f"| {LONG} | 2 |"
    first, *others = texts(f"{header}\n{row}", 400)
    assert first.startswith(f"{header}\n| The valve")
    assert len(others) > 2
    assert all(passage.startswith(f"{header}\n\nThe valve") for passage in others)


def test_a_long_introduction_is_not_repeated() -> None:
    items = [f"- item {number} {SENTENCE}".strip() for number in range(9)]
    first, *others = texts(f"{SENTENCE * 3}:\n\n" + "\n".join(items), 300)
    assert first.startswith(SENTENCE)
    assert all(passage.startswith("- item") for passage in others)


def test_code_that_is_too_long_is_cut_between_lines() -> None:
    lines = [f"call({number}, 'some argument or other')" for number in range(30)]
    text = "\n".join(["```", *lines, "```"])
    passages = texts(text, 300)
    assert "\n".join(passages) == text
    assert all(len(passage) <= 300 for passage in passages)


def test_a_paragraph_that_is_too_long_is_cut_between_sentences() -> None:
    passages = texts(LONG, 300)
    assert " ".join(passages) == LONG
    assert all(passage.endswith("clock.") for passage in passages)


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(200)]
    passages = texts(" ".join(words), 300)
    assert [word for passage in passages for word in passage.split()] == words


def test_records_stand_for_themselves() -> None:
    builder = DocumentBuilder()
    builder.heading("Probes", 1)
    builder.records([f"- Probe: P{number}." for number in range(3)])
    text, structure = builder.build()
    assert [p.of(text) for p in cut_passages(text, structure, language="en")] == [
        "- Probe: P0.",
        "- Probe: P1.",
        "- Probe: P2.",
    ]


def test_furniture_is_in_no_passage_and_parts_what_stands_around_it() -> None:
    text = "One.\n\n- [A](#a)\n- [B](#b)\n\nTwo."
    assert texts(text) == ["One.", "Two."]


def test_what_nobody_sees_takes_no_room() -> None:
    link = f"[{SENTENCE.strip()}](https://example.org/{'a' * 150})"
    (passage,) = texts("\n\n".join([link] * 10))
    assert len(passage) > 1600


def test_pages_are_those_of_the_first_block_that_has_one() -> None:
    builder = DocumentBuilder()
    builder.paragraph("One.")
    builder.paragraph("Two.", page=3)
    text, structure = builder.build()
    assert [(passage.page, passage.front) for passage in cut_passages(text, structure, language="en")] == [(3, False)]


def test_an_empty_text_has_no_passage() -> None:
    assert cut_passages("", Structure(), language="en") == []
    assert cut_passages("# A", Structure((Section(), Section("A", 1, 0))), language="en") == []


def test_a_size_below_100_is_refused() -> None:
    with pytest.raises(ValueError, match="100"):
        cut("One.", 99)


WORDS = st.lists(st.integers(0, 999).map("word{}".format), min_size=1, max_size=40).map(" ".join)
BLOCKS = st.one_of(
    WORDS,
    WORDS.map("{}:".format),
    st.lists(WORDS, min_size=1, max_size=6).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(WORDS, min_size=1, max_size=6).map(
        lambda rows: "\n".join(["| a |", "| - |", *(f"| {r} |" for r in rows)])
    ),
    st.lists(WORDS, min_size=1, max_size=6).map(lambda lines: "\n".join(["```", *lines, "```"])),
    st.integers(0, 9).map("# Heading {}".format),
    st.integers(0, 9).map("- [a](#a{0})\n- [b](#b{0})".format),
)
DOCUMENTS = st.lists(BLOCKS, max_size=8).map("\n\n".join)


@given(DOCUMENTS, st.sampled_from([100, 200, 800]))
def test_passages_are_in_order_and_leave_out_furniture_headings_and_white_space(text: str, size: int) -> None:
    structure = parse_markdown(text)
    passages = cut_passages(text, structure, size, language="en")
    assert all(first.span.end <= second.span.start for first, second in pairwise(passages))
    passage_text = "".join(passage.span.of(text) for passage in passages)
    content = [block.span.of(text) for block in structure.blocks if block.kind is not BlockKind.FURNITURE]
    assert "".join(passage_text.split()) == "".join("".join(content).split())


@given(DOCUMENTS, st.sampled_from([100, 200, 800]))
def test_a_passage_is_of_one_section_and_its_blocks_fit_it(text: str, size: int) -> None:
    structure = parse_markdown(text)
    for passage in cut_passages(text, structure, size, language="en"):
        passage_text = passage.of(text)
        check_structure(Structure(blocks=passage.blocks), len(passage_text))
        assert passage_text == joined(passage.repeated(text), passage.span.of(text))
        assert not any(passage.span.start < section.start < passage.span.end for section in structure.sections)
        assert len(passage.span.of(text).strip()) <= 1.1 * size
