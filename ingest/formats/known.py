"""All formats that are read: how a file of each is recognised, and the module that reads it."""

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from ingest.content import Content
from ingest.documents import ReadResult


@dataclass(frozen=True, slots=True)
class Format:
    """A format, read by the function `read` of a module, or converted by its `to_html`, and then read as a page.

    The module is imported with the first such file.
    """

    name: str
    kinds: tuple[str, ...]
    """Suffixes in lower case, with the dot; the first is the kind of a content that is detected without one of them."""
    module: str
    """Below `ingest.formats`."""
    media_types: tuple[str, ...] = ()
    """Media types for which the host or mail is believed, unless the content says otherwise."""
    parts: frozenset[str] = frozenset()
    """Names of parts that each of its files has if it is packed; empty for any other format."""
    head: re.Pattern[bytes] | None = None
    """What each of its files begins with; None: text that could be of any format."""
    binary: bool = False
    """Whether the content always tells the format: a file that is only named so is refused."""

    def detects(self, head: bytes, parts: Set[str]) -> bool:
        """Whether a content with these first bytes, and parts if it is packed, is of this format."""
        is_begun = self.head is not None and self.head.match(head) is not None
        return is_begun or (bool(self.parts) and self.parts <= parts)

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield the documents of a content, and what of it cannot be read.

        Raises:
            BrokenContent: the content gives no document. No other exception is raised for damaged content, except
                MemoryError and RecursionError.
        """
        module = import_module(f"ingest.formats.{self.module}")
        if hasattr(module, "to_html"):
            yield import_module("ingest.formats.converted").converted(content, self.name, module.to_html)
        else:
            yield from module.read(content)


def _packed(name: str, kinds: tuple[str, ...], module: str, *parts: str) -> Format:
    return Format(name, kinds, module, parts=frozenset(parts), binary=True)


_PAGE: Final = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.DOTALL)
_PDF: Final = re.compile(rb".{,1019}%PDF-", re.DOTALL)
"""Some programs write something before the signature (number: taste)."""
_OUTLOOK: Final = frozenset({"__properties_version1.0"})
HTML: Final = Format(
    "HTML", (".html", ".htm", ".xhtml"), "hypertext", ("text/html", "application/xhtml+xml"), head=_PAGE
)
TEXT: Final = Format("plain text", (".txt",), "plain", ("text/plain",))
FORMATS: Final = (
    Format("PDF", (".pdf",), "pdf.reader", head=_PDF, binary=True),
    _packed("epub", (".epub",), "books", "META-INF/container.xml"),
    _packed("docx", (".docx",), "office.word", "word/document.xml"),
    _packed("pptx", (".pptx",), "office.slides", "ppt/presentation.xml"),
    _packed("xlsx", (".xlsx", ".xlsm"), "office.sheets", "xl/workbook.xml"),
    _packed("OpenDocument", (".odt", ".ods", ".odp"), "opendocument.reader", "content.xml", "META-INF/manifest.xml"),
    Format("Outlook", (".msg",), "outlook", ("application/vnd.ms-outlook",), _OUTLOOK, binary=True),
    Format("a mail", (".eml",), "mail", ("message/rfc822",)),
    HTML,
    Format("Markdown", (".md", ".markdown"), "markdown", ("text/markdown",)),
    Format(
        "reStructuredText",
        (".rst", ".rest"),
        "conversion.restructured",
        ("text/x-rst", "text/prs.fallenstein.rst"),
    ),
    Format("AsciiDoc", (".adoc", ".asciidoc"), "conversion.asciidoc", ("text/asciidoc",)),
    Format("LaTeX", (".tex", ".latex"), "conversion.latex", ("application/x-tex", "text/x-tex")),
    Format("a notebook", (".ipynb",), "conversion.notebooks", ("application/x-ipynb+json",)),
    Format(
        "Rich Text",
        (".rtf",),
        "conversion.rich_text",
        ("application/rtf", "text/rtf"),
        head=re.compile(rb"\{\\rtf"),
        binary=True,
    ),
    TEXT,
    Format("a table", (".csv", ".tsv"), "tables", ("text/csv", "text/tab-separated-values")),
    Format("JSON lines", (".jsonl", ".ndjson"), "lines", ("application/x-ndjson", "application/jsonl")),
)
"""If several fit a content, the first reads it."""
READERS: Final[Mapping[str, Format]] = {kind: form for form in FORMATS for kind in form.kinds}
"""The format of each kind."""
