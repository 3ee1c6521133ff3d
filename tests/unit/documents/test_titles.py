"""What a document is called where only its text tells it."""

import pytest

from ingest.titles import main_heading, plain_title
from libs.documents.markdown import parse_markdown


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Words.\n\n# Moon\n\n## Tides", "Moon"),
        ("## Start\n\n# Moon\n\n# Mars", "Moon"),
        ("## Moon\n\n### Tides", "Moon"),
        ("## Tides\n\n## Orbit", ""),
        ("```\n# make it\n```\n\nWords.", ""),
        ("# Moon {#moon}", "Moon"),
        ("Words alone.", ""),
    ],
)
def test_a_text_with_headings_is_called_by_the_first_of_the_highest(text: str, title: str) -> None:
    assert main_heading(parse_markdown(text)) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The Project\n\nTitle: Moby Dick\n\nAuthor: Herman Melville\n", "Moby Dick"),
        ("Titel:  Die   Verwandlung\n", "Die Verwandlung"),
        ("Название: Война и мир\n", "Война и мир"),
        ("标题：红楼梦\n", "红楼梦"),
        ("\nTHE MOON\n========\nIt circles.", "THE MOON"),
        ("********\nThe Moon\n********\n\nIt circles.", "The Moon"),
        ("Words at the margin.\n\nMore of them.", ""),
        ("\n" * 50 + "Title: Too late", ""),
        ("", ""),
    ],
)
def test_a_plain_text_is_called_by_a_line_that_says_so_or_by_a_ruled_heading(text: str, title: str) -> None:
    assert plain_title(text) == title
