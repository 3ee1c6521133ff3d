"""Extracts title, date, text and captioned pictures from an HTML page.

With `main`, only the main text is extracted (by trafilatura; for web pages full of menus and teasers). Otherwise all
text is kept except menus, forms and scripts (for files that a user chose). This is CPU work of milliseconds to seconds:
call it from a thread.
"""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin

from lxml import html
from lxml.etree import LxmlError, _Element

from libs.contracts.structure import Structure
from libs.documents.building import DocumentBuilder
from libs.documents.remains import Said, texts_of
from libs.web.blocks import blocks_of
from libs.web.elements import line_of
from libs.web.iso_dates import iso_stamp
from libs.web.unread import LeftOut

MIN_MAIN: Final = 200
"""Characters; a shorter main text counts as a failed extraction (trafilatura's own threshold is 250)."""
DATES: Final = (
    "article:published_time",
    *("datepublished", "date", "dc.date", "dcterms.date", "dcterms.created", "dc.date.issued", "publish-date"),
    *("pubdate", "citation_publication_date", "citation_date", "article:modified_time", "last-modified"),
)
"""Names of meta elements that state a page's date, best first."""
_IDLE: Final = re.compile(
    r"</?(?:div|span|font|center|b|i|em|strong|section|article|blockquote|ul|ol|li)\b[^>]*>", re.IGNORECASE
)
_PUBLISHED: Final = re.compile(r'"datePublished"\s*:\s*("(?:[^"\\]|\\.)*")')


class NoPage(ValueError):  # noqa: N818 - it names what is wrong
    """The markup is not HTML, or it is empty."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of a page."""

    url: str
    """Absolute if the page's own URL is known; may be a data URL."""
    caption: str
    """The caption of its figure, else its alternative text; may be empty."""
    width: int = 0
    height: int = 0
    description: str = field(default="", compare=False)
    """Its alternative text."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """The content of a page."""

    text: str
    title: str = ""
    date: str = ""
    """ISO 8601; empty if the page does not state one."""
    description: str = ""
    author: str = ""
    language: str = ""
    pictures: tuple[PagePicture, ...] = ()
    structure: Structure = field(default_factory=Structure)
    """The structure of `text`."""
    left_out: tuple[tuple[LeftOut, str], ...] = ()
    """Words that are not in `text`, and why."""


def read_page(markup: str, url: str = "", main: bool = False) -> WebPage:
    """Read a page.

    Args:
        markup: the page, decoded.
        url: the page's URL; resolves relative URLs of pictures.
        main: extract only the main text, if it can be identified.

    Raises:
        NoPage: the markup is not HTML, or it is empty.
    """
    markup = re.sub(r"\A\s*<\?xml[^>]*\?>", "", markup)  # lxml rejects decoded text that declares an encoding
    root = _root(markup)
    metas = dict(_metas(root))
    main_text, guessed_date = _main_text(root, url) if main else (DocumentBuilder(), "")
    body = _body(root)
    title, date, pictures = _title(root, metas), _date(root, metas) or guessed_date, tuple(_pictures(body, url))
    is_main = len(main_text) >= MIN_MAIN
    texts = {} if is_main else texts_of(root)
    builder, left_out = (main_text, []) if is_main else blocks_of(body)
    text, structure = builder.build()
    said = Said((text, title, *(words for _, words in left_out), *(image.description for image in pictures)))
    left_out += (("FURNITURE", " ".join(words.split())) for words in filter(said.lacks, texts))
    return WebPage(
        text=text,
        title=title,
        date=date,
        description=metas.get("description", ""),
        author=metas.get("author", ""),
        language=(root.get("lang") or "").strip()[:35],  # the contract's limit
        pictures=pictures,
        structure=structure,
        left_out=tuple(left_out),
    )


def _root(markup: str) -> html.HtmlElement:
    """The root of a page; of one that is nested deeper than lxml reads, without the elements that say little.

    Raises:
        NoPage: the markup is not HTML, or it is empty.
    """
    parser = html.HTMLParser(huge_tree=True)
    try:
        root = html.document_fromstring(markup, parser=parser)
        if any("depth" in error.message for error in parser.error_log):
            root = html.document_fromstring(_IDLE.sub("<br>", markup), parser=html.HTMLParser(huge_tree=True))
    except (LxmlError, ValueError, AssertionError):
        raise NoPage("contains no HTML") from None
    return root


def _main_text(root: html.HtmlElement, url: str) -> tuple[DocumentBuilder, str]:
    """The main text, and the date that the page's text and URL suggest; both may be empty."""
    import trafilatura  # takes half a second, and only web pages need it

    extraction = trafilatura.bare_extraction(
        deepcopy(root), url=url or None, include_comments=False, include_tables=True, with_metadata=True
    )
    if extraction is None or isinstance(extraction, dict):
        return DocumentBuilder(), ""
    return blocks_of(extraction.body)[0], iso_stamp(extraction.date or "")


def _body(root: html.HtmlElement) -> _Element:
    """The `main` or `article` element if it holds at least half of the text (taste), else the body."""
    body = root.find("body")
    whole: _Element = body if body is not None else root
    for mark in ("main", "article"):
        elements = whole.findall(f".//{mark}")
        if len(elements) == 1 and 2 * len(line_of(elements[0])) >= len(line_of(whole)):
            return elements[0]
    return whole


def _metas(root: html.HtmlElement) -> Iterator[tuple[str, str]]:
    """The page's meta elements, last to first: in a dict, the first element of a name wins."""
    for meta in reversed(root.findall(".//meta")):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        if name and (content := (meta.get("content") or "").strip()):
            yield name, content


def _title(root: html.HtmlElement, metas: dict[str, str]) -> str:
    meta_title = metas.get("og:title") or metas.get("dc.title") or metas.get("citation_title") or ""
    elements = (root.find(".//title"), root.find(".//h1"))
    texts = (line_of(element) for element in elements if element is not None)
    return " ".join(meta_title.split()) or next(filter(None, texts), "")


def _date(root: html.HtmlElement, metas: dict[str, str]) -> str:
    stamps = [metas[name] for name in DATES if name in metas]
    stamps += [time.get("datetime", "") for time in root.findall(".//time") if _is_publication(time)]
    for script in root.findall(".//script[@type='application/ld+json']"):
        stamps += [str(json.loads(match)) for match in _PUBLISHED.findall(script.text or "")]
    return next(filter(None, map(iso_stamp, stamps)), "")


def _is_publication(time: _Element) -> bool:
    return time.get("pubdate") is not None or time.get("itemprop") == "datePublished"


def _pictures(body: _Element, url: str) -> Iterator[PagePicture]:
    """The pictures of a page without duplicates."""
    sources: set[str] = set()
    for image in body.iter("img"):
        source = (image.get("src") or image.get("data-src") or "").strip()
        if source and source not in sources:
            sources.add(source)
            where = source if source.startswith("data:") or not url else _absolute_url(url, source)
            size = _pixels(image.get("width")), _pixels(image.get("height"))
            yield PagePicture(where, _caption(image), *size, " ".join((image.get("alt") or "").split()))


def _absolute_url(url: str, source: str) -> str:
    try:
        return urljoin(url, source)
    except ValueError:
        return source


def _caption(image: _Element) -> str:
    figure = next(image.iterancestors("figure"), None)
    caption = figure.find(".//figcaption") if figure is not None else None
    text = line_of(caption) if caption is not None else ""
    return text or " ".join((image.get("alt") or image.get("title") or "").split())


def _pixels(attribute: str | None) -> int:
    digits = (attribute or "").strip().removesuffix("px")
    return int(digits) if digits.isdecimal() and len(digits) < 6 else 0  # longer is a mistake (taste)
