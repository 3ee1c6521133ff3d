"""PDF pages as they are set: each line with its place, its size and its font."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

FONTS: Final = {"": "/Helvetica", "bold": "/Helvetica-Bold", "mono": "/Courier"}
TOP: Final = 780


@dataclass(frozen=True, slots=True)
class Set:
    """A line of text; a cell behind a tab stands in the next column."""

    text: str
    size: float = 10
    font: str = ""
    """`bold`, `mono`, or neither."""
    x: float = 50
    gap: float = 0
    """Points above it, beyond the usual distance of lines."""
    y: float | None = None
    """Where it stands; None: below the lines before it."""


def set_pdf(pages: Iterable[Sequence[Set]]) -> bytes:
    """A PDF of pages of lines."""
    return draw_pdf(map(_content, pages))


@dataclass(frozen=True, slots=True)
class Field:
    """An annotation of the first page: a field of a form unless it is of another kind."""

    text: str
    box: tuple[float, float, float, float]
    """Left, bottom, right, top."""
    kind: str = "/Widget"
    flags: int = 4
    """2: hidden, 4: printed."""


def draw_pdf(
    contents: Iterable[str], fields: Sequence[Field] = (), crop: Sequence[float] = (), picture: bytes = b""
) -> bytes:
    """A PDF of pages of drawing operators; fonts: /plain, /bold, /mono, /chinese (UCS-2); a JPEG is /picture."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, RectangleObject

    writer = PdfWriter()
    fonts = {
        f"/{name or 'plain'}": DictionaryObject(
            {NameObject(key): NameObject(value) for key, value in _described(base).items()}
        )
        for name, base in FONTS.items()
    }
    fonts["/chinese"] = _chinese()
    for text in contents:
        page = writer.add_blank_page(595, 842)
        named_fonts = DictionaryObject({NameObject(name): font for name, font in fonts.items()})
        resources = DictionaryObject({NameObject("/Font"): named_fonts})
        page[NameObject("/Resources")] = resources
        if picture:
            resources[NameObject("/XObject")] = DictionaryObject(
                {NameObject("/picture"): writer._add_object(_jpeg(picture))}
            )
        if crop:
            page.cropbox = RectangleObject(tuple(crop))
        content = DecodedStreamObject()
        content.set_data(text.encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(content)
    _annotate(writer, fields)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _chinese() -> Any:
    """A font that is not in the file, as programs write it that leave it to the machine."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

    system = DictionaryObject(
        {
            NameObject("/Registry"): TextStringObject("Adobe"),
            NameObject("/Ordering"): TextStringObject("GB1"),
            NameObject("/Supplement"): NumberObject(2),
        }
    )
    names = {"/Type": "/Font", "/Subtype": "/CIDFontType0", "/BaseFont": "/STSong-Light"}
    signs = DictionaryObject({NameObject(key): NameObject(value) for key, value in names.items()})
    signs[NameObject("/CIDSystemInfo")] = system
    names = {**names, "/Subtype": "/Type0", "/Encoding": "/UniGB-UCS2-H"}
    font = DictionaryObject({NameObject(key): NameObject(value) for key, value in names.items()})
    font[NameObject("/DescendantFonts")] = ArrayObject([signs])
    return font


def _jpeg(data: bytes) -> Any:
    from PIL import Image
    from pypdf.generic import NameObject, NumberObject, StreamObject

    width, height = Image.open(io.BytesIO(data)).size
    stream = StreamObject()
    stream._data = data
    names = {"/Type": "/XObject", "/Subtype": "/Image", "/Filter": "/DCTDecode", "/ColorSpace": "/DeviceRGB"}
    stream.update({NameObject(key): NameObject(value) for key, value in names.items()})
    for key, value in (("/Width", width), ("/Height", height), ("/BitsPerComponent", 8)):
        stream[NameObject(key)] = NumberObject(value)
    return stream


def _annotate(writer: Any, fields: Sequence[Field]) -> None:
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject, TextStringObject

    references = ArrayObject()
    for number, field in enumerate(fields):
        annotation = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Annot"),
                NameObject("/Subtype"): NameObject(field.kind),
                NameObject("/Rect"): ArrayObject(map(FloatObject, field.box)),
                NameObject("/F"): NumberObject(field.flags),
                NameObject("/Contents" if field.kind != "/Widget" else "/V"): TextStringObject(field.text),
            }
        )
        if field.kind == "/Widget":
            annotation[NameObject("/FT")] = NameObject("/Tx")
            annotation[NameObject("/T")] = TextStringObject(f"field{number}")
        references.append(writer._add_object(annotation))
    if fields:
        writer.pages[0][NameObject("/Annots")] = references
        form = DictionaryObject({NameObject("/Fields"): references})
        writer._root_object[NameObject("/AcroForm")] = form


def _described(base: str) -> dict[str, str]:
    return {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": base, "/Encoding": "/WinAnsiEncoding"}


def _content(lines: Sequence[Set]) -> str:
    operators, y = [], float(TOP)
    for line in lines:
        y -= 0 if line.y is not None else line.gap + 1.2 * line.size
        place = y if line.y is None else line.y
        for column, cell in enumerate(line.text.split("\t")):
            x = line.x + 150 * column
            operators.append(
                f"BT /{line.font or 'plain'} {line.size} Tf 1 0 0 1 {x} {place} Tm ({_escaped(cell)}) Tj ET"
            )
    return "\n".join(operators)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
