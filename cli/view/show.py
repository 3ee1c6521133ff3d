"""`parley show`: show the passage of a citation, marked in its section."""

from collections.abc import Sequence
from typing import Annotated, Final

import grpc
import typer

from cli.connection.gateway_connection import CommandError, gateway_command
from cli.view.output import tell, tell_json
from cli.view.section_view import MarkedSection, marked_section, section_lines
from parley.client.stubs import Stubs
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2

BRACKETS: Final = "[]"


@gateway_command
def show(
    suite: Stubs,
    reference: Annotated[
        str,
        typer.Argument(
            help="A reference number of the latest answer of --session, such as 2, or the id of a passage.",
            show_default=False,
        ),
    ],
    session: Annotated[str, typer.Option(help="The session whose latest answer has the reference number.")] = "",
    collection: Annotated[str, typer.Option(help='Collection of the passage; "default" if not given.')] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the passage as one line of JSON.")] = False,
) -> None:
    """Show a passage within its section, with a bar beside its lines."""
    passages = _passages(suite, reference, session, collection)
    if not json:
        _tell([marked_section(passage, _document(suite, passage)) for passage in passages])
        return
    for passage in passages:
        tell_json(passage)


def _passages(suite: Stubs, reference: str, session: str, collection: str) -> list[evidence_pb2.Passage]:
    """Return the passages that a reference number stands for, or the one with an id."""
    if not session:
        return [_passage(suite, reference, collection)]
    number = reference.strip(BRACKETS)
    if not number.isdecimal():
        raise CommandError(f"{reference!r} is not a reference number: omit --session to show a passage by its id.")
    request = gateway_pb2.GetReferencesRequest(session_id=session)
    answer = suite.gateway.GetReferences(request)
    matches = [passage for passage in answer.passages if passage.number == int(number)]
    if not matches:
        raise CommandError(_no_number(number, session, [passage.number for passage in answer.passages]))
    return [_get(suite, match.passage_id, match.collection) for match in matches]


def _no_number(number: str, session: str, numbers: Sequence[int]) -> str:
    there = f"it has {', '.join(map(str, dict.fromkeys(numbers)))}" if numbers else "it has no references"
    return f"The latest answer of the session {session} has no reference {number}: {there}."


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


def _tell(sections: Sequence[MarkedSection]) -> None:
    """Print section by section; passages of one section are marked in it together."""
    together: dict[tuple[str, int], list[MarkedSection]] = {}
    for section in sections:
        together.setdefault((section.document_id, section.start), []).append(section)
    for number, (first, *others) in enumerate(together.values()):
        if number:
            tell()
        for line in section_lines(first, [section.mark for section in (first, *others)]):
            tell(line)
