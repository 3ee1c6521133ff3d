"""PDF pages as they are set: each line with its place, its size and its font."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

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
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    fonts = {
        f"/{name or 'plain'}": DictionaryObject(
            {NameObject(key): NameObject(value) for key, value in _described(base).items()}
        )
        for name, base in FONTS.items()
    }
    for lines in pages:
        page = writer.add_blank_page(595, 842)
        resources = DictionaryObject({NameObject(name): font for name, font in fonts.items()})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): resources})
        content = DecodedStreamObject()
        content.set_data(_content(lines).encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(content)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


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
