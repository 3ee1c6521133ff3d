"""`parley collections`, `documents`, `search` and `delete`: list, search and delete from the corpus by the gateway."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import grpc
import typer
from rich.padding import Padding
from rich.text import Text

from cli.connection.gateway_connection import CommandError, complain, confirm, gateway_command, meant, paged
from cli.view.output import one_line, tell, tell_json, tell_list, terminal, to_terminal
from ingest.wire import LEFT_OUT
from parley.client.connection import Metadata
from parley.client.stubs import Stubs
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2

INDENT: Final = (0, 0, 0, 3)
"""Padding (top, right, bottom, left) of what stands below a heading such as "1. Title"."""
DOCUMENTS_AT_ONCE: Final = 1000  # of a page, by the contract

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON per result.")]


@gateway_command
def collections(
    suite: Stubs,
    delete: Annotated[
        str | None, typer.Option("--delete", help="Delete this collection with all its documents.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")] = False,
    json: AsJson = False,
) -> None:
    """List the collections, or delete one from every engine at once."""
    response = suite.corpus.ListCollections(corpus_pb2.ListCollectionsRequest())
    if delete is not None:
        _delete_collection(suite, response.collections, delete, yes)
        return
    headings = ("collection", "documents", "passages", "without vectors", "embedder", "width")
    tell_list(response.collections, json, headings, _collection_row)


def _delete_collection(suite: Stubs, there: Iterable[corpus_pb2.Collection], name: str, yes: bool) -> None:
    """Delete a collection after the user has seen its size and agreed."""
    documents = next((collection.documents for collection in there if collection.name == name), None)
    if documents is None:
        near = meant(name, (collection.name for collection in there))
        raise CommandError(f"There is no collection {name!r}. `parley collections` lists them.{near}")
    if not yes:
        confirm(f"Delete the collection {name} with its {documents:,} documents?")
    suite.corpus.DeleteCollection(corpus_pb2.DeleteCollectionRequest(name=name))
    tell(f"deleted {name} with {documents:,} documents")


def _collection_row(collection: corpus_pb2.Collection) -> tuple[str, ...]:
    counts = map(str, (collection.documents, collection.passages, collection.passages_without_vectors))
    return (collection.name, *counts, collection.embedding_model or "-", str(collection.vector_width or "-"))


@gateway_command
def documents(
    suite: Stubs,
    collection: Annotated[str, typer.Option(help='Collection to list; "default" if not given.')] = "",
    json: AsJson = False,
) -> None:
    """List the documents of a collection, by id."""
    headings = ("document", "title", "date", "passages", "characters", "left out")
    tell_list(listed_documents(suite.corpus, collection), json, headings, _document_row)


def listed_documents(stub: Any, collection: str, asking: Metadata = ()) -> Iterator[corpus_pb2.DocumentSummary]:
    """Yield all documents of a collection that the principals may see, by id.

    Raises:
        grpc.RpcError: the suite failed, or the collection does not exist.
    """
    request = corpus_pb2.ListDocumentsRequest(collection=collection, page_size=DOCUMENTS_AT_ONCE)
    return paged(stub.ListDocuments, request, "documents", asking)


def stored_documents(stub: Any, collection: str, asking: Metadata) -> Iterator[corpus_pb2.DocumentSummary]:
    """Yield the same; nothing if the collection does not exist yet."""
    try:
        yield from listed_documents(stub, collection, asking)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise


def _document_row(document: corpus_pb2.DocumentSummary) -> tuple[str, ...]:
    size = f"{document.characters:,}" if document.characters else "-"
    names = (document.document_id, document.title or "-", document.date or "-")
    return (*names, f"{document.passages:,}", size, document.metadata.get(LEFT_OUT, "-"))


@gateway_command
def delete(
    suite: Stubs,
    documents: Annotated[list[str], typer.Argument(help="Ids of the documents.")],
    collection: Annotated[str, typer.Option(help='Their collection; "default" if not given.')] = "",
) -> None:
    """Delete documents from every engine at once. The exit code is 1 if one of them did not exist."""
    missing = 0
    for document_id in documents:
        request = corpus_pb2.DeleteDocumentRequest(collection=collection, document_id=document_id)
        try:
            suite.corpus.DeleteDocument(request)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
            missing += 1
            complain(one_line(f"There is no document {document_id}. `parley documents` lists them."))
    tell(f"deleted {len(documents) - missing:,}")
    if missing:
        raise typer.Exit(1)


@gateway_command
def search(
    suite: Stubs,
    query: Annotated[str, typer.Argument(help="The query.")],
    collection: Annotated[str, typer.Option(help='Collection to search; "default" if not given.')] = "",
    limit: Annotated[int, typer.Option(help="Maximum number of passages.", min=1, max=150)] = 10,  # taste; proto
    web: Annotated[
        bool, typer.Option("--web", help="Also search the web, if a web search engine is configured.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Search for passages and show the score of each engine."""
    depth = retrieve_pb2.Depth(evidence=limit)
    options = retrieve_pb2.RetrieveOptions(collection=collection, depth=depth, web=web)
    request = corpus_pb2.SearchRequest(query=query, options=options)
    response = suite.corpus.Search(request)
    for degraded in response.degraded:
        complain(one_line(f"degraded: {degraded.effect} ({degraded.reason})"))
    for evidence in response.evidence:
        (tell_json if json else _show)(evidence)


def _show(evidence: evidence_pb2.Evidence) -> None:
    heading, *details, text = _lines(evidence)
    if not to_terminal():
        tell("\n   ".join((heading, *details, text)))
    else:
        below = (*(Text(line, style="dim") for line in details), Text(text))
        terminal().print(Text(heading, style="bold"), *(Padding(line, INDENT) for line in below), "", sep="\n")


def _lines(evidence: evidence_pb2.Evidence) -> list[str]:
    """Rank and title, scores, location, near duplicates, and last the passage's text."""
    passage = evidence.passage
    lines = [
        f"{evidence.rank}. {passage.title or passage.document_id}",
        _scores(evidence.scores),
        ", ".join(part for part in (passage.passage_id, passage.date, passage.url) if part),
    ]
    if evidence.near_duplicates:
        same = (f"{item.passage.passage_id} ({item.similarity:.3f})" for item in evidence.near_duplicates)
        lines.append(f"also in {', '.join(same)}")
    return [one_line(line) for line in (*lines, passage.text)]


def _scores(scores: evidence_pb2.EngineScores) -> str:
    """Such as "fused 0.912, lexical 7.310, vector -"; a dash if an engine gave no score."""
    scores_in_words = [f"fused {scores.fused:.3f}"]
    for engine in ("lexical", "vector", "rerank"):
        if scores.HasField(engine):
            scores_in_words.append(f"{engine} {getattr(scores, engine):.3f}")
        elif engine != "rerank":
            scores_in_words.append(f"{engine} -")
    return ", ".join(scores_in_words)
