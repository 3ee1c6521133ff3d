"""Read access to the corpus: documents, passages, pictures and collections, subject to permissions."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from libs.contracts.evidence import Passage
from libs.runtime.errors import NotFound
from libs.servicing.page_tokens import decode_token, encode_token
from services.retrieve.corpus import reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.database import Connection
from services.retrieve.corpus.documents import Collection, Document, DocumentSummary, StoredImage
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import RootPlacement, RootRequest
from services.retrieve.sources.web_store import KeptPassages

T = TypeVar("T")
Principals = Sequence[str]


@dataclass(frozen=True, slots=True)
class ListingPage:
    """Documents of a collection, by id."""

    documents: tuple[DocumentSummary, ...]
    next_page_token: str = ""
    """Empty on the last page."""


class CorpusAccess:
    """Reads, deletes and places documents. What a caller may not see is reported as not found."""

    def __init__(self, corpus: Corpus, web: KeptPassages | None = None) -> None:
        """`web` stores the web passages that served as evidence."""
        self._corpus = corpus
        self._web = web

    async def collections(self, caller: Caller) -> list[Collection]:
        """The collections that exist for the caller, by name, with the documents that do."""
        return await asyncio.to_thread(self._corpus.collections, caller)

    async def collection(self, name: str, caller: Caller) -> Collection:
        """A collection with the documents that exist for the caller.

        Raises:
            NotFound: it does not exist for the caller.
        """
        return await asyncio.to_thread(self._corpus.collection_for, name, caller)

    async def document(self, collection: str, document_id: str, principals: Principals) -> Document:
        """A document without vectors and without its pictures' bytes.

        Raises:
            NotFound: the collection does not exist, or the principals may see no such document.
        """
        document = await self._read(
            collection, principals, lambda c: reading.document(c, collection, document_id, principals)
        )
        if document is None:
            raise NotFound("document", document_id)
        return document

    async def passage(self, collection: str, passage_id: str, principals: Principals) -> Passage:
        """A passage of the corpus or of the web.

        Raises:
            NotFound: the collection does not exist, or the principals may see no such passage.
        """
        passage = await self._read(
            collection, principals, lambda c: reading.passage(c, collection, passage_id, principals)
        )
        if passage is None and self._web is not None:
            passage = await asyncio.to_thread(self._web.get, passage_id)
        if passage is None:
            raise NotFound("passage", passage_id)
        return passage

    async def image(self, collection: str, image_id: str, principals: Principals) -> StoredImage:
        """A picture with its bytes.

        Raises:
            NotFound: the collection does not exist, or the principals may see no such picture.
        """
        image = await self._read(collection, principals, lambda c: reading.image(c, collection, image_id, principals))
        if image is None:
            raise NotFound("image", image_id)
        return image

    async def page(self, collection: str, size: int, token: str, principals: Principals) -> ListingPage:
        """A page of a collection's documents.

        Raises:
            NotFound: the collection does not exist.
            InvalidInput: the token does not come from an earlier page.
        """
        after = decode_token(token)
        documents = await self._read(
            collection, principals, lambda c: reading.documents_after(c, collection, after, size + 1, principals)
        )
        more = len(documents) > size
        return ListingPage(tuple(documents[:size]), encode_token(documents[size - 1].document_id) if more else "")

    async def place_roots(self, collection: str, requests: Sequence[RootRequest], caller: Caller) -> RootPlacement:
        """Return the id prefixes of folders and files; creates the collection if needed.

        Raises:
            InvalidInput: a name is not available; names the field.
            PermissionDenied: a name is that of others' root.
        """
        return await asyncio.wrap_future(self._corpus.place_roots(collection, requests, caller))

    async def delete_document(self, collection: str, document_id: str, caller: Caller) -> None:
        """Delete a document from every engine at once.

        Raises:
            NotFound: the collection or the document does not exist for the caller.
            PermissionDenied: it belongs to others.
        """
        await asyncio.to_thread(self._corpus.require, collection, caller)
        if not await asyncio.wrap_future(self._corpus.delete(collection, document_id, caller)):
            raise NotFound("document", document_id)

    async def delete_collection(self, name: str, caller: Caller) -> None:
        """Delete a collection with its content; `default` is recreated empty at once.

        Raises:
            NotFound: no collection of that name exists for the caller.
            PermissionDenied: it has documents or roots that belong to others.
        """
        if not await asyncio.wrap_future(self._corpus.delete_collection(name, caller)):
            raise NotFound("collection", name)

    async def _read(self, collection: str, principals: Principals, query: Callable[[Connection], T]) -> T:
        def read() -> T:
            self._corpus.require(collection, Caller(tuple(principals)))
            return self._corpus.read(query)

        return await asyncio.to_thread(read)
