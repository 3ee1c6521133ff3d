"""Files with a sentence in every place that their format has, shown or hidden; made by hand, as programs write them."""

from typing import Final

from tests.fakes.office_files import packed

ODF: Final = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        *((name, name) for name in ("office", "text", "table", "style", "presentation")),
        ("draw", "drawing"),
        ("svg", "svg-compatible"),
    )
)


class Planter:
    """Gives sentences that stand nowhere else, by the place where each is put."""

    def __init__(self) -> None:
        self.sentences: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        """The sentence of a place."""
        return self.sentences.setdefault(place, f"Sentence {len(self.sentences) + 101} stands here.")


def open_document(body: str, styles: str = "") -> bytes:
    """An OpenDocument file of a body."""
    return packed(
        {
            "META-INF/manifest.xml": "<manifest/>",
            "content.xml": f"<office:document-content {ODF}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body>{body}</office:body></office:document-content>",
        }
    )


def open_text(plant: Planter) -> bytes:
    """An odt."""
    cell = f"<table:table-cell><text:p>{plant('cell')}</text:p></table:table-cell>"
    note = f"<text:note><text:note-body><text:p>{plant('footnote')}</text:p></text:note-body></text:note>"
    comment = f"<office:annotation><text:p>{plant('comment')}</text:p></office:annotation>"
    return open_document(
        f"<office:text><text:tracked-changes><text:p>{plant('deletion')}</text:p></text:tracked-changes>"
        f'<text:h text:outline-level="1">{plant("heading")}</text:h>'
        f"<text:p>{plant('paragraph')}<text:span>{plant('span')}</text:span>{note}{comment}</text:p>"
        f'<text:p><text:span text:style-name="Hidden">{plant("hidden span")}</text:span></text:p>'
        f"<text:section><text:p>{plant('section')}</text:p></text:section>"
        f"<text:list><text:list-item><text:p>{plant('item')}</text:p><text:list><text:list-item><text:p>{plant('inner')}"
        "</text:p></text:list-item></text:list></text:list-item></text:list>"
        f"<table:table><table:table-row>{cell}{cell}</table:table-row><table:table-row>{cell}<table:table-cell>"
        f"<text:p>{plant('annotated cell')}{note.replace(plant('footnote'), plant('note of a cell'))}</text:p>"
        "</table:table-cell></table:table-row></table:table>"
        f"<text:p><draw:frame><draw:text-box><text:p>{plant('text box')}</text:p></draw:text-box></draw:frame>"
        f"<draw:frame><draw:image/><svg:desc>{plant('description')}</svg:desc></draw:frame></text:p></office:text>",
        '<style:style style:name="Hidden"><style:text-properties text:display="none"/></style:style>',
    )


def open_sheet(plant: Planter) -> bytes:
    """An ods."""

    def row(place: str, attributes: str = "") -> str:
        text = f"<table:table-cell><text:p>{plant(place)}</text:p></table:table-cell>"
        number = '<table:table-cell office:value-type="float" office:value="7"/>'
        return f"<table:table-row {attributes}>{text}{number}</table:table-row>"

    return open_document(
        f'<office:spreadsheet><table:table table:name="{plant("sheet name")}">{row("head")}{row("cell")}{row("more")}'
        f"{row('hidden row', 'table:visibility=' + chr(34) + 'collapse' + chr(34))}"
        f"<table:shapes><draw:frame><draw:text-box><text:p>{plant('text box')}</text:p></draw:text-box></draw:frame>"
        f'</table:shapes></table:table><table:table table:style-name="Hidden">{row("hidden sheet")}</table:table>'
        "</office:spreadsheet>",
        '<style:style style:name="Hidden"><style:table-properties table:display="false"/></style:style>',
    )


def open_slides(plant: Planter) -> bytes:
    """An odp."""

    def frame(place: str, attributes: str = "") -> str:
        return f"<draw:frame {attributes}><draw:text-box><text:p>{plant(place)}</text:p></draw:text-box></draw:frame>"

    return open_document(
        f"<office:presentation><draw:page>{frame('title', 'presentation:class=' + chr(34) + 'title' + chr(34))}"
        f"{frame('body')}<presentation:notes>{frame('notes')}</presentation:notes></draw:page>"
        f'<draw:page draw:style-name="Hidden">{frame("hidden slide")}</draw:page></office:presentation>',
        '<style:style style:name="Hidden">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>',
    )


def page(plant: Planter) -> bytes:
    """An HTML page."""
    deep = f"{'<div>' * 400}{plant('deep')}{'</div>' * 400}"
    return (
        f"<html><body><nav>{plant('navigation')}</nav><h1>{plant('heading')}</h1><p>{plant('paragraph')}</p>"
        f"<ul>{plant('list')}<li>{plant('item')}<ul><li>{plant('inner item')}</li></ul></li></ul>"
        f"<dl><dt>{plant('term')}</dt><dd>{plant('definition')}</dd></dl><pre>{plant('code')}</pre>"
        f"<details><summary>{plant('summary')}</summary>{plant('details')}</details>"
        f"<table><caption>{plant('caption')}</caption><tr><th>A<th>B<tr><td>{plant('cell')}<td>2</table>"
        f"<form><label>{plant('label')}</label><button>{plant('button')}</button></form>"
        f"<blockquote>{plant('quotation')}<footer>{plant('quoted author')}</footer></blockquote>"
        f"<p style='display: none'>{plant('hidden')}</p><figure><img src='a.png' alt='{plant('description')}'>"
        f"<figcaption>{plant('figure caption')}</figcaption></figure><svg><text>{plant('drawing')}</text></svg>"
        f"<p><math><mtext>{plant('formula')}</mtext></math></p><aside>{plant('aside')}</aside>{deep}"
        f"<ul><li hidden>{plant('hidden item')}</li><li>x</li></ul>"
        f"<footer>{plant('page footer')}</footer></body></html>"
    ).encode()


def book(plant: Planter) -> bytes:
    """An epub of a chapter, and of one that it lacks."""
    items = '<item id="a" href="a" media-type="text/html"/><item id="b" href="b" media-type="text/html"/>'
    return packed(
        {
            "META-INF/container.xml": '<container><rootfile full-path="book"/></container>',
            "book": f'<package>{items}<itemref idref="a"/><itemref idref="b"/></package>',
            "a": page(plant),
        }
    )


def markdown(plant: Planter) -> bytes:
    """A Markdown file with raw HTML."""
    return (
        f"# {plant('heading')}\n\n{plant('paragraph')} ![{plant('description')}](a.png)\n\n"
        f"<!-- {plant('comment')} -->\n\n"
        f"- {plant('item')}\n\n> {plant('quotation')}\n\n```\n{plant('code')}\n```\n\n| A | B |\n| - | - |\n"
        f"| {plant('cell')} | 2 |\n\n"
        f"<table><tr><th>A</th><th>B</th></tr><tr><td>{plant('raw cell')}</td><td>2</td></tr>"
        f"</table>\n\n<pre><code>{plant('raw code')}</code></pre>\n\n<details><summary>{plant('summary')}</summary>\n\n"
        f"{plant('details')}\n\n</details>\n\nMarked.[^1]\n\n[^1]: {plant('footnote')}\n"
    ).encode()


def asciidoc(plant: Planter) -> bytes:
    """An AsciiDoc file."""
    return (
        f"= {plant('title')}\n:note: {plant('attribute')}\n\n// {plant('comment')}\n\n"
        f"////\n{plant('comment block')}\n////\n\n"
        f"{plant('paragraph')} footnote:[{plant('footnote')}]\n\n== {plant('heading')}\n\n.{plant('block title')}\n"
        f"* {plant('item')}\n** {plant('inner item')}\n+\n{plant('attached')}\n\nterm:: {plant('definition')}\n\n"
        f"NOTE: {plant('note')}\n\n[WARNING]\n====\n{plant('warning')}\n====\n\n----\n{plant('code')}\n----\n\n"
        f"____\n{plant('quotation')}\n____\n\n|===\n|A |B\n\n|{plant('cell')}\n|2\n|===\n\n"
        f"image::a.png[{plant('description')}]\n\n****\n{plant('sidebar')}\n****\n"
    ).encode()


def table(plant: Planter) -> bytes:
    """A CSV with a line above its head."""
    rows = "".join(f'"{plant(f"row {number}")}";{number}\n' for number in range(3))
    return f'sep=;\n{plant("preamble")}\n\n"{plant("head")}";Units\n{rows}'.encode()
