"""Documents from explicit fields: the front matter of a note, a line of JSON; reads the pictures that they name."""

import json
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Final

from ingest.content import BrokenContent, Content
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.formats.pictures import stated_picture
from libs.web.iso_dates import iso_stamp

_FORMS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "metadata": (lambda value: isinstance(value, dict), "an object"),
    "principals": (lambda value: isinstance(value, str) or _is_list_of(str, value), "a list of names"),
    "vector": (lambda value: _is_list_of(int | float, value), "a list of numbers"),
    "images": (lambda value: _is_list_of(dict, value), "a list of objects"),
}
"""What fields of a document must be."""
KNOWN: Final = frozenset({"id", "title", "text", "url", "date", "source", "principals", "images", "metadata", "vector"})


def document_of(
    content: Content, document_id: str, text: str, fields: Mapping[str, Any], row: int | None = None
) -> ParsedDocument:
    """Build a document from its text and fields; unknown keys become metadata, and a date that is none is left out.

    Raises:
        BrokenContent: a field has an invalid value; the message names the field.
    """
    _check(fields)
    unknown_fields = {key: value for key, value in fields.items() if key not in KNOWN}
    metadata = {**unknown_fields, **(fields.get("metadata") or {})}
    principals = fields.get("principals") or ()
    try:
        images = tuple(stated_picture(content, item) for item in fields.get("images") or ())
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
        metadata={str(key): _metadata_text(value) for key, value in metadata.items() if value is not None},
        principals=(principals,) if isinstance(principals, str) else tuple(principals),
        images=images,
        vector=tuple(map(float, fields.get("vector") or ())),
        row=row,
        omissions=(unread,) if stated_date and not date else (),
    )


def word(fields: Mapping[str, Any], key: str) -> str:
    """A field as text; empty if it is absent."""
    value = fields.get(key)
    return "" if value is None else str(value).strip()


def _check(fields: Mapping[str, Any]) -> None:
    for name, (fits, form) in _FORMS.items():
        if fields.get(name) is not None and not fits(fields[name]):
            raise BrokenContent(f"{name}: must be {form}")


def _is_list_of(kinds: type | UnionType, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kinds) and value != "" for value in values)


def _metadata_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
