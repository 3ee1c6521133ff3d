"""Headings above contents, indexes and lists of sources are known in each language by its own words."""

import pytest

from libs.contracts.structure import BlockKind
from libs.documents.plain import parse_plain
from libs.documents.refining import FurnitureSection, are_sources, furniture_section
from libs.language.files import known_languages
from libs.language.known import language_of


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Table of  Contents", FurnitureSection.CONTENTS),
        ("Inhalt", FurnitureSection.CONTENTS),
        ("目录", FurnitureSection.CONTENTS),
        ("INDEX OF NAMES", FurnitureSection.INDEX),
        ("Index des auteurs", FurnitureSection.INDEX),
        ("Sachregister", FurnitureSection.INDEX),
        ("References", FurnitureSection.SOURCES),
        ("7.2. Normative References", FurnitureSection.SOURCES),
        ("A. Selected bibliography:", FurnitureSection.SOURCES),
        ("LIST OF WORKS REFERRED TO", FurnitureSection.SOURCES),
        ("Works cited", FurnitureSection.SOURCES),
        ("Literaturverzeichnis", FurnitureSection.SOURCES),
        ("Verzeichnis der zitierten Literatur", FurnitureSection.SOURCES),
        ("Liste des ouvrages cités", FurnitureSection.SOURCES),
        ("Referencias bibliográficas", FurnitureSection.SOURCES),
        ("Список литературы", FurnitureSection.SOURCES),
        ("参考文献", FurnitureSection.SOURCES),
        ("참고문헌", FurnitureSection.SOURCES),
        ("", None),
        ("Literature in schools", None),
        ("List of figures", None),
        ("Works", None),
        ("References to other types", None),
        ("Indexing", None),
        ("Data sources", None),
        ("文", None),
    ],
)
def test_a_heading_tells_what_kind_of_furniture_stands_below_it(heading: str, section: FurnitureSection | None) -> None:
    assert furniture_section(heading) is section


@pytest.mark.parametrize("code", known_languages())
def test_every_known_language_has_such_headings(code: str) -> None:
    language = language_of(code)
    for heading in (*language.contents_headings, *language.index_headings, *language.source_headings):
        assert heading == heading.lower()
        assert furniture_section(heading.replace("*", "names")) is not None
    assert language.contents_headings
    assert language.source_headings


def test_sources_have_a_year_an_address_or_pages() -> None:
    assert are_sources(["Postel, J. (1981). TCP.", "https://example.org", "Ask Ann."])
    assert not are_sources(["Ask Ann.", "Ask Bob."])
    assert not are_sources([])


CITED = "Lee, A., On Moons, Hill Press, 1998.\n\nGreen, B., On Tides, Hill Press, 2001.\n\nRoe, C., Ferns, 2003."
TABLE = "    On Moons          1998      O.M.\n    On Tides          2001      O.T.\n    Ferns             2003      F."


def test_a_list_of_works_is_furniture_and_a_table_of_them_is_data() -> None:
    text = "Words that run on for a while.\n\n\nLIST OF WORKS REFERRED TO\n\n{}\n\n\nTHE END\n\nWords."
    citations, table = (parse_plain(text.format(item_list)).blocks[1:-1] for item_list in (CITED, TABLE))
    assert {block.kind for block in citations} == {BlockKind.FURNITURE}
    assert {block.kind for block in table} == {BlockKind.TABLE}
