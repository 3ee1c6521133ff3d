"""Books (epub): their chapters in order, as one text, with their pictures and captions. Reading blocks."""

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import decoded
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.hypertext import data_of, left_out_of
from ingest.formats.office.draft import Draft, opened_package
from ingest.formats.office.packages import Package
from ingest.formats.pictures import picture
from libs.web.charsets import declared_charset
from libs.web.pages import NoPage, read_page

CONTAINER: Final = "META-INF/container.xml"
ENCRYPTION: Final = "META-INF/encryption.xml"
PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    with opened_package(content, "epub") as package:
        contents = next(element.get("full-path", "") for element in package.main(CONTAINER).iter("{*}rootfile"))
        chapters = list(_chapters(package, contents))
        if chapters and _encrypted_parts(package).issuperset(chapters):
            raise BrokenContent("is protected against copying, so its text cannot be read")
        draft = Draft(package)
        for chapter in chapters:
            _add(chapter, draft)
        package.omissions[:] = dict.fromkeys(package.omissions)
        yield draft.document(content, contents)


def _chapters(package: Package, contents: str) -> Iterator[str]:
    """The names of the parts with text, in reading order; EPUB allows each once."""
    root = package.main(contents)
    items = (item for item in root.iter("{*}item") if item.get("media-type") in PAGES)
    parts = {item.get("id"): _part_at(contents, item.get("href", "")) for item in items}
    order = dict.fromkeys(reference.get("idref") for reference in root.iter("{*}itemref"))
    return (parts[name] for name in order if name in parts)


def _add(chapter: str, draft: Draft) -> None:
    package = draft.package
    data = package.read(chapter)
    try:
        markup = decoded(data, declared_charset(data))
        page = read_page(markup.text)
    except NoPage:
        package.omissions.append(Omission(OmissionReason.DAMAGED, chapter))
        return
    left_out = (*markup.omissions, *left_out_of(page))
    package.omissions += [replace(each, place=", ".join(filter(None, (chapter, each.place)))) for each in left_out]
    draft.builder.append(page.text, page.structure)
    captioned = [(_bytes(package, chapter, image.url), image.caption) for image in page.pictures if image.caption]
    draft.images += [picture(data, caption) for data, caption in captioned if data]


def _encrypted_parts(package: Package) -> set[str]:
    """The parts that are encrypted; in readable books at most their fonts."""
    return {unquote(one.get("URI", "")) for one in package.tree(ENCRYPTION).iter("{*}CipherReference")}


def _bytes(package: Package, chapter: str, url: str) -> bytes:
    return data_of(url) if url.startswith("data:") else package.read(_part_at(chapter, url.partition("#")[0]))


def _part_at(part: str, url: str) -> str:
    """The name of the part to which a url in another part leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), unquote(url)))
