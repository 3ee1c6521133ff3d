"""What packed office files have in common: their parts, relations and properties. Reading blocks."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from lxml import etree

from ingest.content import BrokenContent
from ingest.documents import Omission, OmissionReason
from libs.documents.remains import Said, texts_of

Element: TypeAlias = etree._Element

MINUTES: Final = len("2024-03-05T10:00")
"""Of a moment, the part that is shown."""
_OOXML: Final = "http://schemas.openxmlformats.org"
_OPEN: Final = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES: Final = {
    "w": f"{_OOXML}/wordprocessingml/2006/main",
    "a": f"{_OOXML}/drawingml/2006/main",
    "p": f"{_OOXML}/presentationml/2006/main",
    "s": f"{_OOXML}/spreadsheetml/2006/main",
    "r": f"{_OOXML}/officeDocument/2006/relationships",
    "m": f"{_OOXML}/officeDocument/2006/math",
    "c": f"{_OOXML}/drawingml/2006/chart",
    "dgm": f"{_OOXML}/drawingml/2006/diagram",
    "mc": f"{_OOXML}/markup-compatibility/2006",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "v": "urn:schemas-microsoft-com:vml",
    **{name: f"{_OPEN}:{name}:1.0" for name in ("office", "text", "table", "style", "presentation")},
    "draw": f"{_OPEN}:drawing:1.0",
    "svg": f"{_OPEN}:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_PREFIXES: Final = {
    **{uri: prefix for prefix, uri in _NAMES.items()},
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "s",
}
_OPEN_PROPERTIES: Final = "meta.xml"
"""Where OpenDocument states them."""
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
"""Names of the strict variant of Office Open XML, which differ from the usual ones by their start alone."""


_TEXTS: Final = re.compile(r"(?:^(?:word|ppt|xl)/.+|content|styles)\.(?:xml|vml)$|\.x?html?$")
_TOOLS: Final = re.compile(
    r"(?:word|xl)/styles|theme|ettings|fontTable|numbering|Props|tableStyles|diagrams/(?:layout|quick|colors)"
    r"|worksheets/sheet|sharedStrings"
)
"""Parts that programs write by themselves, and lists of cells, all of which are read."""
_SAMPLES: Final = ("Master", "Layout")
"""Roots of parts whose placeholders only say what to write there."""


@cache
def tag(path: str) -> str:
    """The full names of an element or attribute such as `w:p`, or of those of a path such as `w:pPr/w:pStyle`."""
    names = (name.partition(":") for name in path.split("/"))
    return "/".join(f"{{{_NAMES[prefix]}}}{local}" if local else prefix for prefix, _, local in names)


@cache
def short(name: str) -> str:
    """The name of an element with its prefix; without one if it is of another vocabulary."""
    uri, _, local = name[1:].rpartition("}")
    return f"{_PREFIXES[uri]}:{local}" if uri in _PREFIXES else local


def value(element: Element | None, path: str, attribute: str = "") -> str | None:
    """An attribute of a descendant by its path; None without that descendant.

    The attribute is `val` of the vocabulary of the path if it is not named.
    """
    found = element.find(tag(path)) if element is not None else None
    attribute = attribute or f"{path.partition(chr(58))[0]}:val"
    return None if found is None else found.get(tag(attribute) if ":" in attribute else attribute, "")


def comment(text: str, moment: str | None, *about: str | None) -> str:
    """A comment as a quotation, after what is known about it: its place, its author, and when it was written."""
    known = ", ".join(filter(None, (*about, (moment or "")[:MINUTES])))
    return f"> {known}{': ' if known else ''}{' '.join(text.split())}"


def whole(text: str | None, default: int = 0) -> int:
    """A number that an attribute states, of at most six digits; the default if it states none."""
    return int(text) if text and text.isdecimal() and len(text) <= 6 else default


@dataclass(slots=True)
class Package:
    """The parts of a packed file; one that is damaged is empty and named among the omissions."""

    archive: zipfile.ZipFile
    omissions: list[Omission] = field(default_factory=list)
    place: str = ""
    """Where reading is, such as "slide 2"."""
    said: list[str] = field(default_factory=list)
    """What is left out and named, as far as its words are known."""
    _targets: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)

    def read(self, name: str) -> bytes:
        """The bytes of a part; empty if it is missing or damaged."""
        try:
            return self.archive.read(name) if name else b""
        except KeyError:
            return b""
        except Exception:
            self.omissions.append(Omission(OmissionReason.DAMAGED, name))
            return b""

    def leave_out(self, reason: OmissionReason, text: str) -> None:
        """Name a text that is left out."""
        if text.strip():
            self.said.append(text)
            self.omissions.append(Omission.of(reason, self.place, text))

    def leave_out_remains(self, *texts: str) -> None:
        """Name what the parts say that is neither in these texts nor named."""
        said, damaged = Said((*texts, *self.said)), {omission.place for omission in self.omissions}
        names = [name for name in self.archive.namelist() if _TEXTS.search(name) and not _TOOLS.search(name)]
        for name in (name for name in names if name not in damaged):
            self.place, root = name, self.tree(name)
            for sample in root.iter(tag("p:ph")) if root.tag.endswith(_SAMPLES) else ():
                sample.getparent().getparent().getparent().clear()
            for text in filter(said.lacks, texts_of(root)):
                self.leave_out(OmissionReason.HIDDEN, text)

    def tree(self, name: str) -> Element:
        """The root of a part; an empty element if it is missing or damaged beyond repair."""
        data = self.read(name)
        root = parsed(_STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)) if data else None
        if data and root is None:
            self.omissions.append(Omission(OmissionReason.DAMAGED, name))
        return etree.Element("missing") if root is None else root

    def elements(self, name: str, *names: str) -> Iterator[Element]:
        """Yield the elements of these names of a large part, each of which is forgotten after it.

        Raises:
            SyntaxError: the part is damaged.
        """
        if name not in self.archive.namelist():
            return
        with self.archive.open(name) as stream:
            wanted = [f"{{*}}{one}" for one in names]
            for _, element in etree.iterparse(
                stream, tag=wanted, resolve_entities=False, no_network=True, huge_tree=True
            ):
                yield element
                element.clear()

    def main(self, name: str) -> Element:
        """The root of a part without which there is no document.

        Raises:
            BrokenContent: it is missing or damaged.
        """
        root = self.tree(name)
        if root.tag == "missing":
            raise BrokenContent("is damaged: its main part cannot be read")
        return root

    def target(self, part: str, relation: str) -> str:
        """The name of the part to which a relation of a part leads, by its id; empty if there is none."""
        return self._related(part).get(relation, ("", ""))[1]

    def targets(self, part: str, kind: str) -> list[str]:
        """The names of the parts to which relations of a kind lead, such as `comments`."""
        return [name for kind_found, name in self._related(part).values() if kind_found == kind]

    def related(self, part: str, *kinds: str) -> Iterator[Element]:
        """The roots of the parts to which relations of these kinds lead."""
        return (self.tree(name) for kind in kinds for name in self.targets(part, kind))

    def first(self, part: str, kind: str) -> Element:
        """The root of the first part to which a relation of this kind leads; an empty element if there is none."""
        return next(self.related(part, kind), etree.Element("missing"))

    def stated(self, properties: str = "") -> dict[str, str]:
        """What the file states about itself, such as `title`; `properties` is the part that does so if it varies."""
        usual = self.targets("", "core-properties") or [_OPEN_PROPERTIES]
        roots = (self.tree(name) for name in ([properties] if properties else usual))
        stated = {
            str(element.tag).rpartition("}")[2]: " ".join((element.text or "").split())
            for root in roots
            for element in root.iter()
        }
        stated["author"] = stated.get("creator", "")
        stated["keywords"] = stated.get("keywords") or stated.get("keyword", "")
        stated["language"] = stated.get("language", "") if properties else ""  # programs of an office state their own
        return stated

    def _related(self, part: str) -> dict[str, tuple[str, str]]:
        """The relations of a part: kind and target by id; the target of a link out of the file is empty."""
        if part not in self._targets:
            folder, name = posixpath.split(part)
            root = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
            self._targets[part] = {
                relation.get("Id", ""): (relation.get("Type", "").rpartition("/")[2], _target(folder, relation))
                for relation in root
            }
        return self._targets[part]


def _target(folder: str, relation: Element) -> str:
    if relation.get("TargetMode") == "External":
        return ""
    return posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")


def parsed(data: bytes) -> Element | None:
    """The root of XML, of which each choice of contents is made; None if it is no XML."""
    parser = etree.XMLParser(
        recover=True, huge_tree=True, resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    for choice in () if root is None else list(root.iter(tag("mc:AlternateContent"))):
        _choose(choice)
    return root


def _choose(alternatives: Element) -> None:
    """Put what the newest programs show, the first alternative, in the place of all."""
    parent = alternatives.getparent()
    if parent is not None and len(alternatives):
        position = parent.index(alternatives)
        chosen = next((choice for choice in alternatives if len(choice)), alternatives[0])
        parent[position : position + 1] = list(chosen)
