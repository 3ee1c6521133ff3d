"""Mails (eml): a document with sender and recipients, and one document for each attachment of a known kind.

The attachments' ids are the mail's, `#`, and the attachment's name: `mail.eml#report.pdf`. Reading blocks.
"""

import os
import posixpath
import re
from collections.abc import Iterator, Set
from dataclasses import replace
from email import message_from_bytes
from email.headerregistry import BaseHeader
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from itertools import count, islice
from typing import Any, Final

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import clean, decoded
from ingest.documents import Omission, OmissionReason, ParsedDocument, ReadResult, SourceImage, Unreadable
from ingest.formats.hypertext import page_document
from ingest.formats.mail_text import mark_foreign, parse_mail
from ingest.formats.pictures import picture, select_pictures
from ingest.readers import read_attachment
from libs.documents.remains import Said
from libs.web.iso_dates import iso_stamp

HEADERS: Final = ("From", "To", "Cc", "Keywords", "Comments")
MAIL: Final = "message/rfc822"
LONGEST: Final = 8_192
"""Characters of a header that are read: some 200 recipients, a hundredth of a second of work."""
LONGEST_NAME: Final = 100  # characters of an attachment's name before its ending, which is part of an id (taste)
COVERED: Final = 0.8
"""Share of the HTML form's words that the plain form must have to stand for it (taste); stubs have few."""
_REASONS: Final = {"text": OmissionReason.HIDDEN, "image": OmissionReason.PICTURE}
_WORD: Final = re.compile(r"\w+")


class _Bounded(EmailPolicy):
    """Cuts long headers, whose time grows with the square of their length; one that is no header is left as it is."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if isinstance(value, BaseHeader):
            return value
        if name.lower() == "date":  # the library drops the names of zones
            return value[:LONGEST]
        try:
            return super().header_fetch_parse(name, value[:LONGEST])
        except Exception:  # the library raises many kinds, RecursionError among them
            return super().header_fetch_parse(name, "") if name.lower().startswith("content-") else value[:LONGEST]


BOUNDED: Final["EmailPolicy[Any]"] = _Bounded()
"""For parsing the mails of strangers."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield the mail, then its attachments."""
    with parsing("a mail"):
        message = message_from_bytes(content.read(), policy=BOUNDED)
        if not any(header in message for header in ("From", "Subject", "Received", "Message-ID")):
            raise BrokenContent("is not a mail: it has neither a sender nor a subject")
    yield from read_message(content, message)


def read_message(content: Content, message: EmailMessage, omissions: tuple[Omission, ...] = ()) -> Iterator[ReadResult]:
    """Yield the documents of a parsed mail; `omissions` were found before.

    Raises:
        BrokenContent: it is damaged.
    """
    with parsing("a mail"):
        attachments = list(islice(_attachments(message), content.bounds.attachments + 1))
        document = _document(content, message, attachments, omissions)
    yield document
    if len(attachments) > content.bounds.attachments:
        yield Unreadable(
            content.where, f"holds more than {content.bounds.attachments} attachments; the rest are left out"
        )
    for inner in _contents(content, document, attachments[: content.bounds.attachments]):
        yield from _with_mail_title(read_attachment(inner), document)


def _document(
    content: Content, message: EmailMessage, attachments: list[EmailMessage], omissions: tuple[Omission, ...]
) -> ParsedDocument:
    part, body = _body(content, message)
    images, left_out = select_pictures(_pictures(message), content.bounds)
    values = {name.lower(): _header(message, name) for name in HEADERS}
    read = {id(part), *(id(inner) for attachment in attachments for inner in attachment.walk())}
    return replace(
        body,
        title=_header(message, "Subject") or content.title,
        date=iso_stamp(_header(message, "Date")) or content.stated_date,
        metadata={**{name: value for name, value in values.items() if value}, **left_out},
        images=images,
        omissions=(*omissions, *body.omissions, *_unread(content, message, read, body.text)),
    )


def _header(message: EmailMessage, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _body(content: Content, message: EmailMessage) -> tuple[MIMEPart | None, ParsedDocument]:
    """What its reader sees: the plain form, unless the HTML form says something else."""
    parts = message.get_body(("plain",)), message.get_body(("html",))
    plain, page = (_form(content, part) for part in parts)
    is_page = parts[1] is not None and (parts[0] is None or _coverage(plain.text, page.text) < COVERED)
    return (parts[1], page) if is_page else (parts[0], plain)


def _form(content: Content, part: MIMEPart | None) -> ParsedDocument:
    """The text of a part; of one that is none its type is named."""
    data = b"" if part is None else _payload(part)
    if part is None or not data.strip():
        return content.document("")
    try:
        source = decoded(data, part.get_content_charset() or "")
        if part.get_content_type() != "text/html":
            text, structure = parse_mail(source.text.strip())
            return content.document(text, structure=structure, omissions=source.omissions)
        page = page_document(content, source)
        return replace(page, structure=page.structure and mark_foreign(page.structure, page.text))
    except BrokenContent:
        return content.document("", omissions=(Omission(OmissionReason.DAMAGED, part.get_content_type()),))


def _coverage(plain: str, page: str) -> float:
    """The share of a page's words that a plain text has, too."""
    words = set(_WORD.findall(page.lower()))
    return len(words & set(_WORD.findall(plain.lower()))) / len(words) if words else 1.0


def _unread(content: Content, message: EmailMessage, read: Set[int], text: str) -> Iterator[Omission]:
    """What of a mail is neither its text nor an attachment, by the ids of its parts; another form is not left out."""
    for place, preface in (("before the parts", message.preamble), ("after the parts", message.epilogue)):
        if preface and preface.strip():
            yield Omission.of(OmissionReason.HIDDEN, place, preface)
    said = Said((text,))
    for part in message.walk():
        if description := _header(part, "Content-Description"):
            yield Omission.of(OmissionReason.HIDDEN, str(part.get_filename()), description)
        if not part.is_multipart() and id(part) not in read:
            form = _form(content, part if part.get_content_maintype() == "text" else None)
            words = " ".join(filter(said.lacks, form.text.split("\n")))
            yield from form.omissions if words else ()
            reason = _REASONS.get(part.get_content_maintype(), OmissionReason.OBJECT)
            if reason is not OmissionReason.HIDDEN or words:
                yield Omission.of(reason, str(part.get_filename() or part.get_content_type()), words)


def _attachments(message: EmailMessage) -> Iterator[EmailMessage]:
    if not message.is_multipart():
        return
    for part in message.iter_attachments():
        if isinstance(part, EmailMessage) and not part.get_content_type().startswith("image/"):
            yield part


def _pictures(message: EmailMessage) -> Iterator[SourceImage]:
    """Yield the pictures that are attached under a name, which becomes their caption."""
    for part in message.walk():
        if part.get_content_maintype() == "image" and (name := part.get_filename()):
            yield picture(_payload(part), posixpath.splitext(name)[0])


def _contents(content: Content, mail: ParsedDocument, parts: list[EmailMessage]) -> Iterator[Content]:
    """Yield the attachments as contents to be read, each with an id that no other has."""
    used: set[str] = set()
    for number, part in enumerate(parts, start=1):
        is_mail = part.get_content_type() == MAIL
        name = clean(part.get_filename() or (f"mail-{number}.eml" if is_mail else f"attachment-{number}"))
        name = posixpath.basename(name.replace("\\", "/")).replace("#", "_") or f"attachment-{number}"
        name = _free_name(content, name, used)
        used.add(name)
        yield replace(
            content,
            where=f"{content.where}#{name}",
            name=name,
            document_id=f"{content.document_id}#{name}",
            file=None,
            data=_payload(part),
            media_type=part.get_content_type(),
            charset=part.get_content_charset() or "",
            url="",
            date=mail.date,
            depth=content.depth + 1,
        )


def _free_name(content: Content, name: str, used: set[str]) -> str:
    """A name that no other attachment has, nor a part of the mail's own text, nor a file that lies beside the mail."""
    stem, ending = posixpath.splitext(name)
    stem, ending = stem[:LONGEST_NAME], ending[:LONGEST_NAME]
    names = (f"{stem}{ending}" if number == 1 else f"{stem}-{number}{ending}" for number in count(1))
    beside = content.file and content.file.parent
    return next(
        free
        for free in names
        if free not in used
        and not free.isdecimal()
        and not (beside and os.path.exists(beside / f"{content.name}#{free}"))
    )


def _with_mail_title(results: Iterator[ReadResult], mail: ParsedDocument) -> Iterator[ReadResult]:
    """Yield what an attachment gave, with the mail's title in its metadata."""
    for result in results:
        if isinstance(result, ParsedDocument):
            yield replace(result, metadata={"mail": mail.title, **result.metadata})
        else:
            yield result


def _payload(part: Any) -> bytes:
    if part.get_content_type() == MAIL:
        inner = part.get_payload()
        return inner[0].as_bytes() if isinstance(inner, list) and inner else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
