"""What readers of packed files (docx, pptx, xlsx, odt, epub) share: how they are opened, and a draft. Blocks."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ingest.content import BrokenContent, Content, parsing
from ingest.documents import ParsedDocument, SourceImage
from ingest.formats.office.packages import Package
from ingest.formats.pictures import select_pictures
from ingest.titles import is_made_up
from libs.documents.building import DocumentBuilder
from libs.web.iso_dates import iso_stamp

_STATED: Final = ("author", "language", "subject", "keywords", "description")
_DATES: Final = ("modified", "date", "created")


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
        stated = self.package.stated(properties)
        title = stated.get("title", "")
        title = (self.title if is_made_up(title) else title) or content.title
        self.package.leave_out_remains(text, title, *(image.caption for image in images))
        return content.document(
            text,
            title,
            next(filter(None, (iso_stamp(stated.get(name, "")) for name in _DATES)), ""),
            metadata={name: stated[name] for name in _STATED if stated.get(name)} | metadata | left_out,
            images=images,
            structure=structure,
            omissions=tuple(self.package.omissions),
        )


@contextmanager
def opened_package(content: Content, format_name: str) -> Iterator[Package]:
    """Yield the parts, once their list shows that they unpack to no more than the bounds allow.

    The list can be trusted: Python unpacks no more of a part than it states.

    Raises:
        BrokenContent: the file is damaged, encrypted, or unpacks to too much.
    """
    with content.open() as stream, parsing(format_name), zipfile.ZipFile(stream) as archive:
        _check(archive.infolist(), content)
        yield Package(archive)


def _check(parts: list[zipfile.ZipInfo], content: Content) -> None:
    bounds = content.bounds
    unpacked_bytes = sum(part.file_size for part in parts)
    packed_bytes = max(1, sum(part.compress_size for part in parts))
    if any(part.flag_bits & 1 for part in parts):
        raise BrokenContent("is encrypted: save it without a password")
    if len(parts) > bounds.entries:
        raise BrokenContent(f"holds more than {bounds.entries:,} parts: split it")
    if unpacked_bytes > bounds.unpacked_bytes or (
        unpacked_bytes > bounds.ratio_from_bytes and unpacked_bytes > bounds.ratio * packed_bytes
    ):
        raise BrokenContent(f"unpacks to {unpacked_bytes:,} bytes, which is more than the limit: split it")
