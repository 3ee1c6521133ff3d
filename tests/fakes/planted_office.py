"""Office files with a sentence in every place that their format has, shown or hidden; made by hand."""

import io
import re
import zipfile
from typing import Final

from tests.fakes.office_files import packed, png
from tests.fakes.planted_files import Planter

W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
S: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
C: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
M: Final = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def relations(*targets: tuple[str, str]) -> str:
    """The relations of a part: kinds and targets, with the ids r1, r2 and so on."""
    lines = "".join(
        f'<Relationship Id="r{number}" Type="{R}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'
    )


def chart(plant: Planter) -> str:
    """A chart with a title, a series, categories and values."""

    def text(place: str) -> str:
        return f'<c:strRef><c:strCache><c:pt idx="0"><c:v>{plant(place)}</c:v></c:pt></c:strCache></c:strRef>'

    return (
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart><c:title><a:p><a:r><a:t>{plant("chart title")}</a:t></a:r>'
        f"</a:p></c:title><c:plotArea><c:barChart><c:ser><c:tx>{text('series')}</c:tx><c:cat>{text('category')}</c:cat>"
        f"<c:val>{text('value')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )


def word(plant: Planter, namespace: str = W) -> bytes:
    """A docx."""

    def p(text: str, properties: str = "", inner: str = "") -> str:
        return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r>{inner}</w:p>"

    def cell(inner: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"

    def rows(*rows_of_cells: tuple[str, ...]) -> str:
        return "<w:tbl>" + "".join(f"<w:tr>{''.join(map(cell, row))}</w:tr>" for row in rows_of_cells) + "</w:tbl>"

    box = f"<w:txbxContent>{p(plant('text box'))}</w:txbxContent>"
    body = (
        p(plant("heading"), '<w:pPr><w:pStyle w:val="H1"/></w:pPr>')
        + p(plant("paragraph"), inner=f"<w:hyperlink><w:r><w:t>{plant('link')}</w:t></w:r></w:hyperlink>")
        + f"<w:sdt><w:sdtContent>{p(plant('content control'))}</w:sdtContent></w:sdt>"
        + f"<w:p><w:sdt><w:sdtContent><w:r><w:t>{plant('inline control')}</w:t></w:r></w:sdtContent></w:sdt></w:p>"
        + f"<w:p><w:ins><w:r><w:t>{plant('insertion')}</w:t></w:r></w:ins><w:del><w:r><w:delText>{plant('deletion')}"
        + "</w:delText></w:r></w:del></w:p>"
        + f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{plant('hidden run')}</w:t></w:r></w:p>"
        + p(plant("hidden by style"), '<w:pPr><w:pStyle w:val="Hidden"/></w:pPr>')
        + f'<w:p><w:fldSimple w:instr="DATE"><w:r><w:t>{plant("field")}</w:t></w:r></w:fldSimple></w:p>'
        + f"<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>"
        + f"{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        + '<w:p><w:r><w:t>Noted</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
        + '<w:r><w:endnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>'
        + f"<w:p><m:oMath><m:r><m:t>{plant('formula')}</m:t></m:r></m:oMath></w:p>"
        + rows(
            (p(plant("head")), p("Part")),
            (p(plant("cell")), p("1") + rows((p(plant("nested")), p("x")), (p("y"), p("z")))),
        )
        + '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
        + f'wordprocessingDrawing"><wp:docPr descr="{plant("description")}"/><a:blip r:embed="r6"/></wp:inline>'
        + "</w:drawing></w:r></w:p>"
        + '<w:p><w:r><w:drawing><c:chart r:id="r7"/></w:drawing></w:r></w:p>'
    )
    names = f'xmlns:w="{namespace}" xmlns:mc="{MC}" xmlns:m="{M}" xmlns:a="{A}" xmlns:r="{R}" xmlns:c="{C}"'
    kinds = (
        *(("styles", "styles.xml"), ("footnotes", "footnotes.xml"), ("endnotes", "endnotes.xml")),
        *(("comments", "comments.xml"), ("header", "header1.xml"), ("image", "media/a.png"), ("chart", "chart.xml")),
    )

    def notes(kind: str, place: str, number: int) -> str:
        note = f'<w:{kind} w:id="{number}" w:author="Ann">{p(plant(place))}</w:{kind}>'
        return f'<w:{kind}s xmlns:w="{W}">{note}</w:{kind}s>'

    return packed(
        {
            "word/document.xml": f"<w:document {names}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations(*kinds),
            "word/styles.xml": f'<w:styles xmlns:w="{W}"><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
            '<w:style w:styleId="Hidden"><w:name w:val="Hidden"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>',
            "word/footnotes.xml": notes("footnote", "footnote", 2),
            "word/endnotes.xml": notes("endnote", "endnote", 2),
            "word/comments.xml": notes("comment", "comment", 0),
            "word/header1.xml": f'<w:hdr xmlns:w="{W}">{p(plant("page header"))}</w:hdr>',
            "word/media/a.png": png(),
            "word/chart.xml": chart(plant),
        }
    )


def slides(plant: Planter, objects: str = "") -> bytes:
    """A pptx of a shown slide with a picture that is missing, and a hidden one; `objects` are further shapes."""

    def shape(text: str, kind: str = "", hidden: str = "0") -> str:
        role = f'<p:ph type="{kind}"/>' if kind else ""
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="{hidden}"/><p:cNvSpPr/><p:nvPr>{role}</p:nvPr></p:nvSpPr>'
            f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )

    def tree(kind: str, inner: str, show: str = "1") -> str:
        names = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}" xmlns:c="{C}"'
        return f'<p:{kind} {names} show="{show}"><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:{kind}>'

    cells = "".join(
        f"<a:tc><a:txBody><a:p><a:r><a:t>{plant(p)}</a:t></a:r></a:p></a:txBody></a:tc>" for p in ("a", "b")
    )
    first = (
        shape(plant("title"), "title")
        + shape(plant("body"), "body")
        + f"<p:grpSp>{shape(plant('box in a group'))}</p:grpSp>"
        + shape(plant("footer"), "ftr")
        + shape(plant("hidden shape"), hidden="1")
        + f"<p:graphicFrame><a:tbl><a:tr>{cells}</a:tr><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>"
        + f'<p:pic><p:nvPicPr><p:cNvPr id="9" descr="{plant("description")}"/></p:nvPicPr>'
        + '<a:blip r:embed="r9"/></p:pic>'
        + f'<p:graphicFrame><c:chart r:id="r2"/></p:graphicFrame>{objects}'
    )
    return packed(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst><p:sldId r:id="r1"/>'
            '<p:sldId r:id="r2"/></p:sldIdLst></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/1.xml"), ("slide", "slides/2.xml")),
            "ppt/slides/1.xml": tree("sld", first),
            "ppt/slides/2.xml": tree("sld", shape(plant("hidden slide")), show="0"),
            "ppt/slides/_rels/1.xml.rels": relations(
                ("notesSlide", "n.xml"), ("chart", "chart.xml"), ("comments", "c.xml")
            ),
            "ppt/slides/n.xml": tree("notes", shape(plant("speaker's notes"), "body")),
            "ppt/slides/chart.xml": chart(plant),
            "ppt/slides/c.xml": f'<p:cmLst xmlns:p="{P}"><p:cm><p:text>{plant("comment")}</p:text></p:cm></p:cmLst>',
        }
    )


def sheets(plant: Planter) -> bytes:
    """An xlsx of a shown sheet and a hidden one."""

    def cell(place: str, text: str, kind: str = "inlineStr") -> str:
        inner = f"<is><t>{text}</t></is>" if kind == "inlineStr" else f"<f>{text}</f>"
        return f'<c r="{place}" t="{kind}">{inner}</c>'

    shown = (
        f'<cols><col min="4" max="4" hidden="1"/></cols><sheetData><row r="1">{cell("A1", plant("title row"))}</row>'
        f'<row r="2">{cell("A2", plant("head"))}{cell("B2", "Units")}{cell("D2", plant("hidden column"))}</row>'
        f'<row r="3">{cell("A3", plant("cell"))}{cell("B3", "12")}</row>'
        f'<row r="4" hidden="1">{cell("A4", plant("hidden row"))}</row>'
        f'<row r="5">{cell("A5", "Sum")}{cell("B5", plant("formula without a value"), "n")}</row></sheetData>'
    )
    text = f"<xdr:sp><a:p><a:r><a:t>{plant('text box')}</a:t></a:r></a:p></xdr:sp>"
    return packed(
        {
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>'
            f'<sheet name="{plant("sheet name")}" r:id="r1"/>'
            '<sheet name="Q" state="hidden" r:id="r2"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(("worksheet", "1.xml"), ("worksheet", "2.xml")),
            "xl/1.xml": f'<worksheet xmlns="{S}">{shown}</worksheet>',
            "xl/2.xml": f'<worksheet xmlns="{S}"><sheetData><row r="1">{cell("A1", plant("hidden sheet"))}</row>'
            "</sheetData></worksheet>",
            "xl/_rels/1.xml.rels": relations(("comments", "c.xml"), ("drawing", "d.xml")),
            "xl/c.xml": f'<comments xmlns="{S}"><authors><author>Ann</author></authors><commentList>'
            f'<comment ref="A3" authorId="0"><text><t>{plant("comment")}</t></text></comment></commentList></comments>',
            "xl/d.xml": '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
            f'xmlns:a="{A}" xmlns:c="{C}" xmlns:r="{R}">{text}<c:chart r:id="r1"/></xdr:wsDr>',
            "xl/_rels/d.xml.rels": relations(("chart", "chart.xml")),
            "xl/chart.xml": chart(plant),
        }
    )


def strict(data: bytes) -> bytes:
    """The same file in the strict variant of Office Open XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    pattern = re.compile(rb"http://schemas\.openxmlformats\.org/(\w+)/2006/")
    return packed({name: pattern.sub(rb"http://purl.oclc.org/ooxml/\1/", part) for name, part in parts.items()})
