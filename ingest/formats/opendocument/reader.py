"""OpenDocument files: texts (odt), sheets (ods), slides (odp). Reading blocks."""

import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.content import BrokenContent, Content, parsing
from ingest.documents import ReadResult
from ingest.formats.archives import unpackable
from ingest.formats.office.packages import CoreProperties, Package, is_made_up, tag
from ingest.formats.opendocument.sheets import read_sheets
from ingest.formats.opendocument.styles import Styles
from ingest.formats.opendocument.texts import TextWriter
from ingest.formats.pictures import select_pictures
from ingest.parts import PartsWriter
from ingest.reader import Format, Sample
from libs.web.iso_dates import iso_stamp

if TYPE_CHECKING:
    pass

MAIN: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"
_LOCKED: Final = b"encryption-data"


class OpenDocumentReader:
    """Reads odt, ods and odp."""

    format: Final = Format("OpenDocument", (".odt", ".ods", ".odp"), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return sample.parts.issuperset((MAIN, MANIFEST))

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield a document, or several of a sheet with too many rows for one.

        Raises:
            BrokenContent: the file is damaged, encrypted or too large.
        """
        with unpackable(content) as stream, parsing("OpenDocument"), zipfile.ZipFile(stream) as archive:
            package = Package(archive)
            if _LOCKED in package.read(MANIFEST):
                raise BrokenContent("is encrypted: save it without a password")
            yield from _documents(content, package)


def _documents(content: Content, package: Package) -> Iterator[ReadResult]:
    root, properties = package.main(MAIN), _properties(package)
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


def _properties(package: Package) -> CoreProperties:
    root = package.tree("meta.xml")

    def stated(name: str) -> str:
        return "" if root is None else " ".join((root.findtext(f".//{tag(name)}") or "").split())

    title = stated("dc:title")
    return CoreProperties("" if is_made_up(title) else title, iso_stamp(stated("dc:date")), stated("dc:creator"))
