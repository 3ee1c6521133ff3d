"""Bibliographies are told in each language by the words of their headings, and by what stands below."""

import pytest

from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.documents.markdown import parse_markdown
from libs.documents.plain import parse_plain
from libs.language.files import known_languages
from libs.language.known import language_of


def kinds(heading: str, *lines: str) -> set[BlockKind]:
    return {block.kind for block in parse_markdown("\n\n".join((f"# {heading}", *lines))).blocks}


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "7.2. Normative References",
        "A. Selected bibliography:",
        "LIST OF WORKS REFERRED TO",
        "Works cited",
        "Literaturverzeichnis",
        "Verzeichnis der zitierten Literatur",
        "Liste des ouvrages cités",
        "Referencias bibliográficas",
        "Список литературы",
        "参考文献",
        "참고문헌",
    ],
)
def test_sources_below_such_a_heading_are_furniture(heading: str) -> None:
    assert kinds(heading, "Postel, J. (1981). TCP.", "https://example.org", "Ask Ann.") == {BlockKind.FURNITURE}
    assert kinds(heading, "Ask Ann.", "Ask Bob.") == {BlockKind.PARAGRAPH}


@pytest.mark.parametrize(
    "heading", ["Literature in schools", "List of figures", "Works", "References to other types", "Data sources", "文"]
)
def test_what_only_resembles_such_a_heading_has_content(heading: str) -> None:
    assert kinds(heading, "Postel, J. (1981). TCP.") == {BlockKind.PARAGRAPH}


@pytest.mark.parametrize("code", known_languages())
def test_every_known_language_has_such_headings(code: str) -> None:
    for heading in language_of(code).source_headings:
        assert heading == heading.lower()
        assert kinds(heading.replace("*", "names"), "Postel, J. (1981). TCP.") == {BlockKind.FURNITURE}
    assert language_of(code).source_headings


def test_it_is_so_whatever_the_format() -> None:
    builder = DocumentBuilder()
    builder.heading("References", 1)
    builder.paragraph("Postel, J. (1981). TCP.")
    assert builder.build()[1].blocks[0].kind is BlockKind.FURNITURE


CITED = "Lee, A., On Moons, Hill Press, 1998.\n\nGreen, B., On Tides, Hill Press, 2001.\n\nRoe, C., Ferns, 2003."
TABLE = "    On Moons          1998      O.M.\n    On Tides          2001      O.T.\n    Ferns             2003      F."


def test_a_list_of_works_is_furniture_and_a_table_of_them_is_data() -> None:
    text = "Words that run on for a while.\n\n\nLIST OF WORKS REFERRED TO\n\n{}\n\n\nTHE END\n\nWords."
    citations, table = (parse_plain(text.format(item_list)).blocks[1:-1] for item_list in (CITED, TABLE))
    assert {block.kind for block in citations} == {BlockKind.FURNITURE}
    assert {block.kind for block in table} == {BlockKind.TABLE}
