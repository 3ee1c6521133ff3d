"""OpenDocument files: texts (odt), sheets (ods), slides (odp). Reading blocks."""

from collections.abc import Iterator
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.documents import ParsedDocument
from ingest.formats.office.packages import Package, tag
from ingest.formats.office.reader import Draft, OfficeReader
from ingest.formats.opendocument.sheets import read_sheets
from ingest.formats.opendocument.styles import Styles
from ingest.formats.opendocument.texts import Converter
from ingest.reader import Format

MAIN: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"
_LOCKED: Final = b"encryption-data"


def _parse(content: Content, package: Package) -> Iterator[ParsedDocument]:
    if _LOCKED in package.read(MANIFEST):
        raise BrokenContent("is encrypted: save it without a password")
    root = package.main(MAIN)
    body = next(root.iterfind(f"{tag('office:body')}/*"), root)
    draft = Draft(package)
    converter = Converter(package, Styles(root, package.tree("styles.xml")), draft.images)
    if body.tag == tag("office:spreadsheet"):
        yield from draft.parts(content, lambda writer: read_sheets(body, writer, converter))
        return
    slides = list(body.iterchildren(tag("draw:page")))
    for converter.slide, slide in enumerate(slides, start=1):
        converter.write([slide], draft.builder)
    if not slides:
        converter.write(body, draft.builder)
    draft.title = converter.title
    yield draft.document(content)


OPEN_DOCUMENT: Final = OfficeReader(
    Format("OpenDocument", (".odt", ".ods", ".odp"), binary=True), frozenset({MAIN, MANIFEST}), _parse
)
"""Reads odt, ods and odp."""
