"""Documents from explicit fields: the front matter of a note, a line of JSON; reads the pictures that they name."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ingest.content import BrokenContent, Content
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.formats.pictures import read_pictures
from libs.web.iso_dates import iso_stamp

KNOWN: Final = frozenset({"id", "title", "text", "url", "date", "source", "principals", "images", "metadata", "vector"})


def document_of(
    content: Content, document_id: str, text: str, fields: Mapping[str, Any], row: int | None = None
) -> ParsedDocument:
    """Build a document from its text and fields; unknown keys become metadata, and a date that is none is left out.

    Raises:
        BrokenContent: a field has an invalid value; the message names the field.
    """
    metadata = _mapping(fields.get("metadata"), "metadata")
    unknown_fields = {key: value for key, value in fields.items() if key not in KNOWN}
    try:
        images = read_pictures(content, fields.get("images"))
    except ValueError as error:
        raise BrokenContent(f"images: {error}") from None
    stated_date = word(fields, "date")
    date = iso_stamp(stated_date)
    unread = Omission.of(OmissionReason.DAMAGED, "date", stated_date)
    return ParsedDocument(
        document_id=document_id,
        text=text,
        title=word(fields, "title"),
        url=word(fields, "url") or content.url,
        date=date or content.stated_date,
        source=word(fields, "source"),
        metadata={
            str(key): _metadata_text(value)
            for key, value in {**unknown_fields, **metadata}.items()
            if value is not None
        },
        principals=_words(fields.get("principals")),
        images=images,
        vector=_vector(fields.get("vector")),
        row=row,
        omissions=(unread,) if stated_date and not date else (),
    )


def word(fields: Mapping[str, Any], key: str) -> str:
    """A field as text; empty if it is absent."""
    value = fields.get(key)
    return "" if value is None else str(value).strip()


def _words(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BrokenContent("principals: must be a list of names")
    return tuple(value)


def _vector(value: Any) -> tuple[float, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, int | float) for item in value):
        raise BrokenContent("vector: must be a list of numbers")
    return tuple(float(item) for item in value)


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenContent(f"{name}: must be an object")
    return value


def _metadata_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
