"""OpenDocument files of small bodies, made by hand."""

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
