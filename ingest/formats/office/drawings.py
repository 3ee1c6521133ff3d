"""What drawings of Word, PowerPoint and Excel show: words, tables, charts, diagrams, pictures. Reading blocks."""

from collections.abc import Iterator
from itertools import takewhile, zip_longest
from typing import Final

from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, SourceImage
from ingest.formats.office.formulas import formula
from ingest.formats.office.packages import Element, Package, comment, short, tag, value, whole
from ingest.formats.pictures import picture
from libs.documents.building import DocumentBuilder
from libs.text.grids import Cell, spread

_LINES: Final = frozenset({"a:br", "a:p"})
_COMMENTS: Final = ("{*}cm", "{*}reply", "{*}comment", "{*}threadedComment")
_ON_BEHALF: Final = "tc="
"""Beginning of the author of a comment that only tells old programs of a thread."""


def paragraphs(body: Element) -> Iterator[tuple[str, int]]:
    """The paragraphs of a shape's text with their levels; 0 is the outermost."""
    for paragraph in body.iter(tag("a:p")):
        yield words(paragraph), whole(value(paragraph, "a:pPr", "lvl"))


def words(element: Element) -> str:
    """The text of an element on one line, with formulas."""
    pieces: list[str] = []
    _collect(element, pieces)
    return " ".join(clean("".join(pieces)).split())


def _collect(element: Element, pieces: list[str]) -> None:
    for child in element:
        name = short(child.tag)
        if name == "a:t":
            pieces.append(child.text or "")
        elif name == "m:oMath":
            pieces.append(f" ${formula(child).strip()}$ ")
        else:
            pieces.append(" " if name in _LINES else "")
            _collect(child, pieces)


def table_rows(table: Element) -> list[list[str]]:
    """The rows of a table; a cell that is merged stands in each place that it covers."""

    def cells(row: Element) -> Iterator[Cell]:
        for cell in row.findall(tag("a:tc")):
            if cell.get("hMerge") is None and cell.get("vMerge") is None:
                yield Cell(words(cell), whole(cell.get("gridSpan"), 1), whole(cell.get("rowSpan"), 1))

    return list(spread(list(cells(row)) for row in table.iter(tag("a:tr"))))


def write_graphics(package: Package, part: str, element: Element, builder: DocumentBuilder) -> None:
    """Write the charts and diagrams to which an element of a part refers."""
    for chart in element.iter(tag("c:chart")):
        _write_chart(package.tree(package.target(part, chart.get(tag("r:id"), ""))), builder)
    for embedded in element.iter("{*}oleObj", "{*}OLEObject"):
        program = embedded.get("progId") or embedded.get("ProgID") or ""
        package.omissions.append(Omission(OmissionReason.OBJECT, package.place, program))
    for diagram in element.iter(tag("dgm:relIds")):
        root = package.tree(package.target(part, diagram.get(tag("r:dm"), "")))
        builder.items((words(point), 0) for point in root.iter(tag("dgm:t")))


def _write_chart(root: Element, builder: DocumentBuilder) -> None:
    """Write a chart's title, and a table of its points with a column for each series."""
    for title in root.iterfind(tag("c:chart/c:title")):
        builder.paragraph(words(title))
    for plot in root.iterfind(tag(".//c:plotArea/*")):
        kind = short(plot.tag).removeprefix("c:").replace("Chart", " chart").capitalize()
        series = list(plot.iter(tag("c:ser")))
        places = max((_values(one, "cat", "xVal") for one in series), key=len, default=[])
        columns = ([" ".join(_values(one, "tx")), *_values(one, "val", "yVal")] for one in series)
        builder.table(list(zip_longest([kind, *places], *columns, fillvalue="")) if series else [])


def _values(series: Element, *names: str) -> list[str]:
    """The values that a chart keeps of a range of cells, an empty one for a cell without a value."""
    holders = (holder for name in names for holder in series.iterchildren(tag(f"c:{name}")))
    points = (point for holder in holders for point in holder.iter(tag("c:pt")))
    values = {whole(point.get("idx")): clean(point.findtext(tag("c:v")) or "") for point in points}
    return [values.get(place, "") for place in range(max(values, default=-1) + 1)]


def comments(package: Package, main: str, part: str) -> Iterator[str]:
    """The comments on a sheet or slide, of threads and of the old kind, as quotations."""
    people = {
        person.get("id"): person.get("name") or person.get("displayName")
        for root in package.related(main, "commentAuthors", "authors", "person")
        for person in root
    }
    for root in package.related(part, "threadedComment", "comments"):
        people |= {str(number): author.text for number, author in enumerate(root.iter(tag("s:author")))}
        for note in root.iter(*_COMMENTS):
            author = people.get(note.get("personId") or note.get("authorId"))
            moment = note.get("dT") or note.get("dt") or note.get("created")
            texts = (words(text) or "".join(text.itertext()) for text in note.iterchildren("{*}text", "{*}txBody"))
            if not (author or "").startswith(_ON_BEHALF):
                yield comment(" ".join(texts), moment, note.get("ref"), author)


def _description(element: Element, container: Element) -> str:
    """The description of the drawing in a container that holds an element, which people who cannot see it are read."""
    for holder in takewhile(lambda outer: outer is not container, element.iterancestors()):
        for properties in holder.iterchildren():
            if short(properties.tag).endswith(("docPr", "nvPicPr", "cNvPr")):
                named = properties if properties.get("descr") else next(properties.iterchildren(), properties)
                if text := (named.get("descr") or properties.get("title") or "").strip():
                    return clean(text)
    return ""


def pictures(package: Package, part: str, element: Element) -> Iterator[SourceImage]:
    """The pictures within an element, described; one that cannot be read is named among the omissions."""
    found = [(blip.get(tag("r:embed"), ""), blip) for blip in element.iter(tag("a:blip"))]
    found += [(data.get(tag("r:id"), ""), data) for data in element.iter(tag("v:imagedata"))]
    for relation, holder in found:
        description = _description(holder, element)
        data = package.read(package.target(part, relation))
        package.said.append(description)
        package.omissions.append(Omission.of(OmissionReason.PICTURE, package.place, description))
        if data:
            yield picture(data, description)
