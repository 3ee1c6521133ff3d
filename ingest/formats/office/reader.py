"""What all packed office files share: one reader, and the draft of a document that it passes on. Reading blocks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ingest.content import Content
from ingest.documents import ParsedDocument, ReadResult, SourceImage
from ingest.formats.archives import opened_archive
from ingest.formats.office.packages import Package
from ingest.formats.pictures import select_pictures
from ingest.parts import PartsWriter
from ingest.reader import Format, Sample
from libs.documents.building import DocumentBuilder


@dataclass(frozen=True, slots=True)
class OfficeReader:
    """Reads one format whose files are packed parts."""

    format: Format
    parts: frozenset[str]
    """Names of parts that show the format."""
    parse: Callable[[Content, Package], Iterator[ParsedDocument]]

    def detects(self, sample: Sample) -> bool:
        """Return whether the names of the parts show this format."""
        return sample.parts.issuperset(self.parts)

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield a document, or several if it has too many rows for one.

        Raises:
            BrokenContent: the file is damaged, encrypted or too large.
        """
        with opened_archive(content, self.format.name) as archive:
            yield from self.parse(content, Package(archive))


@dataclass(slots=True)
class Draft:
    """What is read of a file so far."""

    package: Package
    builder: DocumentBuilder = field(default_factory=DocumentBuilder)
    images: list[SourceImage] = field(default_factory=list)
    title: str = ""
    """For a file that states none."""

    def document(self, content: Content, **metadata: str) -> ParsedDocument:
        """The whole document."""
        text, structure = self.builder.build()
        images, left_out = select_pictures(self.images, content.bounds)
        document = self.package.document(content, self.title)
        return replace(
            document,
            text=text,
            structure=structure,
            images=images,
            metadata={**document.metadata, **metadata, **left_out},
            omissions=tuple(self.package.omissions),
        )

    def parts(
        self, content: Content, read: Callable[[PartsWriter], Iterator[ParsedDocument]]
    ) -> Iterator[ParsedDocument]:
        """The documents of a workbook, whose sheets are read by a function."""
        document = self.package.document(content)
        writer = PartsWriter(document, content.bounds.text_bytes, self.package.omissions)
        yield from read(writer)
        yield from writer.finish(select_pictures(self.images, content.bounds)[0])
