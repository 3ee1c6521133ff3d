"""What cannot be read gives one line that people understand, and stops nothing."""

import gzip
import io
import time
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.bounds import ReadingBounds
from ingest.documents import Omission, OmissionReason, ParsedDocument, PassedOver, Unreadable
from ingest.formats.known import READERS
from tests.fakes import office_files as make
from tests.fakes.composer import Composer
from tests.unit.ingest.structures import read_bytes, read_one

OFFICE: dict[str, Callable[[], bytes]] = {
    "a.pdf": lambda: make.pdf([make.FACT]),
    "a.docx": make.docx,
    "a.pptx": make.pptx,
    "a.xlsx": make.xlsx,
    "a.epub": make.epub,
    "a.odt": Composer("odt", 1).compose,
}


def reason(name: str, data: bytes, bounds: ReadingBounds | None = None) -> str:
    (results,) = read_bytes(name, data, bounds)
    assert isinstance(results, Unreadable), results
    return results.reason


@pytest.mark.parametrize("name", OFFICE)
def test_a_file_that_was_cut_off_is_told(name: str) -> None:
    whole = OFFICE[name]()
    assert "damaged" in reason(name, whole[: len(whole) // 2]) or name == "a.pdf"


def test_a_pdf_of_which_nothing_is_left_is_told() -> None:
    assert reason("a.pdf", b"%PDF-1.7\n%nothing else") == "cannot be read as PDF: it is damaged, or of another kind"


def test_a_password_is_told() -> None:
    assert "password" in reason("a.pdf", make.pdf([make.FACT], password="secret"))
    assert "password" in reason("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_is_locked_without_a_password_is_read(algorithm: str) -> None:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(make.pdf([make.FACT]))))
    writer.encrypt("", owner_password="owner", algorithm=algorithm)
    assert read_one("a.pdf", make.saved(writer.write)).text == make.FACT


def test_a_book_that_is_protected_is_told() -> None:
    assert reason("a.epub", make.epub(encrypted=True)) == "is protected against copying, so its text cannot be read"


def test_a_pdf_of_pictures_only_is_told_with_what_would_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ingest.formats.ocr", "ingest.formats.pdf.reader"):
        monkeypatch.setattr(f"{module}.is_installed", lambda: False)
    assert "scanned pages need the extra `ocr`" in reason("a.pdf", make.pdf(["", ""], picture=make.jpeg()))


@pytest.mark.parametrize("name", OFFICE)
def test_a_file_that_is_not_what_its_name_says_is_told(name: str) -> None:
    assert reason(name, b"just words") == f"is not in the {name[2:]} format, despite its name"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.html", b"", "contains no HTML"),
        ("a.eml", b"just words", "is not a mail"),
        ("a.csv", b'A,B\n"never closed,' + b"x" * 200_000, "a quotation mark that nothing closes"),
        ("a.txt", bytes(range(256)) * 20, "is not text"),
        ("a.zip", make.packed({"a.txt": "x"}), "is of an unsupported kind"),
        ("a.pdf.gz", gzip.compress(b"%PDF-1.7", mtime=0)[:-4], "cannot be decompressed"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, data: bytes, message: str) -> None:
    assert message in reason(name, data)


def test_a_bomb_is_not_unpacked() -> None:
    out = io.BytesIO(make.docx())
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/bomb.bin", bytes(80_000_000))
    assert "which is more than the limit" in reason("a.docx", out.getvalue())
    assert "larger than 1,000 bytes" in reason("a.txt.gz", gzip.compress(b"x" * 5000), ReadingBounds(file_bytes=1000))


def test_a_large_file_is_not_read() -> None:
    assert reason("a.txt", b"x" * 101, ReadingBounds(file_bytes=100)) == "is larger than 100 bytes: split it"


def test_a_line_that_is_too_long_is_passed_over() -> None:
    data = b'{"id": "a", "text": "A"}\n{"id": "b", "text": "' + b"b" * 500 + b'"}\n{"id": "c", "text": "C"}'
    results = read_bytes("a.jsonl", data, ReadingBounds(line_bytes=100))
    problems = [
        one.line if isinstance(one, Unreadable) else one.document_id
        for one in results
        if not isinstance(one, PassedOver)
    ]
    assert problems == ["a", 2, "c"]


def test_a_mail_with_too_many_attachments_is_told() -> None:
    mail = make.eml(*((f"{number}.txt", "application/octet-stream", b"x") for number in range(5)))
    results = read_bytes("a.eml", mail, ReadingBounds(attachments=3))
    assert [type(one).__name__ for one in results] == ["ParsedDocument", "Unreadable"] + 3 * ["ParsedDocument"]


def test_mails_in_mails_end() -> None:
    mail = make.eml()
    for _ in range(4):
        mail = make.eml(("inner.eml", "application/octet-stream", mail))
    problems = [one for one in read_bytes("a.eml", mail, ReadingBounds(depth=2)) if isinstance(one, Unreadable)]
    assert [one.reason for one in problems] == ["is attached 3 mails deep: save it as a file"]


@pytest.mark.parametrize(
    ("name", "mark", "times"),
    [
        ("a.adoc", "image:a[", 20_000),
        ("a.adoc", "kbd:", 40_000),
        ("a.tex", "\\iffalse ", 20_000),
        ("a.md", "\t", 200_000),
        ("a.md", "<!-- ", 40_000),
        ("a.md", "letters", 30_000),
        ("a.html", "<p>so<b>me{0}</b>{0}ther, al<b>so{0}</b>{0}me</p>", 20_000),
    ],
)
def test_what_is_never_closed_or_never_ends_costs_little(name: str, mark: str, times: int) -> None:
    data = "".join(mark.format(chr(ord("一") + number)) for number in range(times)).encode()
    start = time.process_time()
    read_bytes(name, data)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("name", [f"a{kind}" for kind in READERS])
@given(data=st.binary(max_size=200))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_break_a_reader(name: str, data: bytes) -> None:
    assert all(isinstance(result, ParsedDocument | Unreadable) for result in read_bytes(name, data))


@pytest.mark.parametrize("name", OFFICE)
@given(place=st.floats(0, 0.999), byte=st.integers(0, 255))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damage_breaks_a_reader(name: str, place: float, byte: int, make_file: Callable[[str], bytes]) -> None:
    data = bytearray(make_file(name))
    data[int(place * len(data))] = byte
    assert all(isinstance(result, ParsedDocument | Unreadable) for result in read_bytes(name, bytes(data)))


@pytest.fixture(scope="module")
def make_file() -> Callable[[str], bytes]:
    files = {name: make_one() for name, make_one in OFFICE.items()}
    return files.__getitem__


def drawn_in_forms(depth: int, page: int = 2) -> bytes:
    """A PDF of three pages, one of which draws a form of ten forms of ten forms and so on with a sentence in each."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, RectangleObject

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(make.pdf(["One.", make.FACT, "Three."]))))
    resources = writer.pages[page - 1]["/Resources"]
    content = writer.pages[page - 1].get_contents()
    assert content is not None
    drawn = content.get_data()
    for _ in range(depth):
        form = DecodedStreamObject()
        form.set_data(drawn)
        form.update({NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Form")})
        form.update({NameObject("/BBox"): RectangleObject((0, 0, 600, 850)), NameObject("/Resources"): resources})
        resources = DictionaryObject(
            {NameObject("/XObject"): DictionaryObject({NameObject("/form"): writer._add_object(form)})}
        )
        drawn = b"/form Do " * 10
    stream = DecodedStreamObject()
    stream.set_data(drawn)
    writer.pages[page - 1][NameObject("/Resources")] = resources
    writer.pages[page - 1][NameObject("/Contents")] = writer._add_object(stream)
    return make.saved(writer.write)


def test_a_page_of_a_pdf_that_draws_without_end_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.formats.pdf.trying.SECONDS", 1.0)
    document = read_one("a.pdf", drawn_in_forms(depth=12))
    assert document.text == "One.\n\nThree."
    assert document.omissions == (Omission(OmissionReason.DAMAGED, "page 2"),)
    assert make.FACT in read_one("a.pdf", drawn_in_forms(depth=2)).text


def test_a_pdf_with_nothing_but_such_a_page_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.formats.pdf.trying.SECONDS", 1.0)
    monkeypatch.setattr("ingest.formats.pdf.trying.MAX_LEFT_OUT", 0)
    assert reason("a.pdf", drawn_in_forms(depth=12)) == "has pages that take too much memory or time"


def test_the_characters_of_a_page_beyond_the_most_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.formats.pdf.drawing.MAX_GLYPHS", 9)
    document = read_one("a.pdf", make.pdf([make.FACT]))
    assert len(document.text) <= 9
    assert [(each.place, each.characters) for each in document.omissions] == [("page 1", len(make.FACT) - 9)]
