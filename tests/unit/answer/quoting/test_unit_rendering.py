"""How pieces of documents are shown: CommonMark, and nothing that looks like a reference of the answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.structure import BlockKind
from services.answer.citing.citations import stands_in
from services.answer.quoting.unit_rendering import (
    MAX_RECORD,
    emphasise,
    render_code,
    render_item,
    render_prose,
    render_record,
    render_row,
)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("A sentence\nover two lines.", "A sentence over two lines."),
        ("> > A quoted\n> > sentence.", "A quoted sentence."),
        ("It was found early.[3] It stayed.[4, 5]", "It was found early. It stayed."),
        ("[2] Moore's Melodies.", "Moore's Melodies."),
        ("Write `rows[3]` or v[100].", "Write `rows[3]` or v\\[100]."),
        ("It closed in 1999.[3][12] Note [1] tells why.", "It closed in 1999. Note \\[1] tells why."),
        ("See [the guide](https://example.org).", "See [the guide](https://example.org)."),
        ("See [the **guide**][guide.md].", "See the guide."),
        ("![A map](./map.png) It is old.", "A map It is old."),
        ("[BUGFIX] It starts again.", "[BUGFIX] It starts again."),
    ],
)
def test_a_sentence_is_shown_on_one_line_without_marks_of_notes(source: str, output: str) -> None:
    assert render_prose(source) == output


@pytest.mark.parametrize(
    ("source", "depth", "output"),
    [
        ("* first", 0, "- first"),
        ("3. third", 0, "3. third"),
        ("b) second", 1, "  b) second"),
        ("• a bullet of\n  two lines", 0, "- a bullet of two lines"),
        ("plain", 0, "- plain"),
    ],
)
def test_an_item_keeps_its_number_or_has_a_dash(source: str, depth: int, output: str) -> None:
    assert render_item(source, depth) == output


def test_code_in_an_item_stays_in_lines_below_it() -> None:
    item = "1. Run this:\n\n   ```\n   make\n   ```"
    assert render_item(item, 0) == "1. Run this:\n   \n   ```\n   make\n   ```"


def test_a_row_of_a_table_stays_one_and_a_row_in_columns_of_spaces_becomes_an_item() -> None:
    assert render_row("  | a | b |") == "| a | b |"
    assert render_row("Name | Use\n---|---") == "| Name | Use |\n| ---|--- |"
    assert render_row("Mercury    88 days") == "- Mercury 88 days"


def test_indented_code_is_fenced_and_fenced_code_stays() -> None:
    assert render_code("    make\n      all") == "```\nmake\n  all\n```"
    assert render_code("~~~sh\nmake\n~~~") == "~~~sh\nmake\n~~~"


def test_code_with_fences_in_it_has_longer_ones() -> None:
    assert render_code("    write\n    ```\n    inner\n    ```").startswith("````\n")


ROW = "name: Notre Dame; " + "; ".join(f"column_{n}: {n}" for n in range(60)) + "; writers: Michael Shea"


def test_of_a_long_row_the_first_cells_and_those_that_are_wanted_are_shown() -> None:
    output = render_record(ROW, lambda cell: "writers" in cell)
    assert output.startswith("- name: Notre Dame; column_0: 0; ")
    assert output.endswith("…; writers: Michael Shea")
    assert len(output.replace("…", "").split()) <= MAX_RECORD + 1


def test_a_short_row_is_shown_whole() -> None:
    assert render_record("country: France; wine: 370", lambda cell: False) == "- country: France; wine: 370"


@pytest.mark.parametrize(
    ("text", "kind", "output"),
    [
        ("It landed.", BlockKind.PARAGRAPH, "**It landed.**"),
        ("2. Press it.", BlockKind.LIST, "2. **Press it.**"),
        ("| a | b \\| c | |", BlockKind.TABLE, "| **a** | **b \\| c** | |"),
        ("- Mercury 88 days", BlockKind.TABLE, "- **Mercury 88 days**"),
        ("Pass `**options`.", BlockKind.PARAGRAPH, "Pass `**options`."),
        ("make", BlockKind.CODE, "make"),
    ],
)
def test_what_answers_is_bold_unless_that_breaks_its_own_marks(text: str, kind: BlockKind, output: str) -> None:
    assert emphasise(text, kind) == output


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("It is **big** and __very old__.", "It is big and very old."),
        ("**It is big.", "It is big."),
        ("It is old.**", "It is old."),
        ("Call `f(**x)` in __init__.", "Call `f(**x)` in __init__."),
        ("2 ** 3 is *eight*.", "2 ** 3 is *eight*."),
    ],
)
def test_a_document_has_no_strong_words_so_that_those_of_the_answer_are_the_suites(text: str, output: str) -> None:
    assert render_prose(text) == output


@given(st.text(max_size=200))
def test_whatever_is_shown_are_words_of_the_source_in_their_order(text: str) -> None:
    assert stands_in(render_prose(text), text)
    assert stands_in(render_item(text, 1), text) or not text.strip()


@given(st.text(max_size=200))
def test_nothing_shown_looks_like_a_reference_behind_a_stop(text: str) -> None:
    assert ".[1]" not in render_prose(f"{text}.[1]")


def test_a_picture_behind_the_words_is_not_shown() -> None:
    assert render_prose("The mill is red. ![A mill](mill.png)") == "The mill is red."
    assert render_prose("Press ![Start](start.png) and wait.") == "Press Start and wait."
