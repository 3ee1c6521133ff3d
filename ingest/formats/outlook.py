"""Messages of Outlook (msg), read like any mail once they are one. Reading blocks."""

import io
from collections.abc import Iterator
from email.message import EmailMessage
from mimetypes import guess_type
from typing import Any, Final

from oxmsg import Message

from ingest.content import Content, parsing
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.mail import BOUNDED, HEADERS, read_message

RICH_TEXT: Final = 0x1009
"""The property that holds a message's text as compressed Rich Text, mostly beside another form of it."""
UNTOLD: Final = "application/octet-stream"
"""The media type that says nothing."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield the message, then its attachments."""
    with parsing("Outlook"):
        mail, omissions = _mail(Message.load(io.BytesIO(content.read())))
    yield from read_message(content, mail, omissions)


def _mail(message: Any) -> tuple[EmailMessage, tuple[Omission, ...]]:
    """A message as a mail, and the attachments that cannot be taken out: messages within messages, links to files."""
    mail = EmailMessage(policy=BOUNDED)
    headers = {name.title(): value for name, value in message.message_headers.items()}
    recipients = (recipient.email_address or recipient.name for recipient in message.recipients)
    headers = {"From": message.sender, "To": ", ".join(recipients), "Subject": message.subject} | headers
    if message.sent_date is not None:
        headers.setdefault("Date", message.sent_date.strftime("%a, %d %b %Y %H:%M:%S %z"))
    for name in (*HEADERS, "Subject", "Date"):
        if value := " ".join(str(headers.get(name) or "").split()):
            mail[name] = value
    mail.set_content(message.body or "")
    if message.html_body:
        mail.add_alternative(message.html_body, subtype="html")
    omissions = []
    if not (message.body or message.html_body) and message.properties.binary_prop_value(RICH_TEXT):
        omissions.append(Omission(OmissionReason.OBJECT, "text as compressed Rich Text"))
    for attachment in message.attachments:
        name = attachment.file_name or "attachment"
        if attachment.file_bytes is None:
            omissions.append(Omission(OmissionReason.OBJECT, name))
        else:
            stated = str(attachment.mime_type)
            kind = stated if stated != UNTOLD and "/" in stated else guess_type(name)[0] or UNTOLD
            main, _, sub = kind.partition("/")
            mail.add_attachment(attachment.file_bytes, maintype=main, subtype=sub, filename=name)
    return mail, tuple(omissions)
