"""`parley show`: show the passage of a citation in its section, with a bar beside its lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Annotated, Final

import grpc
import typer

from cli.connection.gateway_connection import CommandError, gateway_command
from cli.view.output import one_line, printable, tell, tell_json
from parley.client.stubs import Stubs
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2

BRACKETS: Final = "[]"
BAR: Final = "┃ "
BLANK: Final = "  "
MAX_AROUND: Final = 1500
"""Maximum characters of a section that are shown before and after a passage (taste)."""
WIDTH: Final = 100
"""Columns of a line, without its bar (taste)."""
SLIDES: Final = re.compile(r"\.(?:pptx|odp)\b", re.IGNORECASE)
CUT: Final = f"{BLANK}…"

Range = tuple[int, int]
"""Start and end of a range of characters; the end is exclusive."""


@gateway_command
def show(
    suite: Stubs,
    reference: Annotated[
        str,
        typer.Argument(help="A reference number of the latest answer of --session, such as 2, or the id of a passage."),
    ],
    session: Annotated[str, typer.Option(help="The session whose latest answer has the reference number.")] = "",
    collection: Annotated[str, typer.Option(help='Collection of the passage; "default" if not given.')] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the passage as one line of JSON.")] = False,
) -> None:
    """Show a passage within its section, with a bar beside its lines."""
    sections: dict[tuple[str, int], MarkedSection] = {}  # passages of one section are marked in it together
    for passage in _passages(suite, reference, session, collection):
        if json:
            tell_json(passage)
            continue
        text, section, mark = _ranges(passage, _document(suite, passage))
        key = passage.document_id, section[0]
        if key not in sections:
            sections[key] = MarkedSection(passage, _place(suite, passage), text, *section)
        sections[key].marks.append(mark)
    for number, marked in enumerate(sections.values()):
        if number:
            tell()
        for line in marked.lines():
            tell(line)


def _passages(suite: Stubs, reference: str, session: str, collection: str) -> list[evidence_pb2.Passage]:
    """Return the passages that a reference number stands for, or the one with an id."""
    if not session:
        return [_passage(suite, reference, collection)]
    number = reference.strip(BRACKETS)
    if not number.isdecimal():
        raise CommandError(f"{reference!r} is not a reference number: omit --session to show a passage by its id.")
    answer = suite.gateway.GetReferences(gateway_pb2.GetReferencesRequest(session_id=session))
    matches = [passage for passage in answer.passages if passage.number == int(number)]
    if not matches:
        numbers = ", ".join(map(str, dict.fromkeys(passage.number for passage in answer.passages)))
        there = f"it has {numbers}, of which the answer cites some" if numbers else "it has no references"
        raise CommandError(f"The latest answer of the session {session} has no reference {number}: {there}.")
    return [_get(suite, match.passage_id, match.collection) for match in matches]


def _passage(suite: Stubs, passage_id: str, collection: str) -> evidence_pb2.Passage:
    try:
        return _get(suite, passage_id, collection)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND or not passage_id.strip(BRACKETS).isdecimal():
            raise
    raise CommandError(
        f"There is no passage {passage_id}. To show the reference of an answer, name its conversation: "
        f"parley show {passage_id} --session NAME."
    )


def _get(suite: Stubs, passage_id: str, collection: str) -> evidence_pb2.Passage:
    request = corpus_pb2.GetPassageRequest(collection=collection, passage_id=passage_id)
    passage: evidence_pb2.Passage = suite.corpus.GetPassage(request).passage
    return passage


def _document(suite: Stubs, passage: evidence_pb2.Passage) -> corpus_pb2.Document:
    """Return the passage's document; an empty one for a web page, of which only passages are stored."""
    request = corpus_pb2.GetDocumentRequest(collection=passage.collection, document_id=passage.document_id)
    try:
        document: corpus_pb2.Document = suite.corpus.GetDocument(request).document
        return document
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        return corpus_pb2.Document()


def _place(suite: Stubs, passage: evidence_pb2.Passage) -> str:
    """Return the cells, slide or page of a passage, and its line on the page if its file is stored."""
    if passage.cells:
        return passage.cells
    if not passage.page or SLIDES.search(passage.document_id):
        return f"slide {passage.page}" if passage.page else ""
    request = corpus_pb2.GetPagePictureRequest(
        collection=passage.collection, document_id=passage.document_id, span=passage.span
    )
    try:
        found = suite.corpus.GetPagePicture(request)
    except grpc.RpcError:  # the passage is shown anyway
        return f"page {passage.page}"
    return f"page {found.page}, line {found.boxes[0].line}" if found.boxes else f"page {passage.page}"


def _ranges(passage: evidence_pb2.Passage, document: corpus_pb2.Document) -> tuple[str, Range, Range]:
    """Return a document's text, the innermost section up to the next heading that contains a passage, and the passage.

    If the document is missing or has changed, they are those of the passage alone.
    """
    start, end = passage.span.start, passage.span.end
    if not start < end <= len(document.text):
        alone = (0, len(passage.text))
        return passage.text, alone, alone
    starts = [section.start for section in document.structure.sections]
    first = max((place for place in starts if place <= start), default=0)
    last = min((place for place in starts if place > start), default=len(document.text))
    return document.text, (first, max(last, end)), (start, end)


@dataclass(slots=True)
class MarkedSection:
    """A section of a document with marked ranges, which may overlap."""

    passage: evidence_pb2.Passage
    """The first that is marked."""
    place: str
    text: str
    """Text of the document."""
    start: int
    end: int
    """Start and end of the section in the text."""
    marks: list[Range] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the lines to print; text far from the marked ranges is left out."""
        passage, marks = self.passage, sorted(self.marks)
        headings = [heading for heading in passage.headings if heading != passage.title]
        yield one_line(" > ".join([passage.title or passage.document_id, *headings]))
        yield one_line(", ".join(filter(None, (passage.passage_id, self.place, passage.date, passage.url))))
        yield ""
        first, last = self._shown_range(marks[0][0], max(end for _, end in marks))
        if first > self.start:
            yield CUT
        place = first
        for start, end in marks:
            yield from _lines(self.text[place:start], BLANK)
            yield from _lines(self.text[max(start, place) : end], BAR)
            place = max(place, end)
        yield from _lines(self.text[place:last].rstrip(), BLANK)
        if last < self.end:
            yield CUT

    def _shown_range(self, start: int, end: int) -> Range:
        """The part to print: whole lines around what is marked."""
        first, last = self.start, self.end
        if start - first > MAX_AROUND:
            near = start - MAX_AROUND
            first = self.text.find("\n", near, start) + 1 or near
        if last - end > MAX_AROUND:
            last = max(self.text.rfind("\n", end, end + MAX_AROUND), end)
        return first, last


def _lines(text: str, mark: str) -> Sequence[str]:
    """Return the text as wrapped lines with a mark before each; line breaks at its ends add no empty lines."""
    text = printable(text)
    if text in ("", "\n"):
        return []
    lines = text.removeprefix("\n").removesuffix("\n").split("\n")
    return [f"{mark}{part}".rstrip() for line in lines for part in _wrap(line)]


def _wrap(line: str) -> Sequence[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return [line] if len(line) <= WIDTH else wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
