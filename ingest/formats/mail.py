"""Mails (eml): a document with sender and recipients, and one document for each attachment of a known kind.

The attachments' ids are the mail's, `#`, and the attachment's name: `mail.eml#report.pdf`. Reading blocks.
"""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email.message import EmailMessage
from itertools import islice
from typing import Any, ClassVar, Final

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import clean, decode
from ingest.documents import ParsedDocument, ReadResult, SourceImage, Unreadable
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.text.tables import row_in_words
from libs.web.iso_dates import iso_stamp

HEADERS: Final = ("From", "To", "Cc", "Date")
MAIL: Final = "message/rfc822"


@dataclass(frozen=True, slots=True)
class MailReader:
    """Reads mails; `read_attachment` reads what is attached to them."""

    read_attachment: Callable[[Content], Iterator[ReadResult]]
    format: ClassVar[Format] = Format("a mail", (".eml",), ("message/rfc822",))

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return False  # any text may be a mail

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield the mail, then its attachments.

        Raises:
            BrokenContent: the content is not a mail.
        """
        from email import message_from_bytes, policy

        with parsing("a mail"):
            message = message_from_bytes(content.read(), policy=policy.default)
            if not any(header in message for header in ("From", "Subject", "Received", "Message-ID")):
                raise BrokenContent("is not a mail: it has neither a sender nor a subject")
            document = _document(content, message)
            attachments = list(islice(_attachments(message), content.bounds.attachments + 1))
        yield document
        if len(attachments) > content.bounds.attachments:
            yield Unreadable(
                content.where, f"holds more than {content.bounds.attachments} attachments; the rest are left out"
            )
        for inner in _contents(content, document, attachments[: content.bounds.attachments]):
            yield from _with_mail_title(self.read_attachment(inner), document)


def _document(content: Content, message: EmailMessage) -> ParsedDocument:
    values = [" ".join(str(message.get(header, "")).split()) for header in HEADERS]
    images, left_out = select_pictures(_pictures(message), content.bounds)
    metadata = {name.lower(): value for name, value in zip(HEADERS[:3], values[:3], strict=True) if value}
    return content.document(
        f"{row_in_words(HEADERS, values)}\n\n{_body(message)}".strip(),
        title=" ".join(str(message.get("Subject", "")).split()),
        date=iso_stamp(values[3]),
        metadata={**metadata, **left_out},
        images=images,
    )


def _body(message: EmailMessage) -> str:
    """The text: the plain form if there is one, else the text of the HTML form."""
    from libs.web.pages import NoPage, read_page

    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    text = decode(_payload(part), part.get_content_charset() or "")
    if part.get_content_type() != "text/html":
        return text.strip()
    try:
        return read_page(text).text
    except NoPage:
        return ""


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
    """Yield the attachments as contents to be read; a repeated name gets a number."""
    names: Counter[str] = Counter()
    for number, part in enumerate(parts, start=1):
        is_mail = part.get_content_type() == MAIL
        name = clean(part.get_filename() or (f"mail-{number}.eml" if is_mail else f"attachment-{number}"))
        name = posixpath.basename(name.replace("\\", "/")) or f"attachment-{number}"
        names[name] += 1
        if names[name] > 1:
            stem, ending = posixpath.splitext(name)
            name = f"{stem}-{names[name]}{ending}"
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
