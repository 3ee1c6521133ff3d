"""OpenDocument files: texts (odt), sheets (ods), slides (odp). Reading blocks."""

from collections.abc import Iterator
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.documents import ParsedDocument
from ingest.formats.office.packages import Package, tag
from ingest.formats.office.reader import OfficeReader
from ingest.formats.opendocument.sheets import read_sheets
from ingest.formats.opendocument.styles import Styles
from ingest.formats.opendocument.texts import TextWriter
from ingest.formats.pictures import select_pictures
from ingest.parts import PartsWriter
from ingest.reader import Format

MAIN: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"
_LOCKED: Final = b"encryption-data"


def _parse(content: Content, package: Package) -> Iterator[ParsedDocument]:
    if _LOCKED in package.read(MANIFEST):
        raise BrokenContent("is encrypted: save it without a password")
    root, properties = package.main(MAIN), package.properties()
    body = next(root.iterfind(f"{tag('office:body')}/*"), root)
    text = TextWriter(package, Styles.of(root, package.tree("styles.xml")))
    document = content.document("", title=properties.title, date=properties.date, metadata=properties.metadata)
    if body.tag == tag("office:spreadsheet"):
        writer = PartsWriter(document, content.bounds.text_bytes, package.omissions)
        yield from read_sheets(body, writer, text)
        yield from writer.finish(select_pictures(text.images, content.bounds)[0])
        return
    text.write(body)
    words, structure = text.builder.build()
    images, left_out = select_pictures(text.images, content.bounds)
    yield content.document(
        words,
        title=properties.title or text.title,
        date=properties.date,
        metadata={**properties.metadata, **left_out},
        images=images,
        structure=structure,
        omissions=tuple(package.omissions),
    )


OPEN_DOCUMENT: Final = OfficeReader(
    Format("OpenDocument", (".odt", ".ods", ".odp"), binary=True), frozenset({MAIN, MANIFEST}), _parse
)
"""Reads odt, ods and odp."""
