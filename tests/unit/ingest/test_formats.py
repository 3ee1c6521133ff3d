"""Files of every kind become documents with title, date, words in CommonMark, and pictures with captions."""

from pathlib import Path

import pytest

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument, PassedOver, Unreadable
from ingest.readers import read
from tests.fakes import office_files as make
from tests.fakes.office_files import FACT
from tests.unit.ingest.structures import read_bytes, read_one

DAY = "2024-03-05T10:00:00Z"
PICTURE = make.png()


def captions(document: ParsedDocument) -> list[tuple[str, str, int]]:
    return [(image.caption, image.media_type, image.width) for image in document.images]


def test_a_page() -> None:
    document = read_one("a.html", make.html(PICTURE))
    assert document.text == f"Menu\n\n# Aquila\n\n{FACT}\n\n| Part | Count |\n| --- | --- |\n| Caméra | 2 |"
    assert (document.title, document.date, document.metadata) == ("Aquila", "2024-03-05", {"language": "en"})
    assert captions(document) == [("The probe", "image/png", 64)]


def test_a_page_takes_pictures_that_lie_beside_it_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    (tmp_path / "site" / "img").mkdir(parents=True)
    (tmp_path / "site" / "img" / "a b.png").write_bytes(PICTURE)
    page = tmp_path / "site" / "a.html"
    sources = ("img/a%20b.png", "../secret.png", "none.png", str(tmp_path / "secret.png"), "https://example.org/c.png")
    page.write_text("".join(f'<p>x<img src="{source}" alt="Shows {n}"></p>' for n, source in enumerate(sources)))
    (document,) = read(Content("a.html", "a.html", "a.html", file=page))
    assert isinstance(document, ParsedDocument)
    assert [(image.caption, image.url) for image in document.images] == [
        ("Shows 0", ""),
        ("Shows 4", "https://example.org/c.png"),
    ]


def test_a_note_takes_the_pictures_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PICTURE)
    note = tmp_path / "a.md"
    note.write_text(
        '# A\n![The probe](a.png "t") ![](a.png) ![Gone](b.png) ![Out](../a.png) ![Far](https://x.org/c.png)'
    )
    (document,) = read(Content("a.md", "a.md", "a.md", file=note))
    assert isinstance(document, ParsedDocument)
    assert [(image.caption, image.url, image.width) for image in document.images] == [
        ("The probe", "", 64),
        ("Far", "https://x.org/c.png", 0),
    ]


def test_a_pdf_with_its_pages_and_a_picture() -> None:
    text = "Aquila has an inter-\nplanetary engine.\n\nFigure 1: The engine"
    document = read_one("a.pdf", make.pdf([text, "", FACT], title="On Aquila", picture=make.jpeg()))
    assert document.text == f"Aquila has an interplanetary engine.\n\nFigure 1: The engine\n\n{FACT}"
    assert (document.title, document.date) == ("On Aquila", DAY)
    assert document.metadata == {"author": "Ann Lee", "pages": "3"}
    assert captions(document) == [("Figure 1: The engine", "image/jpeg", 64)]


def test_a_pdf_that_a_program_named_is_called_by_its_file() -> None:
    document = read_one("aquila.pdf", make.pdf([FACT], title="Microsoft Word - draft7.doc"))
    assert (document.title, document.text) == ("aquila", FACT)


def test_a_word_file() -> None:
    document = read_one("a.docx", make.docx(picture=PICTURE))
    assert document.text == (
        f"# Orbits\n\n{FACT}\n\n- A first point\n- A second point\n\n"
        "| Probe | Mass |\n| --- | --- |\n| Aquila | 640 kg |\n\nAquila before its launch"
    )
    assert (document.title, document.date, document.metadata) == ("A report", DAY, {"author": "Ann Lee"})
    assert captions(document) == [("Aquila before its launch", "image/png", 64)]


def test_slides() -> None:
    document = read_one("a.pptx", make.pptx(PICTURE))
    assert document.text == (
        "## Aquila\n\n- Reached Ceres in 2031\n- Carries two cameras\n\n"
        "| Part | Count |\n| --- | --- |\n| Camera | 2 |\n\nMention the ion engine."
    )
    assert (document.title, document.date, document.metadata["slides"]) == ("Briefing", DAY, "1")
    assert captions(document) == [("The probe in the hall", "image/png", 64)]


def test_a_workbook() -> None:
    document = read_one("a.xlsx", make.xlsx())
    assert document.text == (
        "## Probes\n\n| Probe | Mass | Launch |\n| --- | --- | --- |\n"
        "| Aquila | 640 | 2027-02-01 |\n| Corvus | 12.5 |  |"
    )
    assert (document.title, document.date) == ("Masses", DAY)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", b'Probe,Note\nAquila,"fast, small"\n\nCorvus,"two\nlines"\n'),
        ("a.csv", "Probe;Note\r\nAquila;fast, small\r\nCorvus;two lines\r\n".encode("utf-16")),
        ("a.tsv", b"Probe\tNote\nAquila\tfast, small\nCorvus\ttwo lines"),
    ],
)
def test_a_table(name: str, data: bytes) -> None:
    assert (
        read_one(name, data).text == "| Probe | Note |\n| --- | --- |\n| Aquila | fast, small |\n| Corvus | two lines |"
    )


def test_a_book() -> None:
    document = read_one("a.epub", make.epub(PICTURE))
    assert document.text == f"# First\n\nProbes are many.\n\nThe probe\n\n# Second\n\n{FACT}"
    assert (document.title, document.date, document.metadata) == (
        "The Book of Probes",
        "2024-03-05",
        {"author": "Ann Lee"},
    )
    assert captions(document) == [("The probe", "image/png", 64)]


@pytest.mark.parametrize("name", ["LICENSE", "Makefile", "server.log", "nginx.conf"])
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "cp1252"])
def test_text_is_read_whatever_it_is_called(name: str, charset: str) -> None:
    text = "Die Größe der Sonde überraschte alle, die müde waren."
    document = read_one(name, text.encode(charset))
    assert (document.text, document.title) == (text, Path(name).stem)


def test_bytes_of_no_kind_are_refused_whatever_they_are_called() -> None:
    for name in ("LICENSE", "server.log"):
        (refused,) = read_bytes(name, bytes(range(256)))
        assert isinstance(refused, Unreadable)
        assert refused.reason.startswith("is of an unsupported kind")


@pytest.mark.parametrize("html", [False, True])
def test_a_mail(html: bool) -> None:
    document = read_one("a.eml", make.eml(html=html))
    assert document.text == (FACT if html else f"Dear Bob,\n\n{FACT}")
    assert (document.title, document.date) == ("News of Aquila", DAY)
    assert document.metadata == {"from": "Ann Lee <ann@example.org>", "to": "bob@example.org"}


def test_what_is_attached_to_a_mail_are_documents_of_their_own() -> None:
    mail = make.eml(
        ("report.pdf", "application/pdf", make.pdf([FACT])),
        ("report.pdf", "application/pdf", make.pdf(["Another."])),
        ("inner.eml", "application/octet-stream", make.eml(("list.csv", "text/csv", b"A,B\n1,2\n"))),
        ("signature.asc", "application/pgp-signature", b"x"),
        ("probe.png", "image/png", PICTURE),
        ("torn.docx", "application/zip", b"PK\x03\x04"),
    )
    results = read_bytes("a.eml", mail)
    documents = {d.document_id: d for d in results if isinstance(d, ParsedDocument)}
    assert list(documents) == [
        "a.eml",
        "a.eml#report.pdf",
        "a.eml#report-2.pdf",
        "a.eml#inner.eml",
        "a.eml#inner.eml#list.csv",
    ]
    assert documents["a.eml#report.pdf"].metadata["mail"] == "News of Aquila"
    assert captions(documents["a.eml"]) == [("probe", "image/png", 64)]
    assert [u.where for u in results if isinstance(u, Unreadable)] == ["a.eml#torn.docx"]
    assert [p.where for p in results if isinstance(p, PassedOver)] == ["a.eml#signature.asc"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Überraschung für Ann".encode("utf-16"), "Überraschung für Ann"),
        ("\ufeffÜber".encode(), "Über"),
        ("Die Größe der Sonde überraschte alle, die müde waren. ".encode("cp1252") * 5, None),
        (b"a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_text_is_read_in_the_encoding_that_it_is_in(data: bytes, text: str | None) -> None:
    expected_text = text if text is not None else "Die Größe der Sonde überraschte alle, die müde waren. " * 5
    assert read_one("a.txt", data).text == expected_text


def test_what_a_file_is_counts_more_than_what_it_is_called() -> None:
    assert FACT in read_one("a.txt", make.pdf([FACT])).text
    assert FACT in read_one("a.docx", make.epub()).text
    assert FACT in read_one("page.aspx", make.html()).text


def test_a_long_text_becomes_several_documents() -> None:
    bounds = ReadingBounds(text_bytes=200)
    paragraphs = [f"Paragraph {number} says very little." for number in range(20)]
    parts = read_bytes("a.txt", "\n\n".join(paragraphs).encode(), bounds)
    assert all(isinstance(part, ParsedDocument) and len(part.text.encode()) <= 200 for part in parts)
    texts = [part.text for part in parts if isinstance(part, ParsedDocument)]
    assert "".join(texts) == "\n\n".join(paragraphs)
    assert [part.document_id for part in parts if isinstance(part, ParsedDocument)][:3] == [
        "a.txt",
        "a.txt#2",
        "a.txt#3",
    ]


def test_a_long_table_becomes_several_documents_that_all_name_the_columns() -> None:
    rows = [("Probe", "Mass"), *((f"P{number}", number) for number in range(900))]
    parts = read_bytes("a.xlsx", make.xlsx(rows), ReadingBounds(text_bytes=9000))
    documents = [part for part in parts if isinstance(part, ParsedDocument)]
    assert len({document.document_id for document in documents}) == len(documents) > 2
    assert all(len(document.text.encode()) <= 9000 for document in documents)
    structures = [document.structure for document in documents if document.structure]
    assert [structure.headings(structure.blocks[0].section) for structure in structures] == [("Probes",)] * len(
        documents
    )
    items = [line for document in documents for line in document.text.split("\n") if line.startswith("- ")]
    assert items == [f"- Probe: P{number}; Mass: {number}." for number in range(900)]


def test_pictures_beyond_the_bounds_are_counted() -> None:
    pictures = "".join(f'<img alt="n" src="https://example.org/{number}.png">' for number in range(5))
    bounds = ReadingBounds(pictures=3)
    document = read_one("a.html", f"<html><p>x</p>{pictures}".encode(), bounds)
    assert (len(document.images), document.metadata) == (3, {"pictures_left_out": "2"})
