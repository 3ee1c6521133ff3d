"""`parley documents`: list the documents of a collection."""

from collections.abc import Iterator
from typing import Annotated, Final

import typer

from cli.connection.channels import Metadata
from cli.connection.gateway_connection import HOST, PORT, Host, Port, Principals, gateway_stub, paged
from cli.view.output import tell_json, tell_table
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

PAGE: Final = 1000
HEADINGS: Final = ("document", "title", "date", "passages", "characters")


def documents(
    collection: Annotated[str, typer.Option(help='Collection to list; "default" if not given.')] = "",
    principal: Principals = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per document.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """List the documents of a collection, by id."""
    with gateway_stub(corpus_pb2_grpc.CorpusServiceStub, host, port, principal) as stub:
        document_list = listed_documents(stub, collection)
        if not json:
            tell_table(HEADINGS, map(_row, document_list))
            return
        for document in document_list:
            tell_json(document)


def listed_documents(
    stub: corpus_pb2_grpc.CorpusServiceStub, collection: str, asking: Metadata = ()
) -> Iterator[corpus_pb2.DocumentSummary]:
    """Yield all documents of a collection that the principals may see, by id.

    Raises:
        grpc.RpcError: the suite failed, or the collection does not exist.
    """
    request = corpus_pb2.ListDocumentsRequest(collection=collection, page_size=PAGE)
    return paged(stub.ListDocuments, request, "documents", asking)


def _row(document: corpus_pb2.DocumentSummary) -> tuple[str, ...]:
    size = f"{document.characters:,}" if document.characters else "-"
    return document.document_id, document.title or "-", document.date or "-", f"{document.passages:,}", size
