"""What office files have in common: the properties that they state. Reading blocks."""

import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from libs.web.iso_dates import iso_stamp

if TYPE_CHECKING:
    from lxml.etree import _Element

_MADE_UP: Final = re.compile(  # what Office programs, TeX and converters to PDF write as a title by themselves
    r"(?:untitled|unbenannt|sans titre|new|neues)?(?: ?document\d*| ?dokument\d*)?|(?:word|google) document"
    r"|microsoft (?:word|powerpoint|excel) - .*|(?:powerpoint|slide) (?:presentation|deck)|workbook"
    r"|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|pdf)",
    re.IGNORECASE,
)
_RELATIONS: Final = "_rels/.rels"
_CORE: Final = "/core-properties"
"""Suffix of the type of the relation that leads to the core properties."""


@dataclass(frozen=True, slots=True)
class CoreProperties:
    """The core properties of a file; empty where it states none."""

    title: str = ""
    date: str = ""
    """ISO 8601, of the last change, else of the creation."""
    author: str = ""

    @property
    def metadata(self) -> dict[str, str]:
        """Properties for which documents have no field."""
        return {"author": self.author} if self.author else {}


def core_properties(file: BinaryIO) -> CoreProperties:
    """Read the core properties of a packed office file.

    They are read from the file itself: if it states none, the libraries that read its text invent some, such as today's
    date.

    Raises:
        zipfile.BadZipFile: the file is not a zip archive.
        lxml.etree.XMLSyntaxError: the part that states the properties is damaged.
    """
    with zipfile.ZipFile(file) as parts:
        place = _place(parts)
        properties = _properties(parts.read(place)) if place in parts.namelist() else {}
    title = properties.get("title", "")
    date = iso_stamp(properties.get("modified", "")) or iso_stamp(properties.get("created", ""))
    return CoreProperties("" if is_made_up(title) else title, date, properties.get("creator", ""))


def is_made_up(title: str) -> bool:
    """Whether a title was inserted by a program rather than written by the author."""
    return _MADE_UP.fullmatch(title) is not None


def _place(parts: zipfile.ZipFile) -> str:
    """Path of the core properties; empty if the file states none."""
    if _RELATIONS not in parts.namelist():
        return ""
    relations = _parse(parts.read(_RELATIONS))
    targets = (relation.get("Target", "") for relation in relations if relation.get("Type", "").endswith(_CORE))
    return next(targets, "").lstrip("/")


def _properties(part: bytes) -> dict[str, str]:
    """The properties by local name, with single spaces."""
    return {
        str(element.tag).rpartition("}")[2]: " ".join((element.text or "").split())
        for element in _parse(part)
        if isinstance(element.tag, str)
    }


def _parse(part: bytes) -> "_Element":
    from lxml import etree  # imported with the first such file

    return etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True))
