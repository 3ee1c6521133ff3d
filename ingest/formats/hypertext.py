"""HTML, from a file or from the web: text in blocks, tables as rows, pictures with their captions. Reading blocks."""

import base64
import binascii
from collections.abc import Iterator
from urllib.parse import unquote, unquote_to_bytes

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import Decoded, decoded
from ingest.documents import Omission, OmissionReason, ParsedDocument, ReadResult, SourceImage
from ingest.formats.pictures import lying_below, picture, select_pictures
from libs.web.charsets import declared_charset
from libs.web.pages import NoPage, PagePicture, WebPage, read_page


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    data = content.read()
    yield page_document(content, decoded(data, content.charset or declared_charset(data)))


def page_document(content: Content, markup: Decoded) -> ParsedDocument:
    """The document of a page's markup, or of what was converted to it.

    Raises:
        BrokenContent: it is not a page.
    """
    with parsing("HTML"):
        try:
            page = read_page(markup.text, content.url, main=content.main_text)
        except NoPage as error:
            raise BrokenContent(str(error)) from None
    candidates = (_image(content, page_picture) for page_picture in page.pictures)
    images, left_out = select_pictures((image for image in candidates if image is not None), content.bounds)
    stated = {"author": page.author, "language": page.language}
    return content.document(
        page.text,
        title=page.title,
        date=page.date,
        metadata={**{name: words for name, words in stated.items() if words}, **left_out},
        images=images,
        structure=page.structure,
        omissions=(*markup.omissions, *left_out_of(page)),
    )


def left_out_of(page: WebPage) -> Iterator[Omission]:
    """What a page has beside its text, the descriptions of its pictures among it."""
    for reason, words in page.left_out:
        yield Omission.of(OmissionReason[reason], "", words)
    for page_picture in page.pictures:
        if page_picture.description:
            yield Omission.of(OmissionReason.PICTURE, "", page_picture.description)


def _image(content: Content, page_picture: PagePicture) -> SourceImage | None:
    """A picture with its bytes or its url; None if it has no caption or cannot be read."""
    url, caption = page_picture.url, page_picture.caption
    size = page_picture.width, page_picture.height
    if not caption:
        return None
    if url.startswith(("http://", "https://")):
        return SourceImage(caption, url, *size)
    data = data_of(url) if url.startswith("data:") else lying_below(content, url)
    return picture(data, caption, *size) if data else None


def data_of(url: str) -> bytes:
    """The bytes of a data url; empty if it is damaged."""
    head, _, body = url.partition(",")
    try:
        return base64.b64decode(unquote(body), validate=False) if head.endswith(";base64") else unquote_to_bytes(body)
    except (binascii.Error, ValueError):
        return b""
