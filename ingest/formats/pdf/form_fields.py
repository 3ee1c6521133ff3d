"""What a reader of a PDF adds to its pages: the values of form fields, free text, and comments. CPU work alone."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingest.documents import Omission, OmissionReason
from ingest.formats.pdf.pages import Box, Glyph, Style, set_text

MAX_SIZE: Final = 12.0
"""Of the text in a field, in points; a low field has smaller text. Viewers choose alike."""
_HIDDEN: Final = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD: Final = 1 << 13
"""Flag of a text field in ISO 32000."""
_TICKED: Final = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_VALUED: Final = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)


def read_annotations(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, number: int
) -> tuple[list[Glyph], tuple[Omission, ...]]:
    """Return the glyphs of the fields and free text of a page, and its comments and hidden fields as omissions."""
    glyphs: list[Glyph] = []
    omissions: list[Omission] = []
    for annotation in _annotations(page):
        text = " ".join(_text(document, annotation).split())
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        helps = _helps(document, annotation) if kind == raw.FPDF_ANNOT_WIDGET and document.formenv else ()
        omissions += (Omission.of(OmissionReason.HIDDEN, f"page {number}, field", each) for each in helps if each)
        if not text:
            continue
        if raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            omissions.append(Omission.of(OmissionReason.HIDDEN, f"page {number}, field", text))
        elif kind in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT):
            glyphs += _set(text, annotation, kind == raw.FPDF_ANNOT_WIDGET)
        else:
            omissions.append(Omission.of(OmissionReason.OBJECT, f"page {number}, comment", text))
    return glyphs, tuple(omissions)


def _annotations(page: pdfium.PdfPage) -> Iterator[Any]:
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        if annotation := raw.FPDFPage_GetAnnot(page, index):
            yield annotation
            raw.FPDFPage_CloseAnnot(annotation)


def _text(document: pdfium.PdfDocument, annotation: Any) -> str:
    """The value of a field, or the contents of another annotation; empty for a field without a visible value."""
    if raw.FPDFAnnot_GetSubtype(annotation) != raw.FPDF_ANNOT_WIDGET:
        return _read(lambda *buffer: raw.FPDFAnnot_GetStringValue(annotation, b"Contents", *buffer))
    form = document.formenv
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation) if form else -1
    if kind in _TICKED:
        return "[x]" if raw.FPDFAnnot_IsChecked(form, annotation) else "[ ]"
    if kind not in _VALUED or raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
        return ""
    return _read(lambda *buffer: raw.FPDFAnnot_GetFormFieldValue(form, annotation, *buffer))


def _helps(document: pdfium.PdfDocument, field: Any) -> Iterator[str]:
    """What a field shows only at the pointer: its description, and what can be chosen."""
    form = document.formenv
    yield _read(lambda *buffer: raw.FPDFAnnot_GetFormFieldAlternateName(form, field, *buffer))
    for index in range(max(0, raw.FPDFAnnot_GetOptionCount(form, field))):
        yield _read(lambda *buffer, at=index: raw.FPDFAnnot_GetOptionLabel(form, field, at, *buffer))


def _read(fill: Callable[..., int]) -> str:
    """The string that a function of pdfium writes into a buffer whose size it tells when there is none."""
    size = fill(None, 0)
    buffer = ctypes.create_string_buffer(size)
    fill(ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw[: max(0, size - 2)].decode("utf-16-le", "replace")


def _set(text: str, annotation: Any, is_joined: bool) -> Iterator[Glyph]:
    """Yield the glyphs of one line in the middle of a field."""
    rectangle = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rectangle)
    left, right = sorted((rectangle.left, rectangle.right))
    bottom, top = sorted((rectangle.bottom, rectangle.top))
    size = min(MAX_SIZE, top - bottom)
    middle, width = (bottom + top) / 2, min(size / 2 * len(text), right - left)
    box = Box(left, middle - size / 2, left + width, middle + size / 2)
    return set_text(text, box, Style(size, is_joined=is_joined))
