"""Files of every kind that is read, made by the libraries that people make them with, or by hand."""

import base64
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from email.message import EmailMessage
from typing import Any

MOMENT = datetime(2024, 3, 5, 10, 0, tzinfo=UTC)
FACT = "The probe Aquila entered the orbit of Ceres on 9 June 2031."


def png(width: int = 64, height: int = 64, shade: int = 90) -> bytes:
    return _picture("PNG", width, height, shade)


def jpeg(width: int = 64, height: int = 64, shade: int = 90) -> bytes:
    return _picture("JPEG", width, height, shade)


def _picture(kind: str, width: int, height: int, shade: int) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (width, height), (shade, 10, 200)).save(out, kind)
    return out.getvalue()


def pdf(pages: Iterable[str], title: str = "", password: str = "", picture: bytes = b"") -> bytes:
    """A PDF of lines of Helvetica; a JPEG is put on the first page."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, NumberObject, StreamObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for number, text in enumerate(pages):
        page = writer.add_blank_page(595, 842)
        resources = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
        if picture and number == 0:
            page_content = StreamObject()
            page_content._data = picture
            entries = {"/Type": "/XObject", "/Subtype": "/Image", "/Filter": "/DCTDecode", "/ColorSpace": "/DeviceRGB"}
            page_content.update({NameObject(key): NameObject(value) for key, value in entries.items()})
            for key, value in (("/Width", 64), ("/Height", 64), ("/BitsPerComponent", 8)):
                page_content[NameObject(key)] = NumberObject(value)
            resources[NameObject("/XObject")] = DictionaryObject({NameObject("/Im1"): writer._add_object(page_content)})
        page[NameObject("/Resources")] = resources
        content = DecodedStreamObject()
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n"))
        drawing = "q 64 0 0 64 450 600 cm /Im1 Do Q " if picture and number == 0 else ""
        content.set_data(f"{drawing}BT /F1 11 Tf 50 780 Td {lines} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({"/Title": title, "/Author": "Ann Lee", "/CreationDate": "D:20240305100000Z"})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    return saved(writer.write)


def docx(title: str = "A report", picture: bytes = b"") -> bytes:
    import docx as library

    document = library.Document()
    document.core_properties.title = title
    document.core_properties.author = "Ann Lee"
    document.core_properties.modified = MOMENT
    document.add_heading("Orbits", level=1)
    document.add_paragraph(FACT)
    document.add_paragraph("A first point", style="List Bullet")
    document.add_paragraph("A second point", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Probe", "Mass"), ("Aquila", "640 kg")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    if picture:
        document.add_picture(io.BytesIO(picture))
        document.add_paragraph("Aquila before its launch", style="Caption")
    return saved(document.save)


def pptx(picture: bytes = b"") -> bytes:
    import pptx as library
    from pptx.util import Inches

    slides = library.Presentation()
    slides.core_properties.title = "Briefing"
    slides.core_properties.modified = MOMENT.replace(tzinfo=None)
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = "Aquila"
    slide.placeholders[1].text = "Reached Ceres in 2031\nCarries two cameras"
    slide.notes_slide.notes_text_frame.text = "Mention the ion engine."
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(5), Inches(4), Inches(1)).table
    for row, cells in enumerate((("Part", "Count"), ("Camera", "2"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    if picture:
        shape = slide.shapes.add_picture(io.BytesIO(picture), Inches(6), Inches(1))
        shape._element._nvXxPr.cNvPr.set("descr", "The probe in the hall")
    return saved(slides.save)


def xlsx(rows: Iterable[Iterable[Any]] = ()) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.properties.title = "Masses"
    sheet = book.active
    sheet.title = "Probes"
    for row in rows or (("Probe", "Mass", "Launch"), ("Aquila", 640.0, date(2027, 2, 1)), ("Corvus", 12.5, None)):
        sheet.append(tuple(row))
    return _changed_at_moment(saved(book.save))


def _changed_at_moment(data: bytes) -> bytes:
    """The same file, last changed at MOMENT, whatever the library says."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    timestamp = f"{MOMENT:%Y-%m-%dT%H:%M:%SZ}".encode()
    core = archive_part(parts, "docProps/core.xml")
    parts["docProps/core.xml"] = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + timestamp, core)
    return packed(parts)


def archive_part(parts: dict[str, bytes | str], name: str) -> bytes:
    part = parts[name]
    return part if isinstance(part, bytes) else part.encode()


def epub(picture: bytes = b"", encrypted: bool = False) -> bytes:
    figure = '<figure><img src="../img/probe.png"/><figcaption>The probe</figcaption></figure>' if picture else ""
    parts: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>The Book of Probes</dc:title><dc:creator>Ann Lee</dc:creator><dc:date>2024-03-05</dc:date>"
        '</metadata><manifest><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="text/b%20b.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OEBPS/text/a.xhtml": f"<html><body><h1>Second</h1><p>{FACT}</p></body></html>",
        "OEBPS/text/b b.xhtml": f"<html><body><h1>First</h1><p>Probes are many.</p>{figure}</body></html>",
        "OEBPS/img/probe.png": picture,
    }
    if encrypted:
        names = ("OEBPS/text/a.xhtml", "OEBPS/text/b%20b.xhtml")
        cipher_references = "".join(f'<CipherReference URI="{name}"/>' for name in names)
        parts["META-INF/encryption.xml"] = f"<encryption>{cipher_references}</encryption>"
    return packed(parts)


def eml(*attachments: tuple[str, str, bytes], html: bool = False) -> bytes:
    """A mail; attachments as (name, media type, bytes)."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ann Lee <ann@example.org>", "bob@example.org", "News of Aquila"
    mail["Date"] = "Tue, 05 Mar 2024 10:00:00 +0000"
    if html:
        mail.set_content(f"<html><body><p>{FACT}</p></body></html>", subtype="html")
    else:
        mail.set_content(f"Dear Bob,\n\n{FACT}\n")
    for name, media_type, data in attachments:
        main, _, sub = media_type.partition("/")
        mail.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes()


def html(picture: bytes = b"") -> bytes:
    image = f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}" alt="The probe">' if picture else ""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Aquila</title>'
        f'<meta name="date" content="2024-03-05"></head><body><nav>Menu</nav><h1>Aquila</h1><p>{FACT}</p>{image}'
        "<table><tr><th>Part</th><th>Count</th></tr><tr><td>Caméra</td><td>2</td></tr></table></body></html>"
    ).encode()


def packed(parts: Mapping[str, bytes | str]) -> bytes:
    """A zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def saved(save: Any) -> bytes:
    """What a function writes to a file."""
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def strict(data: bytes) -> bytes:
    """The same file in the strict variant of Office Open XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    pattern = re.compile(rb"http://schemas\.openxmlformats\.org/(\w+)/2006/")
    return packed({name: pattern.sub(rb"http://purl.oclc.org/ooxml/\1/", part) for name, part in parts.items()})
