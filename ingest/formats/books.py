"""Books (epub): their chapters in order, as one text, with their pictures and captions. Reading blocks."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import unquote

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import decoded
from ingest.documents import Omission, OmissionReason, ReadResult, SourceImage
from ingest.formats.archives import opened_archive
from ingest.formats.hypertext import data_of, left_out_of
from ingest.formats.office.packages import Element, Package, tag
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.documents.building import DocumentBuilder
from libs.web.charsets import declared_charset
from libs.web.iso_dates import iso_stamp

CONTAINER: Final = "META-INF/container.xml"
ENCRYPTION: Final = "META-INF/encryption.xml"
PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})


@dataclass(frozen=True, slots=True)
class _Book:
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
        with opened_archive(content, self.format.name) as archive:
            package = Package(archive)
            book = _book(package)
            if book.chapters and set(book.chapters) <= _encrypted_parts(package):
                raise BrokenContent("is protected against copying, so its text cannot be read")
            for chapter in book.chapters:
                data = package.read(chapter)
                try:
                    markup = decoded(data, declared_charset(data))
                    page = read_page(markup.text)
                except NoPage:
                    omissions.append(Omission(OmissionReason.DAMAGED, chapter))
                    continue
                left_out = (*markup.omissions, *left_out_of(page))
                omissions += [replace(each, place=", ".join(filter(None, (chapter, each.place)))) for each in left_out]
                builder.append(page.text, page.structure)
                page_pictures = ((_bytes(package, chapter, image.url), image.caption) for image in page.pictures)
                candidates += [picture(data, caption) for data, caption in page_pictures if data and caption]
        images, counts = select_pictures(candidates, content.bounds)
        text, structure = builder.build()
        yield content.document(
            text,
            title=book.title,
            date=book.date,
            metadata={**book.metadata, **counts},
            images=images,
            structure=structure,
            omissions=tuple(dict.fromkeys((*package.omissions, *omissions))),
        )


def _book(package: Package) -> _Book:
    place = next(element.get("full-path", "") for element in package.main(CONTAINER).iter("{*}rootfile"))
    root = package.main(place)
    parts = {
        item.get("id"): _part_at(place, item.get("href", ""))
        for item in root.iter("{*}item")
        if item.get("media-type") in PAGES
    }
    order = (reference.get("idref") for reference in root.iter("{*}itemref"))
    title, date, author, language = (_property(root, name) for name in ("title", "date", "creator", "language"))
    return _Book(
        tuple(parts[name] for name in order if name in parts),
        title,
        iso_stamp(date),
        {key: text for key, text in (("author", author), ("language", language)) if text},
    )


def _property(root: Element, name: str) -> str:
    return next((" ".join((e.text or "").split()) for e in root.iter(tag(f"dc:{name}"))), "")


def _encrypted_parts(package: Package) -> set[str]:
    """The parts that are encrypted; in readable books at most their fonts."""
    root = package.tree(ENCRYPTION)
    return {unquote(one.get("URI", "")) for one in root.iter("{*}CipherReference")} if root is not None else set()


def _bytes(package: Package, chapter: str, url: str) -> bytes:
    return data_of(url) if url.startswith("data:") else package.read(_part_at(chapter, url.partition("#")[0]))


def _part_at(part: str, url: str) -> str:
    """The name of the part to which a url in another part leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), unquote(url)))
