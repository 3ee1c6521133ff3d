"""What drawings of Word, PowerPoint and Excel show: words, tables, charts, diagrams, pictures. Reading blocks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, SourceImage
from ingest.formats.office.formulas import formula
from ingest.formats.office.packages import Package, short, tag, value, whole
from ingest.formats.pictures import picture
from libs.documents.building import DocumentBuilder
from libs.text.grids import Cell, spread

if TYPE_CHECKING:
    from lxml.etree import _Element

_LINES: Final = frozenset({"a:br", "a:p"})


def paragraphs(body: "_Element") -> Iterator[tuple[str, int]]:
    """The paragraphs of a shape's text with their levels; 0 is the outermost."""
    for paragraph in body.iter(tag("a:p")):
        yield words(paragraph), whole(value(paragraph, "a:pPr", "lvl"))


def words(element: "_Element") -> str:
    """The text of an element on one line, with formulas."""
    pieces: list[str] = []
    _collect(element, pieces)
    return " ".join(clean("".join(pieces)).split())


def _collect(element: "_Element", pieces: list[str]) -> None:
    for child in element:
        name = short(child.tag)
        if name == "a:t":
            pieces.append(child.text or "")
        elif name == "m:oMath":
            pieces.append(f" ${formula(child).strip()}$ ")
        else:
            pieces.append(" " if name in _LINES else "")
            _collect(child, pieces)


def table_rows(table: "_Element") -> list[list[str]]:
    """The rows of a table; a cell that is merged stands in each place that it covers."""

    def cells(row: "_Element") -> Iterator[Cell]:
        for cell in row.findall(tag("a:tc")):
            if cell.get("hMerge") is None and cell.get("vMerge") is None:
                yield Cell(words(cell), whole(cell.get("gridSpan"), 1), whole(cell.get("rowSpan"), 1))

    return list(spread(list(cells(row)) for row in table.iter(tag("a:tr"))))


def write_graphics(package: Package, part: str, element: "_Element", builder: DocumentBuilder, page: int = 0) -> None:
    """Write the charts and diagrams to which an element of a part refers."""
    for chart in element.iter(tag("c:chart")):
        root = package.tree(package.target(part, chart.get(tag("r:id"), "")))
        if root is not None:
            _write_chart(root, builder, page)
    for embedded in element.iter("{*}oleObj", "{*}OLEObject"):
        program = embedded.get("progId") or embedded.get("ProgID") or ""
        package.omissions.append(Omission(OmissionReason.OBJECT, f"slide {page}" if page else "", program))
    for diagram in element.iter(tag("dgm:relIds")):
        root = package.tree(package.target(part, diagram.get(tag("r:dm"), "")))
        if root is not None:
            builder.items(((words(point), 0) for point in root.iter(tag("dgm:t"))), page)


def _write_chart(root: "_Element", builder: DocumentBuilder, page: int) -> None:
    """Write a chart's title, its kind, and a table of its points with a column for each series."""
    title = root.find(f"{tag('c:chart')}/{tag('c:title')}")
    builder.paragraph("" if title is None else words(title), page)
    for plot in root.iterfind(f".//{tag('c:plotArea')}/*"):
        series = plot.findall(tag("c:ser"))
        if series:
            builder.paragraph(short(plot.tag).removeprefix("c:").replace("Chart", " chart").capitalize(), page)
            builder.table(_points(series), page)


def _points(series: list["_Element"]) -> list[list[str]]:
    names = [" ".join(_values(one, "tx").values()) for one in series]
    places = {place: name for one in series for at in ("cat", "xVal") for place, name in _values(one, at).items()}
    columns = [_values(one, "val") or _values(one, "yVal") for one in series]
    rows = sorted({*places, *(place for column in columns for place in column)})
    return [["", *names], *([places.get(row, ""), *(column.get(row, "") for column in columns)] for row in rows)]


def _values(series: "_Element", name: str) -> dict[int, str]:
    """The values that a chart keeps of a range of cells, by their places."""
    holder = series.find(tag(f"c:{name}"))
    points = [] if holder is None else list(holder.iter(tag("c:pt")))
    return {whole(point.get("idx")): clean(point.findtext(tag("c:v")) or "") for point in points}


def described(element: "_Element") -> str:
    """The description of the drawing that holds an element, which people who cannot see it are read."""
    for holder in element.iterancestors():
        for properties in holder.iterchildren():
            if short(properties.tag).endswith((":docPr", ":nvPicPr", ":cNvPr")):
                named = properties if properties.get("descr") else next(properties.iterchildren(), properties)
                if text := (named.get("descr") or properties.get("title") or "").strip():
                    return clean(text)
    return ""


def pictures(package: Package, part: str, element: "_Element", place: str) -> Iterator[SourceImage]:
    """The pictures within an element, described; one that cannot be read is named among the omissions."""
    found = [(blip.get(tag("r:embed"), ""), blip) for blip in element.iter(tag("a:blip"))]
    found += [(data.get(tag("r:id"), ""), data) for data in element.iter(tag("v:imagedata"))]
    for relation, holder in found:
        description = described(holder)
        data = package.read(package.target(part, relation))
        package.omissions.append(Omission.of(OmissionReason.PICTURE, place, description))
        if data:
            yield picture(data, description)
