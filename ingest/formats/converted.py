"""Texts with markup that a library converts to HTML, which is then read like any page. Reading blocks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ingest.content import Content, parsing
from ingest.detection.charsets import Decoded, decoded
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.hypertext import page_document
from ingest.reader import Format, Sample
from libs.documents.conversion import ConvertedText
from libs.web.iso_dates import iso_stamp


@dataclass(frozen=True, slots=True)
class ConvertedReader:
    """Reads one format by a function that converts it."""

    format: Format
    convert: Callable[[str], ConvertedText]
    head: bytes = b""
    """The bytes with which each file of the format begins; empty: any text may be of the format."""

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes show this format."""
        return bool(self.head) and sample.head.startswith(self.head)

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document; errors as in `Reader`."""
        source = decoded(content.read(), content.charset)
        with parsing(self.format.name):
            converted = self.convert(source.text)
        document = page_document(content, Decoded(converted.html, source.omissions))
        date = iso_stamp(converted.date)
        left_out = [Omission.of(OmissionReason[reason], "", text) for reason, text in converted.left_out]
        if converted.date and not date:
            left_out.append(Omission.of(OmissionReason.DAMAGED, "date", converted.date))
        yield replace(
            document,
            date=date or document.date,
            metadata={**converted.metadata, **document.metadata},
            omissions=(*document.omissions, *left_out),
        )


def _rst(source: str) -> ConvertedText:
    from ingest.formats.conversion.restructured import convert_rst  # imports docutils, a tenth of a second

    return convert_rst(source)


def _latex(source: str) -> ConvertedText:
    from ingest.formats.conversion.latex import convert_latex  # imports pylatexenc, .06 seconds

    return convert_latex(source)


def _rtf(source: str) -> ConvertedText:
    from ingest.formats.conversion.rich_text import convert_rtf  # imports striprtf, .02 seconds

    return convert_rtf(source)


def _asciidoc(source: str) -> ConvertedText:
    from ingest.formats.conversion.asciidoc import convert_asciidoc

    return convert_asciidoc(source)


def _notebook(source: str) -> ConvertedText:
    from ingest.formats.conversion.notebooks import convert_notebook  # imports the parser of Markdown

    return convert_notebook(source)


CONVERTED: Final = (
    ConvertedReader(Format("reStructuredText", (".rst", ".rest"), ("text/x-rst", "text/prs.fallenstein.rst")), _rst),
    ConvertedReader(Format("AsciiDoc", (".adoc", ".asciidoc"), ("text/asciidoc",)), _asciidoc),
    ConvertedReader(Format("LaTeX", (".tex", ".latex"), ("application/x-tex", "text/x-tex")), _latex),
    ConvertedReader(Format("a notebook", (".ipynb",), ("application/x-ipynb+json",)), _notebook),
    ConvertedReader(Format("Rich Text", (".rtf",), ("application/rtf", "text/rtf"), binary=True), _rtf, b"{\\rtf"),
)
"""The readers of all formats that are converted."""
