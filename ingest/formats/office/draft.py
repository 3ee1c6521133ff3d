"""The draft of a document that readers of packed files pass on. Pure."""

from dataclasses import dataclass, field, replace

from ingest.content import Content
from ingest.documents import ParsedDocument, SourceImage
from ingest.formats.office.packages import Package
from ingest.formats.pictures import select_pictures
from libs.documents.building import DocumentBuilder


@dataclass(slots=True)
class Draft:
    """What is read of a file so far."""

    package: Package
    builder: DocumentBuilder = field(default_factory=DocumentBuilder)
    images: list[SourceImage] = field(default_factory=list)
    title: str = ""
    """For a file that states none."""

    def document(self, content: Content, properties: str = "", **metadata: str) -> ParsedDocument:
        """The whole document; `properties` is the part that states them if its place varies."""
        text, structure = self.builder.build()
        images, left_out = select_pictures(self.images, content.bounds)
        document = self.package.document(content, self.title, properties)
        self.package.leave_out_remains(text, document.title, *(image.caption for image in images))
        return replace(
            document,
            text=text,
            structure=structure,
            images=images,
            metadata={**document.metadata, **metadata, **left_out},
            omissions=tuple(self.package.omissions),
        )
