"""Books (epub): their chapters in order, as one text, with their pictures and captions. Reading blocks."""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import decoded
from ingest.documents import Omission, ReadResult, SourceImage
from ingest.formats.archives import unpackable
from ingest.formats.hypertext import data_of
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.documents.building import DocumentBuilder
from libs.web.charsets import declared_charset
from libs.web.iso_dates import iso_stamp

CONTAINER: Final = "META-INF/container.xml"
ENCRYPTION: Final = "META-INF/encryption.xml"
PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})


@dataclass(frozen=True, slots=True)
class _Package:
    """What a book states about itself."""

    chapters: tuple[str, ...]
    """Names of parts, in reading order."""
    title: str
    date: str
    metadata: dict[str, str]


class BookReader:
    """Reads epub."""

    format: Final = Format("epub", (".epub",), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return CONTAINER in sample.parts

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document.

        Raises:
            BrokenContent: the book is damaged, copy-protected, or too large.
        """
        from libs.web.pages import NoPage, read_page

        builder = DocumentBuilder()
        candidates, omissions = list[SourceImage](), list[Omission]()
        with unpackable(content) as stream, parsing("epub"), zipfile.ZipFile(stream) as archive:
            package = _package(archive)
            if package.chapters and set(package.chapters) <= _encrypted_parts(archive):
                raise BrokenContent("is protected against copying, so its text cannot be read")
            for chapter in package.chapters:
                data = archive.read(chapter)
                try:
                    markup = decoded(data, declared_charset(data))
                    page = read_page(markup.text)
                except NoPage:
                    continue
                omissions += [replace(each, place=f"{chapter}, {each.place}") for each in markup.omissions]
                builder.append(page.text, page.structure)
                page_pictures = ((_bytes(archive, chapter, image.url), image.caption) for image in page.pictures)
                candidates += [picture(data, caption) for data, caption in page_pictures if data and caption]
        images, left_out = select_pictures(candidates, content.bounds)
        text, structure = builder.build()
        yield content.document(
            text,
            title=package.title,
            date=package.date,
            metadata={**package.metadata, **left_out},
            images=images,
            structure=structure,
            omissions=tuple(omissions),
        )


def _package(archive: zipfile.ZipFile) -> _Package:
    container = _xml(archive.read(CONTAINER))
    place = next(element.get("full-path") for element in container.iter("{*}rootfile"))
    package = _xml(archive.read(place))
    folder = posixpath.dirname(place)
    parts = {
        item.get("id"): posixpath.normpath(posixpath.join(folder, unquote(item.get("href"))))
        for item in package.iter("{*}item")
        if item.get("media-type") in PAGES
    }
    order = (reference.get("idref") for reference in package.iter("{*}itemref"))
    properties = {name: _property(package, name) for name in ("title", "date", "creator", "language")}
    metadata = {"author": properties["creator"], "language": properties["language"]}
    return _Package(
        tuple(parts[name] for name in order if name in parts),
        properties["title"],
        iso_stamp(properties["date"]),
        {key: value for key, value in metadata.items() if value},
    )


def _property(package: Any, name: str) -> str:
    return next(
        (" ".join((e.text or "").split()) for e in package.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}")), ""
    )


def _encrypted_parts(archive: zipfile.ZipFile) -> set[str]:
    """The parts that are encrypted; in readable books at most their fonts."""
    if ENCRYPTION not in archive.namelist():
        return set()
    return {unquote(element.get("URI", "")) for element in _xml(archive.read(ENCRYPTION)).iter("{*}CipherReference")}


def _bytes(archive: zipfile.ZipFile, chapter: str, url: str) -> bytes:
    if url.startswith("data:"):
        return data_of(url)
    name = posixpath.normpath(posixpath.join(posixpath.dirname(chapter), unquote(url.partition("#")[0])))
    return archive.read(name) if name in archive.namelist() else b""


def _xml(data: bytes) -> Any:
    """Parse XML without resolving entities or loading a DTD."""
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
