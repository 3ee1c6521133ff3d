"""Reads the pages of a PDF with pdfium: only what the page shows is text.

Numbers without a source: by hand. CPU work alone.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from statistics import fmean, median
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingest.documents import Omission, OmissionReason, SourceImage
from ingest.formats.ocr import DPI, OcrLine, is_prose, read_picture
from ingest.formats.pdf.form_fields import read_annotations
from ingest.formats.pdf.pages import Box, Glyph, PdfPage, Style, set_text
from ingest.formats.pdf.visibility import are_seen
from ingest.formats.pictures import picture

FILLING: Final = 0.8
"""Share of a page that a scan covers."""
SAME_HEIGHT: Final = 0.25
"""Relative difference below which lines of a scan are of one size."""
SCAN_SIZE: Final = 0.75
"""Size of the letters of a scan, relative to the height of its lines."""
PAPER: Final = 239
"""Of 255: what is lighter in all colours is not seen on paper."""
_UNSEEN_MODES: Final = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
MAX_SLOPE: Final = 6.0
"""Degrees by which a line may rise or fall; a watermark is steeper."""
MAX_EDGES: Final = 20_000
MAX_GLYPHS: Final = 100_000
"""Of a page; further ones are left out. 500,000 took 105 s and 3.4 GB; newspapers have 30,000."""
_BOLD: Final = ("bold", "black", "heavy")
_MONOSPACED: Final = ("mono", "courier", "consol", "typewriter", "hack-", "menlo", "cmtt")
_HYPHENS: Final = {0x02: "-", 0xFFFE: "-"}
"""What pdfium writes for a hyphen at the end of a line."""
_INVISIBLE: Final = frozenset("\0\u200b\u200c\u200d\u2060\ufeff")


def read_page(document: pdfium.PdfDocument, number: int) -> PdfPage:
    """Read a page, counted from 1."""
    page = document[number - 1]
    turn = page.get_rotation()
    page.set_rotation(0)  # the text's own direction counts
    textpage = page.get_textpage()
    glyphs = list(_glyphs(textpage))
    fields, omissions = read_annotations(document, page, number)
    shown = [glyph for glyph, is_seen in zip(glyphs, are_seen(page, glyphs), strict=True) if is_seen]
    if (further := textpage.count_chars() - MAX_GLYPHS) > 0:
        omissions += (Omission(OmissionReason.OBJECT, f"page {number}", "text", further),)
    counts = Counter(glyph.style.quarters for glyph in shown if glyph.style.quarters is not None)
    quarters = counts.most_common(1)[0][0] if counts else 0
    upright = [glyph for glyph in shown if glyph.style.quarters == quarters]
    omissions += tuple(_omissions(OmissionReason.HIDDEN, number, glyphs, shown))
    omissions += tuple(_omissions(OmissionReason.FURNITURE, number, shown, upright))
    images = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
    insets = [(Box(*image.get_bounds()), hash(bytes(image.get_data()))) for image in images if not quarters]
    result = PdfPage(
        number,
        Box(*page.get_bbox()).turned(quarters),
        tuple(_turned(glyph, quarters) for glyph in [*upright, *fields]),
        tuple(edge.turned(quarters) for edge in islice(_edges(page), MAX_EDGES)),
        tuple(_jpegs(images)),
        tuple(inset for inset in insets if not any(inset[0].holds(glyph.box) for glyph in shown)),
        omissions,
        any(_area(image.get_bounds()) >= FILLING * _area(page.get_bbox()) for image in images),
        turn,
    )
    textpage.close()
    page.close()
    return result


def read_scan(document: pdfium.PdfDocument, page: PdfPage) -> PdfPage:
    """Return a page with the text of its picture, if there is any, as viewers show it."""
    scan = replace(page, glyphs=(), edges=(), box=page.box.turned(page.turn // 90))
    read = read_insets(document, scan, [scan.box], scan.turn)
    return read if read.confidence else page


def read_insets(document: pdfium.PdfDocument, page: PdfPage, insets: Sequence[Box], turn: int = 0) -> PdfPage:
    """Return a page with the text of the pictures at these places, if there is any, where they are."""
    picture, scale = document[page.number - 1].render(scale=DPI / 72, rotation=turn).to_pil(), 72 / DPI
    glyphs, confidences = list(page.glyphs), list[float]()
    most = median(glyph.style.size for glyph in glyphs) if glyphs else math.inf  # what a logo says is no heading
    for inset in insets:
        left, top = inset.left - page.box.left, page.box.top - inset.top
        size = inset.right - inset.left, inset.top - inset.bottom
        lines = read_picture(
            picture.crop(tuple(int(edge / scale) for edge in (left, top, left + size[0], top + size[1])))
        )
        if inset != page.box and not is_prose(lines):
            continue
        glyphs += _read_glyphs(lines, inset, scale, most)
        confidences += (line.confidence for line in lines)
    return replace(page, glyphs=tuple(glyphs), confidence=fmean(confidences) if confidences else 0.0)


def _read_glyphs(lines: Sequence[OcrLine], place: Box, scale: float, most: float) -> Iterator[Glyph]:
    """Yield the glyphs of lines read in a picture at a place, of a size of at most so many points."""
    usual = median(line.box[3] - line.box[1] for line in lines) * scale if lines else 0.0
    for line in lines:
        left, top, right, bottom = (edge * scale for edge in line.box)
        height = usual if abs(bottom - top - usual) < SAME_HEIGHT * usual else bottom - top
        box = Box(place.left + left, place.top - bottom, place.left + right, place.top - top)
        yield from set_text(line.text, box, Style(min(height * SCAN_SIZE, most)))


def _omissions(
    reason: OmissionReason, number: int, glyphs: Sequence[Glyph], kept: Sequence[Glyph]
) -> Iterator[Omission]:
    """Name the glyphs that are not kept, line by line."""
    ids = set(map(id, kept))
    for is_kept, group in groupby(glyphs, key=lambda glyph: id(glyph) in ids):
        for line in "".join(glyph.text for glyph in group).split("\n") if not is_kept else ():
            if line.strip():
                yield Omission.of(reason, f"page {number}", line)


def _glyphs(textpage: pdfium.PdfTextPage) -> Iterator[Glyph]:
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    styles: dict[int | None, Style] = {}
    blank = ""
    for index in range(min(textpage.count_chars(), MAX_GLYPHS)):
        character = _HYPHENS.get(code := raw.FPDFText_GetUnicode(textpage, index)) or chr(code)
        if character.isspace():
            blank = "\n" if "\n" in blank + character else " "
        elif character not in _INVISIBLE:
            raw.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
            raw.FPDFText_GetCharOrigin(textpage, index, x, y)
            key = ctypes.cast(raw.FPDFText_GetTextObject(textpage, index), ctypes.c_void_p).value
            style = styles.get(key) or styles.setdefault(key, _style(textpage, index))
            box = Box(left.value, bottom.value, right.value, top.value)
            origin = Box(x.value, y.value, x.value, y.value).turned(style.quarters or 0)
            yield Glyph(blank + character, box, origin.bottom, style)
            blank = ""


def _style(textpage: pdfium.PdfTextPage, index: int) -> Style:
    matrix, flags, name = raw.FS_MATRIX(), ctypes.c_int(), ctypes.create_string_buffer(256)
    raw.FPDFText_GetMatrix(textpage, index, matrix)
    raw.FPDFText_GetFontInfo(textpage, index, name, len(name), flags)
    font = name.value.decode("utf-8", "replace").lower()
    return Style(
        abs(raw.FPDFText_GetFontSize(textpage, index)) * math.hypot(matrix.c, matrix.d),
        any(mark in font for mark in _BOLD),
        any(mark in font for mark in _MONOSPACED),
        _quarters(math.degrees(math.atan2(matrix.b, matrix.a))),
        is_lacking=_is_lacking(textpage, index),
    )


def _is_lacking(textpage: pdfium.PdfTextPage, index: int) -> bool:
    """Whether nothing is drawn of a character, since its font is neither in the file nor on this machine."""
    text = raw.FPDFText_GetTextObject(textpage, index)
    font = raw.FPDFTextObj_GetFont(text)
    if raw.FPDFFont_GetIsEmbedded(font) or raw.FPDFTextObj_GetTextRenderMode(text) in _UNSEEN_MODES:
        return False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFText_GetFillColor(textpage, index, red, green, blue, alpha)
    is_white = min(red.value, green.value, blue.value) > PAPER or not alpha.value
    return not is_white and not raw.FPDFFont_GetGlyphPath(font, raw.FPDFText_GetUnicode(textpage, index), 1)


def _quarters(angle: float) -> int | None:
    """The quarters of a turn that an angle is; None for one between them, as that of a watermark."""
    return round(angle / 90) % 4 if abs(angle - 90 * round(angle / 90)) <= MAX_SLOPE else None


def _turned(glyph: Glyph, quarters: int) -> Glyph:
    return Glyph(glyph.text, glyph.box.turned(quarters), glyph.base, glyph.style) if quarters else glyph


def _edges(page: pdfium.PdfPage) -> Iterator[Box]:
    """Yield the straight lines of the page's drawings; those within forms lie elsewhere and are left out."""
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        matrix = path.get_matrix()
        start = last = (0.0, 0.0)
        for index in range(raw.FPDFPath_CountSegments(path)):
            segment = raw.FPDFPath_GetPathSegment(path, index)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            point = matrix.on_point(x.value, y.value)
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == raw.FPDF_SEGMENT_MOVETO:
                start = point
            elif kind == raw.FPDF_SEGMENT_LINETO:
                yield _edge(last, point)
            if raw.FPDFPathSegment_GetClose(segment):
                yield _edge(point, start)
            last = point


def _edge(first: tuple[float, float], second: tuple[float, float]) -> Box:
    (left, right), (bottom, top) = (sorted(pair) for pair in zip(first, second, strict=True))
    return Box(left, bottom, right, top)


def _area(box: Sequence[float]) -> float:
    return abs((box[2] - box[0]) * (box[3] - box[1]))


def _jpegs(images: Sequence[Any]) -> Iterator[SourceImage]:
    for image in images:
        if image.get_filters() == ["DCTDecode"]:
            yield picture(bytes(image.get_data()), "", *image.get_px_size())
